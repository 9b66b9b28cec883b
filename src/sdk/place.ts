/** Finds the place of an event in a user's own files from a stack trace, as `mine.ts:7`. */
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The files of a user's protocol. `main` is the file that the person named. All paths are real
 * paths.
 */
export interface ProtocolFiles {
  readonly main: string;
  /** Returns whether a file is one of the protocol's. */
  has(file: string): boolean;
}

/** A stack frame, which ends with `file:LINE:COLUMN`, in brackets if the function has a name. */
const FRAME = /(?:\(|\bat (?:async )?)((?:file:\/\/)?\/[^()]*?):(\d+):\d+\)?$/;

/**
 * Returns the innermost line of a stack trace that is in the protocol's files, as `mine.ts:7`;
 * undefined if there is none.
 */
export function findPlace(stack: string | undefined, places: ProtocolFiles): string | undefined {
  for (const row of stack?.split('\n') ?? []) {
    const [, where = '', line = ''] = FRAME.exec(row) ?? [];
    const file = pathOf(where);
    if (file !== undefined && places.has(file)) return `${nameOf(file, places)}:${line}`;
  }
  return undefined;
}

/** Returns the name of a file relative to the folder of the protocol's main file. */
export function nameOf(file: string, { main }: ProtocolFiles): string {
  return relative(dirname(main), file) || file;
}

/** Converts an absolute path or a `file:` URL to a path. Returns undefined for any other text. */
export function pathOf(where: string): string | undefined {
  if (where.startsWith('/')) return where;
  if (!where.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(where.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}

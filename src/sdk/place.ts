/** Where in a person's own files something happened: read off a stack, said as `mine.ts:7`. */
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of one protocol. `main` is the one that was named; both are real paths. */
export interface Places {
  readonly main: string;
  has(file: string): boolean;
}

/** A frame ends with `file:LINE:COLUMN`, in brackets where the function has a name. */
const FRAME = /(?:\(|\bat (?:async )?)((?:file:\/\/)?\/[^()]*?):(\d+):\d+\)?$/;

/** `mine.ts:7`, the innermost line of a stack that is the person's; undefined where none is. */
export function placeIn(stack: string | undefined, places: Places): string | undefined {
  for (const row of stack?.split('\n') ?? []) {
    const [, where = '', line = ''] = FRAME.exec(row) ?? [];
    const file = pathOf(where);
    if (file !== undefined && places.has(file)) return `${nameOf(file, places)}:${line}`;
  }
  return undefined;
}

/** As people know it: from the folder of the file they named. */
export function nameOf(file: string, { main }: Places): string {
  return relative(dirname(main), file) || file;
}

/** A path, of a path or of a `file:` address with or without a query; undefined where it is neither. */
export function pathOf(where: string): string | undefined {
  if (where.startsWith('/')) return where;
  if (!where.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(where.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}

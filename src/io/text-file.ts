/** Text files that come from a person or a stranger: small, whole, and text, or refused by name. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { DeliberateError } from '../kernel/errors.ts';
import { unlessHeld } from '../platform/held.ts';
import { whyNoPath } from '../platform/names.ts';
import { realPathOf } from '../platform/real-path.ts';
import { SYSTEM } from '../platform/system.ts';
import { readWithin } from './bounded.ts';
import { decode } from './decoding/decode.ts';
import { Refused } from './decoding/refused.ts';

export { Refused } from './decoding/refused.ts';

/** It is not where it seems to be: a folder above it is a link to elsewhere. */
export class Misplaced extends Refused {
  constructor(file: string, why: string) {
    super(file, why);
    this.name = 'Misplaced';
  }
}

interface Allowed {
  /** Bytes. */
  readonly most: number;
  /** Whether the file may be a link to another one. */
  readonly links: boolean;
  /** The real path of a folder that it has to lie in, whatever the folders above it are links to. */
  readonly within?: string;
  /** Whether it may be read, by its real path in that folder. */
  readonly takes?: (path: string) => boolean;
}

/**
 * A file's text, without a byte order mark. It is looked at after it was opened, so that what is read
 * is what was looked at; a pipe or a device is not waited for.
 *
 * @throws Refused where it is no such file, and undefined where there is none.
 */
export function textOf(file: string, allowed: Allowed): string | undefined {
  const bytes = bytesOf(file, allowed);
  return bytes === undefined ? undefined : decode(file, bytes);
}

/** The same, whatever the bytes mean. @throws Refused */
export function bytesOf(file: string, allowed: Allowed): Buffer | undefined {
  const { most, links } = allowed;
  const why = whyNoPath(file);
  if (why !== undefined) throw new Refused(file, why);
  // Windows has no `O_NOFOLLOW`, so a link has to be detected before the file is opened.
  if (!links && SYSTEM === 'windows' && lookAtLink(file)?.isSymbolicLink())
    throw new Refused(file, whyNot('ELOOP'));
  let opened: number;
  try {
    const how = constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW);
    opened = unlessHeld(() => openSync(file, how));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Refused(file, whyNot(code));
  }
  try {
    const stat = fstatSync(opened);
    if (stat.isDirectory()) throw new Refused(file, 'is a folder');
    if (!stat.isFile()) throw new Refused(file, 'not a regular file');
    if (stat.size > most)
      throw new Refused(
        file,
        `too large: ${formatSize(stat.size)}, at most ${formatSize(most)} are read`,
      );
    refuseElsewhere(file, stat, allowed);
    const bytes = read(file, opened, most);
    if (bytes === undefined) throw new Refused(file, tooLong(most));
    return bytes;
  } finally {
    closeSync(opened);
  }
}

function read(file: string, opened: number, most: number): Buffer | undefined {
  try {
    return readWithin(opened, most);
  } catch (error) {
    throw new Refused(file, whyNot(codeOf(error)));
  }
}

/**
 * Looked at after it was opened: what lies in the folder by its real path has to be the very file that is
 * open, whatever was made a link meanwhile.
 */
function refuseElsewhere(file: string, opened: Stats, { within, takes }: Allowed): void {
  if (within === undefined) return;
  let path: string;
  let there: Stats;
  try {
    const real = realPathOf(file);
    path = relative(within, real);
    there = statSync(real);
  } catch (error) {
    throw new Misplaced(file, whyNot(codeOf(error)));
  }
  if (path.split(sep)[0] === '..' || isAbsolute(path))
    throw new Misplaced(file, 'is a link that leads out of the folder');
  if (there.dev !== opened.dev || there.ino !== opened.ino)
    throw new Misplaced(file, 'was replaced while it was being read');
  if (takes !== undefined && !takes(path))
    throw new Misplaced(file, 'a link leads to it, and it is hidden');
}

/** What lies under a name; undefined where nothing does or can. @throws Refused where nobody lets us look. */
export function lookAt(file: string): Stats | undefined {
  return statOrNothing(file, statSync);
}

/** The same of a link itself, not of what it leads to. */
export function lookAtLink(file: string): Stats | undefined {
  return statOrNothing(file, lstatSync);
}

function statOrNothing(file: string, look: typeof statSync): Stats | undefined {
  const why = whyNoPath(file);
  if (why !== undefined) throw new Refused(file, why);
  try {
    return look(file, { throwIfNoEntry: false });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new Refused(file, whyNot(code));
  }
}

/** Why a text was not read to its end: how much longer it is, nobody knows. */
export function tooLong(most: number): string {
  return `longer than ${formatSize(most)}, the most that is read`;
}

/** `12 KB`, `1.5 MB` */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** The system's code for what went wrong; undefined for our own errors, which have a sentence already. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof DeliberateError) return undefined;
  return 'code' in error ? String(error.code) : undefined;
}

export function whyNot(code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return 'no such file';
    case 'EISDIR':
      return 'is a folder';
    case 'ELOOP':
      return 'is a link; copy the file instead';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENXIO':
      return 'not a regular file';
    case 'ENAMETOOLONG':
      return 'name too long';
    case 'ENOTDIR':
      return 'a part of the path is not a folder';
    case 'EIO':
      return 'input/output error';
    case 'EBUSY':
      return 'held open by another program';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many open files';
    default:
      return code ?? 'cannot be read';
  }
}

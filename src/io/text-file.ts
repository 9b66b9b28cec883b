/**
 * Reads text files from people and strangers. A file must be small, complete and text; otherwise it is
 * refused with its name.
 */
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
import { retryWhileHeld } from '../platform/held.ts';
import { whyNoPath } from '../platform/names.ts';
import { realPathOf } from '../platform/real-path.ts';
import { SYSTEM } from '../platform/system.ts';
import { readWithin } from './bounded.ts';
import { decodeText } from './decoding/decode.ts';
import { RefusedFileError } from './decoding/refused.ts';

export { RefusedFileError } from './decoding/refused.ts';

/**
 * Thrown if a file must be inside a folder and is not. Reasons are a symbolic link to a file outside
 * or to a hidden file, and a file that was replaced or removed while it was read.
 */
export class MisplacedFileError extends RefusedFileError {
  constructor(file: string, why: string) {
    super(file, why);
    this.name = 'Misplaced';
  }
}

interface Allowed {
  /** Bytes. */
  readonly most: number;
  /** Whether the file itself may be a link. */
  readonly links: boolean;
  /** The real path of a folder that must contain the file, whatever links lead to it. */
  readonly within?: string;
  /** Returns whether the file may be read, by its real path relative to that folder. */
  readonly takes?: (path: string) => boolean;
}

/**
 * Reads a text file in UTF-8, or in UTF-16 with a byte order mark. Removes the byte order mark. Pipes and
 * devices are refused.
 *
 * @param allowed the largest size in bytes, whether the file may be a link, and the folder that must contain it
 * @returns the text, or undefined if there is no file
 * @throws RefusedFileError if the file is not allowed, cannot be read or is no text; its subclass
 *   MisplacedFileError if the file is not in the required folder
 */
export function readTextFile(file: string, allowed: Allowed): string | undefined {
  const bytes = readBytes(file, allowed);
  return bytes === undefined ? undefined : decodeText(file, bytes);
}

/**
 * Reads the bytes of a file. Pipes and devices are refused.
 *
 * @param allowed the largest size in bytes, whether the file may be a link, and the folder that must contain it
 * @returns the bytes, or undefined if there is no file
 * @throws RefusedFileError if the file is not allowed or cannot be read; its subclass MisplacedFileError if
 *   the file is not in the required folder
 */
export function readBytes(file: string, allowed: Allowed): Buffer | undefined {
  const { most, links } = allowed;
  const why = whyNoPath(file);
  if (why !== undefined) throw new RefusedFileError(file, why);
  // Windows has no `O_NOFOLLOW`, so look for a link before the file is opened.
  if (!links && SYSTEM === 'windows' && findLinkStatus(file)?.isSymbolicLink())
    throw new RefusedFileError(file, explainCode('ELOOP'));
  let opened: number;
  try {
    const how = constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW);
    opened = retryWhileHeld(() => openSync(file, how));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new RefusedFileError(file, explainCode(code));
  }
  try {
    const stat = fstatSync(opened);
    if (stat.isDirectory()) throw new RefusedFileError(file, 'is a folder');
    if (!stat.isFile()) throw new RefusedFileError(file, 'not a regular file');
    if (stat.size > most)
      throw new RefusedFileError(
        file,
        `too large: ${formatSize(stat.size)}, at most ${formatSize(most)} are read`,
      );
    refuseElsewhere(file, stat, allowed);
    const bytes = readOpened(file, opened, most);
    if (bytes === undefined) throw new RefusedFileError(file, tooLongReason(most));
    return bytes;
  } finally {
    closeSync(opened);
  }
}

function readOpened(file: string, opened: number, most: number): Buffer | undefined {
  try {
    return readWithin(opened, most);
  } catch (error) {
    throw new RefusedFileError(file, explainCode(errorCode(error)));
  }
}

/**
 * Refuses an open file if it is not the file at its real path inside the folder. A link may have
 * been replaced after the check.
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
    throw new MisplacedFileError(file, explainCode(errorCode(error)));
  }
  if (path.split(sep)[0] === '..' || isAbsolute(path))
    throw new MisplacedFileError(file, 'is a link that leads out of the folder');
  if (there.dev !== opened.dev || there.ino !== opened.ino)
    throw new MisplacedFileError(file, 'was replaced while it was being read');
  if (takes !== undefined && !takes(path))
    throw new MisplacedFileError(file, 'a link leads to it, and it is hidden');
}

/**
 * Returns the status of a file, following links; undefined if it does not exist.
 *
 * @throws RefusedFileError if the file cannot be examined
 */
export function findStatus(file: string): Stats | undefined {
  return statOrNothing(file, statSync);
}

/**
 * Returns the status of a file without following links; undefined if it does not exist.
 *
 * @throws RefusedFileError if the file cannot be examined
 */
export function findLinkStatus(file: string): Stats | undefined {
  return statOrNothing(file, lstatSync);
}

function statOrNothing(file: string, look: typeof statSync): Stats | undefined {
  const why = whyNoPath(file);
  if (why !== undefined) throw new RefusedFileError(file, why);
  try {
    return look(file, { throwIfNoEntry: false });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new RefusedFileError(file, explainCode(code));
  }
}

/**
 * Returns the words that refuse a too long text, such as "longer than 2 MB, the most that is read".
 *
 * @param most the limit in bytes
 */
export function tooLongReason(most: number): string {
  return `longer than ${formatSize(most)}, the most that is read`;
}

/** Formats a size in bytes: `812 bytes`, `12 KB`, `1.5 MB`, where a KB has 1024 bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** Returns the code of a system error, such as `ENOENT`. Returns undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof DeliberateError) return undefined;
  return 'code' in error ? String(error.code) : undefined;
}

/**
 * Describes the code of a system error in words that follow a file's name: "no such file" for `ENOENT`. A rare
 * code is returned as it is.
 */
export function explainCode(code: string | undefined): string {
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

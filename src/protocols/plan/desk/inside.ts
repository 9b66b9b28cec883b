/**
 * Reads and writes files below a repository, whoever names them. No file is read or written through a link
 * that leads out of the repository, and no file is written that has changed since a person was shown it.
 */

import { join, sep } from 'node:path';
import { removeLeftovers, writeTogether } from '../../../io/own-file.ts';
import { errorCode, findLinkStatus, findStatus, readTextFile } from '../../../io/text-file.ts';
import { DeliberateError } from '../../../kernel/errors.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { toLine } from '../../../text/line.ts';

/** The largest file that a plan may write or replace, in bytes. */
const LARGEST = 4 * 1024 * 1024;

/** A file that a plan or a fix would write, with the text that it replaces. */
export interface ProposedFile {
  /** The path, relative to the repository. */
  readonly path: string;
  readonly text: string;
  /** The file's text when the change was prepared; undefined if there was no file. */
  readonly before: string | undefined;
}

/**
 * Writes the files whose text changes, and then calls `then`. If writing or `then` fails, no file
 * is changed. Otherwise also removes temporary files that a killed process has left beside these files.
 *
 * @throws DeliberateError if the text of a file is no longer `before`, or for a common reason, such as a missing
 * permission, a file cannot be written
 */
export function writeInside(
  repository: string,
  files: readonly ProposedFile[],
  then: () => void,
): void {
  for (const file of files) refuseChanged(repository, file);
  const placed = files
    .filter(({ before, text }) => before !== text)
    .map(({ path, text }) => ({ file: join(repository, path), text }));
  try {
    writeTogether(placed, then);
  } catch (error) {
    throw whyNotWritten(error);
  }
  for (const { path } of files) removeLeftovers(join(repository, path));
}

/** Checks that a file is as it was shown. @throws DeliberateError `changed` if the file differs */
function refuseChanged(repository: string, { path, before }: ProposedFile): void {
  if (readBefore(repository, path) !== before)
    throw new DeliberateError(
      'changed',
      `${path} has changed since it was shown; nothing was written`,
      'Look at it, then write the plan again.',
    );
}

/**
 * Returns an error that says why the files cannot be written, or `error` itself if the reason is not a known
 * one. The system's own message would name an internal call and a temporary file.
 */
function whyNotWritten(error: unknown): unknown {
  const code = errorCode(error);
  const why = REASONS.get(code ?? '');
  if (why === undefined) return error;
  return new DeliberateError(
    'not-written',
    `the files cannot be written: ${why}; nothing was written`,
  );
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['EROFS', 'a folder is read-only'],
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EISDIR', 'a folder stands in the place of a file'],
  ['ENOTEMPTY', 'a folder stands in the place of a file'],
]);

/**
 * Returns the current text of a file below the repository; undefined if there is no file.
 * @param path the file's path relative to the repository, with `/` between its parts
 * @throws DeliberateError if the path leads out of the repository, runs through something that is no folder,
 * or is a link
 * @throws RefusedFileError if the file is too large or no text
 */
export function readBefore(repository: string, path: string): string | undefined {
  const root = realPathOf(repository);
  const parts = path.split('/');
  // Refuse `..` in the path: an imported run can contain any path.
  if (parts.includes('..'))
    throw new DeliberateError('outside', `${toLine(path)} leads out of the repository`);
  // Check each folder on the way: the file itself may not exist yet, so its real path is unknown.
  for (let count = 1; count < parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    const found = findLinkStatus(join(root, part));
    if (found === undefined) break;
    const real = found.isSymbolicLink() ? realOf(join(root, part)) : join(root, part);
    if (real === undefined || (found.isSymbolicLink() && !real.startsWith(root + sep)))
      throw new DeliberateError('outside', `${path} leads out of the repository through a link`);
    if (findStatus(real)?.isDirectory() !== true)
      throw new DeliberateError('no-folder', `${path} was not written: ${part} is not a folder`);
  }
  if (findLinkStatus(join(root, path))?.isSymbolicLink())
    throw new DeliberateError('outside', `${path} is a link and was not written`);
  return readTextFile(join(root, path), { most: LARGEST, links: false });
}

/** Returns the real path of a link; undefined if the link's target does not exist. */
function realOf(link: string): string | undefined {
  try {
    return realPathOf(link);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Files below a repository, whoever names them: none is read or written through a link that leads out of it, and
 * none is written that has changed since a person was shown it.
 */
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { writeTogether } from '../../../io/own-file.ts';
import { codeOf, lookAt, lookAtLink, textOf } from '../../../io/text-file.ts';
import { DeliberateError } from '../../../kernel/errors.ts';
import { line } from '../../../text/line.ts';

/** No file of a plan is as long as this, and none that it would replace. Bytes. */
const LARGEST = 4 * 1024 * 1024;

/** A file as a person was shown it. */
export interface Shown {
  /** As seen from the repository. */
  readonly path: string;
  readonly text: string;
  /** What stood there; undefined where there was no file. */
  readonly before: string | undefined;
}

/**
 * Writes all files and does `then`, or nothing at all.
 * @throws DeliberateError where a file has changed since it was shown, or cannot be written
 */
export function writeInside(repository: string, files: readonly Shown[], then: () => void): void {
  for (const one of files) refuseChanged(repository, one);
  const placed = files.map(({ path, text }) => ({ file: join(repository, path), text }));
  try {
    writeTogether(placed, then);
  } catch (error) {
    throw whyNotWritten(error);
  }
}

/** @throws DeliberateError where it changed since it was shown */
function refuseChanged(repository: string, { path, before }: Shown): void {
  if (readBefore(repository, path) !== before)
    throw new DeliberateError(
      'changed',
      `${path} has changed since it was shown; nothing was written`,
      'Look at it, then write the plan again.',
    );
}

/** The system's own words say which call failed, and name a file that nobody knows. */
function whyNotWritten(error: unknown): unknown {
  const code = codeOf(error);
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

/** What stands there now. @throws DeliberateError where the path leads out of the repository */
export function readBefore(repository: string, path: string): string | undefined {
  const root = realpathSync(repository);
  const parts = path.split('/');
  // A run that came from elsewhere can name any path.
  if (parts.includes('..'))
    throw new DeliberateError('outside', `${line(path)} leads out of the repository`);
  // Folder by folder: what a link leads to may not be there yet.
  for (let count = 1; count < parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    const found = lookAtLink(join(root, part));
    if (found === undefined) break;
    const real = found.isSymbolicLink() ? realOf(join(root, part)) : join(root, part);
    if (real === undefined || (found.isSymbolicLink() && !real.startsWith(root + sep)))
      throw new DeliberateError('outside', `${path} leads out of the repository through a link`);
    if (lookAt(real)?.isDirectory() !== true)
      throw new DeliberateError('no-folder', `${path} was not written: ${part} is not a folder`);
  }
  if (lookAtLink(join(root, path))?.isSymbolicLink())
    throw new DeliberateError('outside', `${path} is a link and was not written`);
  return textOf(join(root, path), { most: LARGEST, links: false });
}

/** Undefined where a link leads to nothing. */
function realOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes files for a person completely or not at all, without overwriting other files. */
import {
  chmodSync,
  copyFileSync,
  linkSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { UsageError } from '../kernel/errors.ts';
import { isAlive } from '../platform/alive.ts';
import { retryWhileHeld } from '../platform/held.ts';
import { makeFolder } from './folders.ts';
import { findLinkStatus, findStatus, RefusedFileError, readTextFile } from './text-file.ts';

/**
 * Writes a file that only its owner can read, even if the file had other permissions before. Missing folders
 * are created. The file is replaced as a whole, so that no reader finds half of it.
 */
export function writeOwn(file: string, text: string): void {
  replaceFile(file, text, 0o600);
}

/**
 * Writes a file of a project, with the permissions that new files have by default on this system. Missing
 * folders are created. The file is replaced as a whole, so that no reader finds half of it.
 */
export function writeShared(file: string, text: string): void {
  replaceFile(file, text, 0o666);
}

/**
 * Writes a temporary file and renames it to `file`, creating missing folders. A link at `file` is replaced
 * and not followed.
 */
function replaceFile(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  const half = hiddenPathBeside(file, '');
  try {
    writeFileSync(half, text, { mode, flag: 'wx' });
    retryWhileHeld(() => renameSync(half, file));
  } finally {
    rmSync(half, { force: true });
  }
}

interface Replacement {
  readonly file: string;
  readonly text: string;
}

/**
 * A file that is being written. `half` is the path of its new content until the content is in place, `old`
 * the path of a copy of what is replaced.
 */
interface PendingFile {
  readonly file: string;
  readonly half: string;
  readonly old: string;
  hasOld: boolean;
  isPlaced: boolean;
}

/**
 * Writes several files of a project and then calls `then`, all or nothing. If any step fails, files
 * and folders are restored as far as possible. Replaced files keep their permissions. A link is replaced and
 * not followed.
 *
 * @throws the error of the step that failed
 */
export function writeTogether(files: readonly Replacement[], then: () => void): void {
  const made: string[] = [];
  const placing: PendingFile[] = [];
  try {
    for (const { file, text } of files) {
      made.push(...makeFolder(dirname(file)));
      const half = hiddenPathBeside(file, '');
      placing.push({
        file,
        half,
        old: hiddenPathBeside(file, '.old'),
        hasOld: false,
        isPlaced: false,
      });
      writeFileSync(half, text, { mode: 0o666, flag: 'wx' });
      const there = findLinkStatus(file);
      if (there?.isFile()) chmodSync(half, there.mode & 0o777);
    }
    for (const pendingFile of placing) putInPlace(pendingFile);
    then();
  } catch (error) {
    for (const pendingFile of placing.reverse()) restoreFile(pendingFile);
    for (const folder of made.reverse()) removeEmpty(folder);
    throw error;
  }
  for (const { old } of placing) rmSync(old, { force: true });
}

/**
 * Removes the hidden temporary files that processes left when they were killed while they wrote `file`. The
 * temporary files are in the same folder. Those of running processes, and those that cannot be removed, stay.
 */
export function removeLeftovers(file: string): void {
  const folder = dirname(file);
  const start = hiddenStart(file);
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(start)) continue;
      const [, pid] = /^(\d+)(?:\.old)?$/.exec(name.slice(start.length)) ?? [];
      if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // Ignore the error: temporary files that killed processes left are hidden and do no harm.
  }
}

function putInPlace(pendingFile: PendingFile): void {
  const there = findLinkStatus(pendingFile.file);
  if (there?.isFile()) keepBeside(pendingFile.file, pendingFile.old);
  else if (there?.isSymbolicLink()) renameSync(pendingFile.file, pendingFile.old);
  pendingFile.hasOld = there?.isFile() === true || there?.isSymbolicLink() === true;
  renameSync(pendingFile.half, pendingFile.file);
  pendingFile.isPlaced = true;
}

/**
 * Keeps a file under a second name: as a hard link, so that the file is never missing, or as a copy if the
 * disk has no hard links.
 */
function keepBeside(file: string, old: string): void {
  try {
    linkSync(file, old);
  } catch {
    copyFileSync(file, old);
  }
}

/** Restores a file. Errors are ignored, so that all files that can be restored are. */
function restoreFile({ file, half, old, hasOld, isPlaced }: PendingFile): void {
  try {
    if (hasOld) renameSync(old, file);
    else if (isPlaced) rmSync(file, { force: true });
  } catch {
    // Ignore the error. If the earlier file cannot be put back, its content stays in the backup `old` until
    // `removeLeftovers` deletes it; if a new file cannot be removed, the new file stays.
  }
  try {
    rmSync(half, { force: true });
  } catch {
    // Ignore the error: the temporary file `half` is hidden and does no harm.
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Ignore the error: the folder has other files and must stay, or it was never created.
  }
}

/** Returns a hidden path in the same folder that no other process uses. */
function hiddenPathBeside(file: string, ending: string): string {
  return join(dirname(file), `${hiddenStart(file)}${process.pid}${ending}`);
}

function hiddenStart(file: string): string {
  return `.${basename(file).slice(0, 200)}.`;
}

/**
 * Returns the path of the file to write if a person gave `to` as the destination. If `to` is a
 * folder, or does not exist and has no file extension, the result is the path of `name` in the folder
 * `to`. Otherwise the result is `to` itself.
 */
export function filePathFor(to: string, name: string): string {
  const isFolder = findStatus(to)?.isDirectory() ?? extname(to) === '';
  return isFolder ? join(to, name) : to;
}

/**
 * Writes a new file, completely or not at all. If the file exists with the same content and `overwrite` is
 * false, nothing is done.
 *
 * @param overwrite whether an existing file may be replaced
 * @throws UsageError if a file with other content exists and must not be replaced, if there is something else
 *   than a regular file, or if the file cannot be written
 */
export function writeNew(file: string, text: string, overwrite: boolean): void {
  try {
    const there = findStatus(file);
    if (there !== undefined && !there.isFile())
      throw new UsageError(`${file} is not a regular file`, 'Use --to - for standard output.');
    if (!overwrite && there !== undefined) {
      if (isAlready(file, text)) return;
      throw new UsageError(`${file} already exists`, 'Pass --yes to overwrite it.');
    }
    writeOwn(file, text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file} cannot be written: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function isAlready(file: string, text: string): boolean {
  try {
    return readTextFile(file, { most: Buffer.byteLength(text), links: true }) === text;
  } catch (error) {
    if (error instanceof RefusedFileError) return false;
    throw error;
  }
}

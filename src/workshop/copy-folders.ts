/**
 * Manages folders beside the run's own copy of a repository: temporary folders, and a copy that is
 * completed in one of them before it is moved to its place.
 */
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode, findStatus } from '../io/text-file.ts';
import { isAlive } from '../platform/alive.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';

/**
 * Returns a new path for a temporary folder. Its name contains this process's id, so that later
 * processes know when the folder can be removed.
 */
export function temporaryFolder(folder: string): string {
  return join(folder, 'tmp', `${process.pid}-${randomBytes(6).toString('hex')}`);
}

/** Removes the temporary folders of processes that have ended. */
export function removeLeftovers(folder: string): void {
  const all = join(folder, 'tmp');
  if (findStatus(all) === undefined) return;
  for (const name of readdirSync(all)) {
    const pid = Number(name.split('-')[0]);
    if (Number.isSafeInteger(pid) && pid > 0 && (pid === process.pid || isAlive(pid))) continue;
    removeFolder(join(all, name));
  }
}

/**
 * Renames the complete copy `half` to its final path `whole`. If another process has made a copy
 * there, both stay where they are.
 */
export function renameIntoPlace(half: string, whole: string): void {
  try {
    renameSync(half, whole);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    if (existsSync(join(whole, 'HEAD'))) return;
    // A complete copy contains the file HEAD. This one does not: another process was interrupted while it removed
    // the folder.
    removeFolder(whole);
    renameSync(half, whole);
  }
}

/**
 * Copies a repository with all its objects, also trees that no commit refers to but that runs have
 * recorded. Objects never change, so they are hard-linked where the file system supports it.
 */
export function copyLinked(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyLinked(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.lock')) copyFile(source, target);
  }
}

function copyFile(from: string, to: string): void {
  // Hard-link files that nobody may write: they are git objects, which never change. Copy all others.
  const isFixed = (lstatSync(from).mode & 0o222) === 0;
  try {
    if (isFixed) linkSync(from, to);
    else copyFileSync(from, to);
  } catch (error) {
    if (!isFixed || !['EXDEV', 'EMLINK', 'EPERM', 'EACCES'].includes(errorCode(error) ?? ''))
      throw error;
    copyFileSync(from, to);
  }
}

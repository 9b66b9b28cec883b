/**
 * Folders beside the run's own copy of a repository: those that work is done in, and a copy that becomes
 * whole in one of them before it takes its place.
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
import { errorCode, lookAt } from '../io/text-file.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';

/** A folder of this process's own: by its name the next process sees whether it may go. */
export function temporary(folder: string): string {
  return join(folder, 'tmp', `${process.pid}-${randomBytes(6).toString('hex')}`);
}

/** Removes what processes left that died. */
export function sweep(folder: string): void {
  const all = join(folder, 'tmp');
  if (lookAt(all) === undefined) return;
  for (const name of readdirSync(all)) {
    const pid = Number(name.split('-')[0]);
    if (Number.isSafeInteger(pid) && pid > 0 && (pid === process.pid || isAlive(pid))) continue;
    removeFolder(join(all, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Another process may have been faster: then its copy is the copy. */
export function takePlace(half: string, whole: string): void {
  try {
    renameSync(half, whole);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    if (existsSync(join(whole, 'HEAD'))) return;
    // Somebody began to remove it, and did not come to the end.
    removeFolder(whole);
    renameSync(half, whole);
  }
}

/**
 * A copy with everything that nothing refers to: trees that are on record are named by no commit. Objects
 * never change, so they are shared where the disk lets them be.
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
  // What can be written to may change; objects cannot.
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

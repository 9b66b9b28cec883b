/** Resolves paths to where they really lead. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SYSTEM } from './system.ts';

/**
 * Returns a path with all links resolved. On Windows, the path also gets the letter case and the
 * long names of the disk, and loses trailing dots: `GIT~1` and `.GIT.` both mean `.git` there.
 *
 * @throws the system's error if nothing exists at the path
 */
export function realPathOf(path: string): string {
  return SYSTEM === 'windows' ? realpathSync.native(path) : realpathSync(path);
}

/**
 * Returns a path with its last name spelled as on the disk, since Windows ignores letter case. Returns the path
 * unchanged if its last name is a link, and on other systems.
 *
 * @throws the system's error on Windows if nothing exists at the path
 */
export function spellAsOnDisk(path: string): string {
  if (SYSTEM !== 'windows' || lstatSync(path).isSymbolicLink()) return path;
  return join(dirname(path), basename(realPathOf(path)));
}

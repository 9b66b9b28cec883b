/** Where a path really leads. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SYSTEM } from './system.ts';

/**
 * The path without links. On Windows also with the letter case, the long names and without the trailing
 * dots that the disk has: there `GIT~1` and `.GIT.` are `.git`, and only the system knows.
 *
 * @throws the system's error where nothing is there
 */
export function realPathOf(path: string): string {
  return SYSTEM === 'windows' ? realpathSync.native(path) : realpathSync(path);
}

/** A path as it was given, with the last name as the disk spells it: Windows takes other letter cases for the same. */
export function spelledOnDisk(path: string): string {
  if (SYSTEM !== 'windows' || lstatSync(path).isSymbolicLink()) return path;
  return join(dirname(path), basename(realPathOf(path)));
}

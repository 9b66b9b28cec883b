/**
 * Restricts files to their owner. On Unix a file's mode says who may read the file. On Windows the access
 * list of the folder does: a file in the person's profile is open to them, to administrators and to the
 * system, and the mode that Node shows is made up.
 */
import { chmodSync, statSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * Returns the mode that makes a file of this mode usable by its owner only, or undefined if nothing has to
 * change. On Windows nothing does, where a change would fail while another program has the file open.
 */
export function ownersMode(mode: number, system: System = SYSTEM): number | undefined {
  return system === 'windows' || (mode & 0o077) === 0 ? undefined : mode & 0o700;
}

/** Removes all permissions of others from a file, if the file exists and they have any. */
export function keepToOwner(file: string): void {
  const mode = ownersMode(statSync(file, { throwIfNoEntry: false })?.mode ?? 0);
  if (mode !== undefined) chmodSync(file, mode);
}

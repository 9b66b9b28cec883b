/**
 * Restricts files to their owner. On Unix a file's mode says who may read the file. On Windows the access
 * list of the folder does: a file in the person's profile is open to them, to administrators and to the
 * system, and the mode that Node shows is made up.
 */
import { chmodSync, statSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * Returns the file mode `mode` without the permissions of users other than the owner. Returns
 * undefined if the others have none. Always returns undefined on Windows, where a change of the mode
 * fails while another program has the file open.
 */
export function ownersMode(mode: number, system: System = SYSTEM): number | undefined {
  return system === 'windows' || (mode & 0o077) === 0 ? undefined : mode & 0o700;
}

/** Removes all permissions that others have on a file. Does nothing on Windows, or if the file does not exist. */
export function keepToOwner(file: string): void {
  const mode = ownersMode(statSync(file, { throwIfNoEntry: false })?.mode ?? 0);
  if (mode !== undefined) chmodSync(file, mode);
}

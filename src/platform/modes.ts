/**
 * Who may read a file. On Unix its mode says it. On Windows the folder does, by its access list; a file in
 * the person's profile is for them, for administrators and for the system, and a mode that Node shows there
 * is made up.
 */
import { chmodSync, statSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * The mode that a file of this mode is to be given, so that only its owner may use it; undefined where it
 * stays as it is, as on Windows, where changing it fails while another program has the file open.
 */
export function ownersMode(mode: number, system: System = SYSTEM): number | undefined {
  return system === 'windows' || (mode & 0o077) === 0 ? undefined : mode & 0o700;
}

/** Takes everybody else's permissions away, where the file is there and they have some. */
export function keepToOwner(file: string): void {
  const mode = ownersMode(statSync(file, { throwIfNoEntry: false })?.mode ?? 0);
  if (mode !== undefined) chmodSync(file, mode);
}

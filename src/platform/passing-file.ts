/** Files that are gone when nobody has them open any more. */
import { constants, openSync, rmSync } from 'node:fs';
import { SYSTEM } from './system.ts';

/** libuv's own flag for Windows, where an open file keeps its name: it is removed with its last handle. */
export const PASSING = 0x40;

/**
 * Opens a new file for reading and writing that has no name, or loses it with its last handle; programs that are
 * started may be given it. Others cannot read it. @throws the system's error, also where the file is there
 */
export function openPassing(file: string): number {
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  const fd = openSync(
    file,
    O_RDWR | O_CREAT | O_EXCL | (SYSTEM === 'windows' ? PASSING : 0),
    0o600,
  );
  if (SYSTEM !== 'windows') rmSync(file, { force: true });
  return fd;
}

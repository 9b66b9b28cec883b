/** Opens temporary files that are removed when no process has them open any more. */
import { constants, openSync, rmSync } from 'node:fs';
import { SYSTEM } from './system.ts';

/** libuv's flag `UV_FS_O_TEMPORARY` for Windows: a file is removed when its last handle is closed. */
export const PASSING = 0x40;

/**
 * Opens a new file for reading and writing, and returns its descriptor. The file loses its name at once, or
 * on Windows when its last handle is closed. Only the owner can read the file; started programs may be
 * given the descriptor.
 *
 * @throws the system's error, also if the file exists already
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

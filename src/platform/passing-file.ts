/** Opens temporary files that are removed when no process has them open any more. */
import { constants, openSync, rmSync } from 'node:fs';
import { SYSTEM } from './system.ts';

/**
 * A flag for opening a file on Windows: the system removes the file when its last handle is closed. libuv calls
 * the flag `UV_FS_O_TEMPORARY`.
 */
export const DELETE_ON_CLOSE = 0x40;

/**
 * Creates a temporary file, opens it for reading and writing, and returns its descriptor, which may be passed on to
 * started programs. Only the owner can read the file. Its name is removed at once, on Windows when its last handle
 * is closed; the content stays as long as the file is open.
 * @param file the path at which the file is created
 * @throws the system's error, also if a file exists at this path already
 */
export function openTemporaryFile(file: string): number {
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  const fd = openSync(
    file,
    O_RDWR | O_CREAT | O_EXCL | (SYSTEM === 'windows' ? DELETE_ON_CLOSE : 0),
    0o600,
  );
  if (SYSTEM !== 'windows') rmSync(file, { force: true });
  return fd;
}

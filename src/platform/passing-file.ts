/** Opens temporary files that are removed when no process has them open any more. */
import { constants, openSync, rmSync } from 'node:fs';
import { SYSTEM } from './system.ts';

/**
 * A flag for opening a file on Windows: the system removes the file when its last handle is closed. libuv calls
 * the flag `UV_FS_O_TEMPORARY`.
 */
export const DELETE_ON_CLOSE = 0x40;

/**
 * Opens a new temporary file for reading and writing, and returns its descriptor. The file has no
 * name from the beginning (on Windows, it is removed when its last handle is closed), and only its
 * owner can read it. Started programs may be given the descriptor.
 * @throws the system's error, also if a file of this name exists already
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

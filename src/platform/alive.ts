/**
 * Marks a process as alive. On Windows a process id says little, because the system soon gives the id to
 * another process. The mark is an empty file that only its process may open, and that the system removes
 * when the process ends, however it ends.
 */
import { closeSync, constants, mkdirSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { win32 } from 'node:path';
import { DELETE_ON_CLOSE } from './passing-file.ts';

const SIGN = 'alive:';

/** libuv's flag `UV_FS_O_EXLOCK` for Windows, which Node passes on: no other process may open the file. */
const ALONE = 0x1000_0000;

/**
 * Creates a file that other processes find open as long as this process is alive (its sign of life).
 * Returns a text from which `readLifeSign` finds the file. Removes files that dead processes left in the
 * folder.
 *
 * @param folder a folder that contains nothing but such files
 * @param name the file's name, of hexadecimal digits and hyphens
 * @throws the system's error, also if the folder still has a file of this name
 */
export function createLifeSign(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  for (const left of readdirSync(folder))
    try {
      unlinkSync(win32.join(folder, left));
    } catch {
      // Leave a file that cannot be deleted: most likely, the process that made it is still alive and has it
      // open.
    }
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  // Never close this file: that it is open shows other processes that this one is running.
  openSync(win32.join(folder, name), O_RDWR | O_CREAT | O_EXCL | ALONE | DELETE_ON_CLOSE);
  return SIGN + win32.join(folder, name);
}

/** Returns whether a text has the form that `createLifeSign` returns. */
export function isLifeSign(text: string): boolean {
  return text.startsWith(SIGN);
}

/**
 * Returns `working` if the process that created a sign of life is still alive, `gone` if it has ended, and
 * `unknown` if this machine cannot tell.
 *
 * @param text the text that `createLifeSign` returned
 * @param folder the folder for such files of this person on this machine; for a text that names another
 * folder, `unknown` is returned, because a text from a database must not decide which file is opened
 */
export function readLifeSign(text: string, folder: string): 'working' | 'gone' | 'unknown' {
  const file = text.slice(SIGN.length);
  const name = win32.basename(file);
  if (!/^[0-9a-f-]+$/.test(name) || file !== win32.join(folder, name)) return 'unknown';
  try {
    closeSync(openSync(file, 'r'));
    return 'gone';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'gone';
    return code === 'EBUSY' ? 'working' : 'unknown';
  }
}

/**
 * Returns whether a process with this id runs, whoever owns it. On Windows the system soon gives an id to
 * another process, so that the result proves little there.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

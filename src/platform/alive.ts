/**
 * A sign that a process lives, where its number says little because Windows soon gives it to another: an
 * empty file that it alone may open and that the system removes at its end, however it ends.
 */
import { closeSync, constants, mkdirSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { win32 } from 'node:path';
import { PASSING } from './passing-file.ts';

const SIGN = 'alive:';

/** libuv's own flag for Windows, which Node passes on: nobody else may open the file. */
const ALONE = 0x1000_0000;

/**
 * Makes the sign of this process in a folder for signs, where nothing else lies, and removes what a loss of
 * power has left there. Returns the text by which others find it. @throws the system's error
 */
export function giveSign(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  for (const left of readdirSync(folder))
    try {
      unlinkSync(win32.join(folder, left));
    } catch {
      // Its process lives.
    }
  const { O_RDWR, O_CREAT, O_EXCL } = constants;
  // It stays open for as long as the process is.
  openSync(win32.join(folder, name), O_RDWR | O_CREAT | O_EXCL | ALONE | PASSING);
  return SIGN + win32.join(folder, name);
}

/** Whether a text is such a sign. */
export function isSign(text: string): boolean {
  return text.startsWith(SIGN);
}

/**
 * What a sign says of the process that made it. `folder`: that of the signs of this person on this machine;
 * `unknown` where the sign lies elsewhere, since a text from a database is not to decide what is opened.
 */
export function readSign(text: string, folder: string): 'working' | 'gone' | 'unknown' {
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

/** Files that the program writes for a person: whole or not at all, and for nobody else to read. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './folders.ts';

/**
 * Writes beside the file and then takes its place, with the folders that are missing: a link that stands
 * there is replaced and not followed, and a file that others could read is not kept as it was.
 */
export function writeOwn(file: string, text: string): void {
  makeFolder(dirname(file));
  const half = join(dirname(file), `.${basename(file).slice(0, 200)}.${process.pid}`);
  try {
    writeFileSync(half, text, { mode: 0o600, flag: 'wx' });
    renameSync(half, file);
  } finally {
    rmSync(half, { force: true });
  }
}

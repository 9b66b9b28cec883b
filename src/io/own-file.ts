/** Files that the program writes for a person: whole or not at all. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './folders.ts';

/** For nobody else to read: a file that others could read is not kept as it was. */
export function writeOwn(file: string, text: string): void {
  replace(file, text, 0o600);
}

/** For a project, as any other file in it. */
export function writeShared(file: string, text: string): void {
  replace(file, text, 0o666);
}

/**
 * Writes beside the file and then takes its place, with the folders that are missing: a link that stands
 * there is replaced and not followed.
 */
function replace(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  const half = join(dirname(file), `.${basename(file).slice(0, 200)}.${process.pid}`);
  try {
    writeFileSync(half, text, { mode, flag: 'wx' });
    renameSync(half, file);
  } finally {
    rmSync(half, { force: true });
  }
}

/**
 * Folders that are made once in a file of tests and kept in memory. A repository takes several calls of git,
 * and most tests of a file begin with the same repository.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

type Entry =
  | { readonly path: string; readonly mode: number; readonly bytes?: Buffer }
  | { readonly path: string; readonly to: string };

const kept = new Map<string, readonly Entry[]>();

/**
 * Fills a folder: with `make` the first time that a key is used, and afterwards with a copy of what `make`
 * left in it, whose files get new times.
 */
export function makeOnce(key: string, folder: string, make: () => void): void {
  const entries = kept.get(key);
  if (entries === undefined) {
    make();
    kept.set(key, entriesIn(folder));
  } else writeEntries(folder, entries);
}

function entriesIn(folder: string): Entry[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return found.map((path): Entry => {
    const full = join(folder, path);
    const stat = lstatSync(full);
    if (stat.isSymbolicLink()) return { path, to: readlinkSync(full) };
    return stat.isDirectory()
      ? { path, mode: stat.mode }
      : { path, mode: stat.mode, bytes: readFileSync(full) };
  });
}

function writeEntries(folder: string, entries: readonly Entry[]): void {
  for (const entry of entries) {
    const path = join(folder, entry.path);
    if ('to' in entry) symlinkSync(entry.to, path);
    else if (entry.bytes === undefined) mkdirSync(path, { recursive: true, mode: entry.mode });
    else {
      writeFileSync(path, entry.bytes);
      // The umask of this process takes bits from the mode of a new file, so set the mode again.
      chmodSync(path, entry.mode);
    }
  }
}

/**
 * Finds files that changed outside of a working tree while a program ran. Only important places are
 * examined: the person's checkout with its `.git`, the provided files, the settings and hooks of the run's
 * copy, and the files at the top of the person's home. It shows that a file was written, not by whom: the
 * person may have saved it.
 */
import { type Dirent, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from '../../platform/folders.ts';
import { providedIn, type RunFolders } from './place.ts';
import type { WorkingTree } from './working-tree.ts';

/** The examined parts of a repository's own folder. */
const [HOOKS, INFO] = ['hooks', 'info'];
const SETTINGS: ReadonlySet<string> = new Set(['config', 'HEAD']);

const MOST_LOOKED = 100_000;
const MOST_NAMED = 100;

/**
 * Begins to watch for files that a program writes outside its working tree, in important places such
 * as the person's checkout and home. Returns a function that lists the paths that have changed
 * since, sorted and at most 100.
 */
export function watchOutsideTree(place: RunFolders, where: WorkingTree): () => string[] {
  const marker = join(where.folder, 'began');
  writeFileSync(marker, '');
  // Take the time from a new file: the clock of the file system may differ from the machine's.
  const began = statSync(marker).ctimeMs;
  return () => {
    const found: string[] = [];
    const budget = { left: MOST_LOOKED };
    // Of the run's copy of the repository, watch the hooks and settings, but not the objects and refs, which the
    // program itself writes.
    const own = [
      place.repository,
      providedIn(place),
      ...[HOOKS, INFO].map((name) => join(place.gitDir, name)),
    ];
    for (const folder of own) walkFolder(folder, began, budget, found, true);
    for (const folder of [homeOf(place.env), place.gitDir])
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        const isRef = folder === place.gitDir && !SETTINGS.has(entry.name);
        if (entry.isFile() && !isRef && changedAt(path) > began) found.push(path);
      }
    return [...new Set(found)].sort().slice(0, MOST_NAMED);
  };
}

function walkFolder(
  folder: string,
  began: number,
  budget: { left: number },
  found: string[],
  isTop = false,
): void {
  const before = found.length;
  for (const entry of entriesOf(folder)) {
    budget.left -= 1;
    if (budget.left < 0) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!isLeftOut(path)) walkFolder(path, began, budget, found);
    } else if (changedAt(path) > began) found.push(path);
  }
  // If the time of change of a folder is new, but no changed file was found in it, a file was probably removed
  // from it.
  if (!isTop && found.length === before && changedAt(folder) > began) found.push(`${folder}/`);
}

/** Returns whether a folder is skipped: large folders, and copies in progress. */
function isLeftOut(path: string): boolean {
  return /\/(?:node_modules|\.git\/objects|provided\/part-[^/]*)$/.test(path);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that cannot be read, or no longer exists, contains no files to list.
    return [];
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

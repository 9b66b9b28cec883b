/**
 * Files that changed outside of a working tree while a program ran. Only what somebody would mind is
 * looked at: the person's checkout with its `.git`, what is provided for all commands, the settings and
 * hooks of the run's copy, and the files at the top of the person's home. It is seen that a file was
 * written, not by whom: a person may have saved one.
 */
import { type Dirent, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf } from '../../platform/folders.ts';
import { type Place, providedIn } from './place.ts';
import type { WorkingTree } from './working-tree.ts';

/** In a repository: the rest of it is told by other means, or nobody's business. */
const [HOOKS, INFO] = ['hooks', 'info'];
const SETTINGS: ReadonlySet<string> = new Set(['config', 'HEAD']);

const MOST_LOOKED = 100_000;
const MOST_NAMED = 100;

/** Begins to look; the answer names what has changed since. */
export function lookElsewhere(place: Place, where: WorkingTree): () => string[] {
  const marker = join(where.folder, 'began');
  writeFileSync(marker, '');
  // By the clock of the file system, which is not the machine's.
  const began = statSync(marker).ctimeMs;
  return () => {
    const found: string[] = [];
    const budget = { left: MOST_LOOKED };
    // Objects and refs of the copy are written by every step of the run.
    const own = [
      place.repository,
      providedIn(place),
      ...[HOOKS, INFO].map((name) => join(place.gitDir, name)),
    ];
    for (const folder of own) walk(folder, began, budget, found, true);
    for (const folder of [homeOf(place.env), place.gitDir])
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        const isRef = folder === place.gitDir && !SETTINGS.has(entry.name);
        if (entry.isFile() && !isRef && changedAt(path) > began) found.push(path);
      }
    return [...new Set(found)].sort().slice(0, MOST_NAMED);
  };
}

function walk(
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
      if (!isLeftOut(path)) walk(path, began, budget, found);
    } else if (changedAt(path) > began) found.push(path);
  }
  // Something was taken out of it.
  if (!isTop && found.length === before && changedAt(folder) > began) found.push(`${folder}/`);
}

/** What nobody wants to look through, and copies that are just being made. */
function isLeftOut(path: string): boolean {
  return /\/(?:node_modules|\.git\/objects|provided\/part-[^/]*)$/.test(path);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It is gone, or nobody may look.
    return [];
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

/**
 * Where the folders of runs lie, and how they go: everything that a team's work has made is in one folder
 * for each run, so that removing it leaves nothing.
 */
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../io/files.ts';
import { codeOf, lookAt } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';

/** A run's id, and nothing that leads elsewhere. */
const ID = /^[0-9a-zA-Z][0-9a-zA-Z-]{0,80}$/;

/** Where the copy of a run's repository and all that goes with it lies. */
export function workshopFolder(env: Env, run: string): string {
  return join(runFolder(env, run), 'workshop');
}

function runFolder(env: Env, run: string): string {
  if (!ID.test(run)) throw new Error(`not a run's id: ${run.slice(0, 80)}`);
  return join(stateFolder(env), 'runs', run);
}

/** Removes what a run has made on disk. Says whether there was anything. */
export function removeRunFolder(env: Env, run: string): boolean {
  const folder = runFolder(env, run);
  if (lookAt(folder) === undefined) return false;
  removeFolder(folder);
  return true;
}

/**
 * Removes a folder, also where programs took away its owner's right to write to it. Only folders are
 * changed: files may be shared with the person's repository.
 */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENOTEMPTY') throw error;
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFolders(folder: string): void {
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}

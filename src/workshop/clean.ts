/**
 * Where the folders of runs lie, and how they go: everything that a team's work has made is in one folder
 * for each run, so that removing it leaves nothing.
 */
import { join } from 'node:path';
import { stateFolder } from '../io/files.ts';
import { lookAt } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';

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

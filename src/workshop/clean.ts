/**
 * Finds and removes the folders of runs. Everything that a team's work creates is in one folder per run, so
 * removing the folder leaves nothing.
 */
import { join } from 'node:path';
import { stateFolder } from '../io/files.ts';
import { findStatus } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';

/** A run's id, which cannot lead to another folder. */
const ID = /^[0-9a-zA-Z][0-9a-zA-Z-]{0,80}$/;

/**
 * Returns the folder that contains a run's copy of the repository and everything that belongs to
 * the copy.
 */
export function workshopFolder(env: Env, run: string): string {
  return join(runFolder(env, run), 'workshop');
}

function runFolder(env: Env, run: string): string {
  if (!ID.test(run)) throw new Error(`not a run's id: ${run.slice(0, 80)}`);
  return join(stateFolder(env), 'runs', run);
}

/** Removes a run's folder, with its copy of the repository. Returns whether the folder existed. */
export function removeRunFolder(env: Env, run: string): boolean {
  const folder = runFolder(env, run);
  if (findStatus(folder) === undefined) return false;
  removeFolder(folder);
  return true;
}

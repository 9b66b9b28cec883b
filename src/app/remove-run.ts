/** Removes a recorded run, for the command line and the history. */

import { Drafts } from '../io/drafts.ts';
import type { Env } from '../io/tools.ts';
import type { OwnOptions, Store } from '../store/store.ts';
import { removeRunFolder } from '../workshop/clean.ts';

/**
 * Deletes a run together with its drafts and work trees.
 *
 * @throws RunOwnedError if another process may be working on the run; nothing is deleted then
 */
export function removeRun(store: Store, env: Env, run: string, how: OwnOptions = {}): void {
  store.remove(run, how);
  new Drafts(env).forget(run);
  removeRunFolder(env, run);
}

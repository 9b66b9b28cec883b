/** Removes a recorded run, for the command line and the history. */

import { Drafts } from '../io/drafts.ts';
import type { Env } from '../io/tools.ts';
import type { OwnOptions, Store } from '../store/store.ts';
import { removeRunFolder } from '../workshop/clean.ts';

/**
 * Removes a run with everything kept beside it: drafts and work trees.
 * @throws RunOwnedError if another process may be working on it; nothing is removed then
 */
export function removeRun(store: Store, env: Env, run: string, how: OwnOptions = {}): void {
  store.remove(run, how);
  new Drafts(env).forget(run);
  removeRunFolder(env, run);
}

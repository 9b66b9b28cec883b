/** Removing a recorded run, from the command line and from the history's screen. */

import { Drafts } from '../io/drafts.ts';
import type { Env } from '../io/tools.ts';
import type { OwnOptions, Store } from '../store/store.ts';
import { removeRunFolder } from '../workshop/clean.ts';

/**
 * Removes a run with what was kept beside it: what a person was writing for it, and the trees of its work.
 *
 * @throws RunOwnedError while another process may work on it, before anything is gone.
 */
export function removeRun(store: Store, env: Env, run: string, how: OwnOptions = {}): void {
  store.remove(run, how);
  new Drafts(env).forget(run);
  removeRunFolder(env, run);
}

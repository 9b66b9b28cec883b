/** Shows a run that other processes work on in the same displays as any other run. */
import { Bus } from '../../kernel/bus.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { notifyPerson } from './attention.ts';
import { openDisplay } from './display.ts';
import { follow } from './follow.ts';

/**
 * Shows a run that another process works on. Resolves when the person leaves the console or, without a
 * console, when the run is over.
 *
 * @param leave closes the display when it is aborted; the function itself aborts it at the end
 */
export async function showFollowed(
  call: Invocation,
  config: Config,
  store: Store,
  id: string,
  leave: AbortController,
): Promise<void> {
  const there = store.elsewhere.find(id)?.isOver === false;
  const display = await openDisplay(call, store.summary(id).protocol, config.keys);
  const facts = store.facts(id);
  const feed = new Bus();
  const called = notifyPerson(call, config, display.terminal, facts, feed);
  const run = { id, facts, feed, elsewhere: there || store.isOwned(id), leave: leave.signal };
  const copying = there ? copyRun(call, store, id, leave.signal, display.interactive) : undefined;
  await display.show(run, () => follow(store, id, facts.at(-1)?.seq ?? 0, feed, leave.signal));
  // The display has ended, as the run is over or the person left: stop copying the run from its Restate server.
  leave.abort();
  await copying;
  await called();
}

/** Copies a run whose log is at a Restate server. */
async function copyRun(
  { err, flags }: Invocation,
  store: Store,
  id: string,
  signal: AbortSignal,
  isOnScreen: boolean,
): Promise<void> {
  const { follow: followThere } = await import('../elsewhere/mirror.ts');
  await followThere(store, id, signal, (problem) => {
    if (!isOnScreen && !flags.quiet) err.write(`${problem}\n`);
  });
}

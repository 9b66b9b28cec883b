/** Opens the run of an answer in the console to be read. Nothing done there changes the evaluation. */
import type { OwnKeys } from '../../../console/keys/key-lookup.ts';
import { Bus } from '../../../kernel/bus.ts';
import type { Store } from '../../../store/store.ts';
import type { Invocation } from '../../invocation.ts';
import { openDisplay } from '../../run/display.ts';
import { follow } from '../../run/follow.ts';

/**
 * Opens the console with the run behind an answer. Resolves when the person returns, or `leave`
 * aborts.
 */
export async function openCell(
  call: Invocation,
  store: Store,
  run: string,
  keys: OwnKeys | undefined,
  leave: AbortSignal,
): Promise<void> {
  const display = await openDisplay(call, store.summary(run).protocol, keys);
  const facts = store.facts(run);
  const feed = new Bus();
  const gone = new AbortController();
  const signal = AbortSignal.any([leave, gone.signal]);
  const shown = { id: run, facts, feed, elsewhere: store.isOwned(run), returns: true, leave };
  const after = facts.at(-1)?.seq ?? 0;
  let following = Promise.resolve();
  try {
    await display.show(shown, () => {
      following = follow(store, run, after, feed, signal);
      return following;
    });
  } finally {
    gone.abort();
    await following;
  }
}

/** `deliberate watch`: the same displays over a run that another process works on. */

import { leaveOnSignals } from '../../console/terminal/signals.ts';
import { Bus } from '../../kernel/bus.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Invocation } from '../invocation.ts';
import { readConfig } from '../settings/config.ts';
import { openStore } from '../store.ts';
import { startedAs } from '../suggest.ts';
import { callPerson } from './attention.ts';
import { openDisplay } from './display.ts';
import { follow } from './follow.ts';
import { runOf } from './resume.ts';

export async function watch(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const store = openStore(call);
  const leave = new AbortController();
  const stop = (): void => leave.abort();
  const forget = leaveOnSignals(stop);
  call.out.on('error', stop);
  try {
    const ref = runOf(call);
    // Who watches wants to see what goes on.
    const id = (ref === 'latest' ? store.findLive() : undefined) ?? store.find(ref);
    const { protocol, status } = store.summary(id);
    if (status === 'queued' && !call.flags.quiet)
      call.err.write(`run ${shortId(id)} is queued. ${startedAs(call.env)} worker\n`);
    const display = await openDisplay(call, protocol, config.keys);
    const facts = store.facts(id);
    const feed = new Bus();
    const called = callPerson(call, config, display.terminal, facts, feed);
    const run = { id, facts, feed, elsewhere: store.isOwned(id), leave: leave.signal };
    await display.show(run, () => follow(store, id, facts.at(-1)?.seq ?? 0, feed, leave.signal));
    // Whoever has left the console hears no more of it.
    leave.abort();
    await called();
    return 0;
  } finally {
    forget();
    store.close();
  }
}

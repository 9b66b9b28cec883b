/** `deliberate watch`: the same displays over a run that another process works on. */

import { Bus } from '../../kernel/bus.ts';
import { JsonLines } from '../../plain/json-lines.ts';
import { PlainLines } from '../../plain/lines.ts';
import { textNamed, viewNamed } from '../../protocols/table.ts';
import type { Invocation } from '../invocation.ts';
import { readConfig } from '../settings/config.ts';
import { openStore } from '../store.ts';
import { attention } from './attention.ts';
import { displayOf } from './display.ts';
import { follow } from './follow.ts';
import { Desktop } from './outside.ts';
import { runOf } from './resume.ts';

export async function watch(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const store = openStore(call);
  const leave = new AbortController();
  const stop = (): void => leave.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  call.out.on('error', stop);
  try {
    const ref = runOf(call);
    // Who watches wants to see what goes on.
    const id = (ref === 'latest' ? store.findLive() : undefined) ?? store.find(ref);
    const facts = store.facts(id);
    const feed = new Bus();
    const display = displayOf(call);
    const { protocol } = store.summary(id);
    const terminal = display === 'console' ? call.out : call.err;
    const caller = attention({
      bell: config.bell ?? 'never',
      env: call.env,
      write: (text) => terminal.isTTY && terminal.write(text),
      facts,
    });
    if (caller !== undefined) feed.subscribe(caller);
    if (display === 'console') {
      const { openConsole } = await import('../../console/run/start.ts');
      const outside = new Desktop(call, id);
      const window = openConsole({
        view: await viewNamed(protocol),
        subject: { facts, feed, elsewhere: store.isOwned(id) },
        outside,
        screen: call.out,
        stdin: call.stdin,
        env: call.env,
        keys: config.keys ?? {},
      });
      leave.signal.addEventListener('abort', () => window.close());
      void follow(store, id, facts.at(-1)?.seq ?? 0, feed, leave.signal).catch((error: unknown) =>
        window.fail(error),
      );
      await window.closed;
      leave.abort();
      if (!call.flags.quiet) call.err.write(outside.lines(call.err.isTTY));
      return 0;
    }
    const listener =
      display === 'json'
        ? new JsonLines(call.out, id, call.flags.deltas)
        : new PlainLines(
            call.out,
            call.flags.quiet ? { write: () => true } : call.err,
            await textNamed(protocol),
          );
    for (const one of facts) listener.fact(one);
    feed.subscribe({ fact: (one) => listener.fact(one), live: (news) => listener.live(news) });
    await follow(store, id, facts.at(-1)?.seq ?? 0, feed, leave.signal);
    feed.flush();
    return 0;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
    store.close();
  }
}

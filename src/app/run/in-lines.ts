/** A run without a console: plain text for people and pipes, or JSON lines for programs. */
import type { Listener } from '../../kernel/bus.ts';
import { JsonLines } from '../../plain/json-lines.ts';
import { PlainLines } from '../../plain/lines.ts';
import { textNamed } from '../../protocols/table.ts';
import type { Invocation } from '../invocation.ts';
import type { Display } from './display.ts';

export async function inLines(call: Invocation, protocol: string): Promise<Display> {
  const { out, flags } = call;
  const err = flags.quiet ? { write: () => true } : call.err;
  const text = flags.json ? undefined : await textNamed(protocol);
  const listenerFor = (run: string): Required<Listener> =>
    text === undefined ? new JsonLines(out, run, flags.deltas) : new PlainLines(out, err, text);
  return {
    interactive: false,
    terminal: call.err,
    async show({ id, facts, feed }, work) {
      const listener = listenerFor(id);
      // What is known already is shown first, so that the output is whole.
      for (const one of facts) listener.fact(one);
      feed.subscribe(listener);
      await work(Promise.resolve());
    },
  };
}

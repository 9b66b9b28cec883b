/** A run without a console: plain text for people and pipes, or JSON lines for programs. */
import { KERNEL } from '../../kernel/facts.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { JsonLines } from '../../plain/json-lines.ts';
import { type HowToAnswer, PlainLines } from '../../plain/lines.ts';
import { textNamed } from '../../protocols/table.ts';
import { line } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';
import type { Display } from './display.ts';

/** Commands that go on with a run that has answers already. */
const GO_ON: ReadonlySet<string> = new Set(['ask', 'resume', 'resynthesize', 'retry']);

export async function inLines(call: Invocation, protocol: string): Promise<Display> {
  const { out, flags } = call;
  const err = flags.quiet ? { write: () => true } : call.err;
  const text = flags.json ? undefined : await textNamed(protocol);
  return {
    interactive: false,
    terminal: call.err,
    async show({ id, facts, feed }, work) {
      if (text === undefined) {
        const lines = new JsonLines(out, id, flags.deltas);
        for (const one of facts) lines.fact(one);
        feed.subscribe(lines);
      } else {
        const lines = new PlainLines(out, err, text, howToAnswer(call, id, facts));
        // Whoever goes on with a run has seen how it came so far; whoever looks at it has not.
        if (GO_ON.has(call.command)) lines.known(facts);
        else for (const one of facts) lines.fact(one);
        feed.subscribe(lines);
      }
      await work(Promise.resolve());
    },
  };
}

/** Of a run that another process works on. `known`: what was asked and answered before is no question. */
function howToAnswer({ command }: Invocation, run: string, known: readonly AnyFact[]): HowToAnswer {
  const answered = new Set(known.filter(KERNEL.is('gate.answered')).map(({ step }) => step));
  return ({ step, options }) =>
    command !== 'watch' || answered.has(step)
      ? undefined
      : `Answer it with: deliberate answer ${shortId(run)} ${options.map(({ value }) => line(value)).join('|')}`;
}

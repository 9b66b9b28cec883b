/** Shows a run without a console: as plain text, or as JSON lines for programs. */
import { KERNEL } from '../../kernel/facts.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { JsonLines } from '../../plain/json-lines.ts';
import { type HowToAnswer, PlainLines } from '../../plain/lines.ts';
import { toLine } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';
import type { Display } from './display.ts';

/** Commands that continue a run whose earlier answers the person has seen. */
const GO_ON: ReadonlySet<string> = new Set(['ask', 'resume', 'resynthesize', 'retry']);

/**
 * Opens a display that prints a run as plain text or as JSON lines.
 *
 * @param protocol the protocol's name
 * @param asks whether the run's questions to people (gates) are put to the person at the terminal
 */
export async function openLineDisplay(
  call: Invocation,
  protocol: string,
  asks: boolean,
): Promise<Display> {
  const { out, flags } = call;
  const err = flags.quiet ? { write: () => true } : call.err;
  const text = flags.json ? undefined : await call.protocols.loadText(protocol);
  const questions = asks ? await import('./gates-in-lines.ts') : undefined;
  return {
    interactive: false,
    asks,
    terminal: call.err,
    async show({ id, facts, feed, answer }, work) {
      if (text === undefined) {
        const lines = new JsonLines(out, id, flags.deltas);
        for (const fact of facts) lines.fact(fact);
        feed.subscribe(lines);
      } else {
        const lines = new PlainLines(out, err, text, howToAnswer(call, id, facts));
        // A person who continues a run has seen its earlier answers, so do not print them. A person who
        // only watches a run has not.
        if (GO_ON.has(call.command)) lines.known(facts);
        else for (const fact of facts) lines.fact(fact);
        feed.subscribe(lines);
      }
      if (answer === undefined || questions === undefined) return work(Promise.resolve());
      const { promise: broken, reject: fail } = Promise.withResolvers<never>();
      feed.subscribe(
        new questions.GatesInLines({
          streams: call,
          answer,
          // While a question is asked, the terminal is in raw mode, in which Ctrl-C sends no signal, so
          // raise the signal here.
          interrupt: () => process.emit('SIGINT'),
          fail,
          isToldAlready: !flags.quiet,
        }),
      );
      await Promise.race([work(Promise.resolve()), broken]);
    },
  };
}

/**
 * Returns how to answer a run that another process works on.
 * @param known the facts so far; questions answered in them are not shown
 */
function howToAnswer({ command }: Invocation, run: string, known: readonly AnyFact[]): HowToAnswer {
  const answered = new Set(known.filter(KERNEL.is('gate.answered')).map(({ step }) => step));
  return ({ step, options }) =>
    command !== 'watch' || answered.has(step)
      ? undefined
      : `Answer it with: deliberate answer ${shortId(run)} ${options.map(({ value }) => toLine(value)).join('|')}`;
}

/** `deliberate note`: a line in the iteration log of a run, while no process works on it. */
import type { Invocation } from '../app/invocation.ts';
import { nameRun } from '../app/run-of.ts';
import { withStore } from '../app/store.ts';
import { suggest } from '../app/suggest.ts';
import { taking } from '../app/taking.ts';
import { UsageError } from '../kernel/errors.ts';
import { makeIterationFact } from '../kernel/facts.ts';
import { shortId } from '../kernel/short-id.ts';

/** With one word, the line is added to the latest run. */
export function note(call: Invocation): Promise<number> {
  const { words, flags, err } = call;
  const text = words.at(-1);
  if (text === undefined || words.length > 2)
    throw new UsageError(
      'expected a run and one line of text in quotes',
      `Example: ${suggest(call, 'latest "Eight rounds were enough"')}`,
    );
  const noted = makeIterationFact(text);
  return withStore(call, async (store) => {
    const run = store.find(words.length === 2 ? (words[0] ?? '') : 'latest');
    const journal = await taking(call, run, (how) => store.own(run, how));
    try {
      journal.note([noted]);
    } finally {
      journal.release();
    }
    if (flags.quiet) return 0;
    if (words.length === 1) err.write(`${nameRun(run, store)}\n`);
    err.write(`Added to the iteration log of run ${shortId(run)}.\n`);
    return 0;
  });
}

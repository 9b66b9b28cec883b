/** `deliberate note`: adds a line to the iteration log of a run that no process is working on. */
import type { Invocation } from '../app/invocation.ts';
import { findRunBeforeText, nameRun } from '../app/run-of.ts';
import { withRecorded } from '../app/store.ts';
import { formatCommand } from '../app/suggest.ts';
import { withTakeover } from '../app/taking.ts';
import { UsageError } from '../kernel/errors.ts';
import { makeIterationFact } from '../kernel/facts.ts';
import { shortId } from '../kernel/short-id.ts';

/**
 * Runs `deliberate note`: adds a person's line to the iteration log of a run that no process works on,
 * by default the latest run. Resolves to the exit code.
 */
export function note(call: Invocation): Promise<number> {
  const { words, flags, err } = call;
  const text = words.at(-1);
  const missing = new UsageError(
    'expected a run and one line of text in quotes',
    `Example: ${formatCommand(call, 'latest "Eight rounds were enough"')}`,
  );
  if (text === undefined || words.length > 2) throw missing;
  const noted = makeIterationFact(text);
  return withRecorded(call, async (store) => {
    const run = findRunBeforeText(words, store, missing);
    const journal = await withTakeover(call, run, (how) => store.own(run, how));
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

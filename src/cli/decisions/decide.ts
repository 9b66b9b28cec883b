/** `deliberate decide`: records what was decided on a run. A later decision supersedes an earlier one. */

import { makeDecision } from '../../app/decisions/decide.ts';
import type { Invocation } from '../../app/invocation.ts';
import { findRunBeforeText, nameRun } from '../../app/run-of.ts';
import { withRecorded } from '../../app/store.ts';
import { formatCommand, getStartCommand } from '../../app/suggest.ts';
import { withTakeover } from '../../app/taking.ts';
import { UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { jsonLine } from '../../plain/json-lines.ts';

/**
 * Runs `deliberate decide`: records a decision on a run, by default the latest. Resolves to the
 * exit code.
 */
export function decide(call: Invocation): Promise<number> {
  const { words, flags, err, out } = call;
  const text = words.at(-1);
  const missing = new UsageError(
    'expected a run and one line that says what was decided',
    `Example: ${formatCommand(call, 'latest "Split billing first" --review 90d')}`,
  );
  if (text === undefined || words.length > 2) throw missing;
  const { option, review, note, notRecommended } = flags;
  const wish = { text, option, review, note, by: flags.by, follows: !notRecommended };
  return withRecorded(call, async (store) => {
    const run = findRunBeforeText(words, store, missing);
    const journal = await withTakeover(call, run, (how) => store.own(run, how));
    try {
      const taken = await makeDecision(call.protocols, journal.facts(), wish);
      const [written] = journal.note([taken]);
      if (flags.json && written !== undefined) out.write(jsonLine(written));
      if (flags.quiet) return 0;
      if (words.length === 1) err.write(`${nameRun(run, store)}\n`);
      const id = shortId(run);
      const before = taken.number > 1 ? `, in place of decision ${taken.number - 1}` : '';
      const again = taken.review === undefined ? '' : ` It is due again on ${taken.review}.`;
      err.write(`Decision ${taken.number} on run ${id} is recorded${before}.${again}\n`);
      err.write(`${getStartCommand(call.env)} export ${id} --format adr --to docs/adr\n`);
      return 0;
    } finally {
      journal.release();
    }
  });
}

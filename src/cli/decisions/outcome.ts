/** `deliberate outcome`: records what a person saw of a claim. The claim's status in the record stays. */
import { recordDecisionFacts } from '../../app/decisions/record.ts';
import type { Invocation } from '../../app/invocation.ts';
import { nameRun } from '../../app/run-of.ts';
import { withRecorded } from '../../app/store.ts';
import { formatCommand } from '../../app/suggest.ts';
import { observeClaim } from '../../decisions/taking.ts';
import { UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { jsonLine } from '../../plain/json-lines.ts';

/**
 * Runs `deliberate outcome`: records what a person saw of the claim that `--claim` names: that it held
 * or failed. Resolves to the exit code.
 */
export function outcome(call: Invocation): Promise<number> {
  const { words, flags, out, err } = call;
  const said = words.at(-1);
  const { claim, note, evidence, by } = flags;
  if (said === undefined || words.length > 2 || claim === undefined)
    throw new UsageError(
      'expected a run, --claim with its id, and held or failed',
      `Example: ${formatCommand(call, 'latest --claim C-1-2 held --note "…"')}`,
    );
  return withRecorded(call, async (store) => {
    const run = store.find(words.length === 2 ? (words[0] ?? '') : 'latest');
    const written = await recordDecisionFacts(call, store, run, () => [
      observeClaim(store.claimIds(run), claim, { outcome: said, note, evidence, by }),
    ]);
    if (flags.json) for (const fact of written) out.write(jsonLine(fact));
    if (flags.quiet) return 0;
    if (words.length === 1) err.write(`${nameRun(run, store)}\n`);
    err.write(`Recorded on run ${shortId(run)}. The claim's status stays as it was.\n`);
    return 0;
  });
}

/** `deliberate track`: shows what models predicted, and what came true. */
import type { Invocation } from '../../app/invocation.ts';
import { withRecorded } from '../../app/store.ts';
import { readTrackedRuns } from '../../app/track/read.ts';
import { trackLines } from '../../app/track/sheet.ts';
import { trackPairs, trackRows } from '../../evaluation/track/runs.ts';
import { UsageError } from '../../kernel/errors.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { TRACK_GROUPINGS } from '../../text/usage-table.ts';
import { parseSince } from '../usage.ts';

/**
 * Runs `deliberate track`: prints what each model (or role, lineage or protocol, with `--by`)
 * predicted, and what came true. Resolves to the exit code.
 */
export async function track(call: Invocation): Promise<number> {
  const { flags, out, words } = call;
  if (words.length > 0)
    throw new UsageError('track takes no arguments', 'Example: deliberate track --by lineage');
  const given = flags.by ?? 'model';
  const by = TRACK_GROUPINGS.find((grouping) => grouping === given);
  if (by === undefined)
    throw new UsageError(`--by ${given}: a track record is by ${TRACK_GROUPINGS.join(', ')}`);
  const since = flags.since === undefined ? undefined : parseSince(flags.since, Date.now());
  const runs = await withRecorded(call, async (store) => readTrackedRuns(store, since));
  const [rows, pairs] = [trackRows(runs, by), trackPairs(runs, by)];
  if (flags.json) out.write(jsonLine({ by, since: since ?? null, rows, pairs }));
  else for (const row of trackLines(rows, by, pairs)) out.write(`${row}\n`);
  return 0;
}

/** `deliberate usage`: prints what was spent in tokens, dollars and time. */
import type { TypedCall } from '../app/typed-call.ts';
import { databaseFile } from '../io/files.ts';
import { UsageError } from '../kernel/errors.ts';
import { alignColumns } from '../plain/columns.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { Catalog } from '../store/catalog.ts';
import { totalOf } from '../store/usage.ts';
import { formatUnpriced, GROUPINGS, usageCells, usageHead } from '../text/usage-table.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['h', DAY_MS / 24],
  ['d', DAY_MS],
  ['w', 7 * DAY_MS],
]);

/**
 * Runs `deliberate usage`: prints the calls, tokens, cost and time of all runs, summed by `--by` (by
 * default by model) and without the stand-in. Resolves to the exit code.
 */
export async function usage(call: TypedCall): Promise<number> {
  const { err, flags, out, words } = call;
  if (words.length > 0)
    throw new UsageError('usage takes no arguments', 'Example: deliberate usage --since 30d');
  const by = groupingOf(flags.by);
  const since = flags.since === undefined ? undefined : parseSince(flags.since, Date.now());
  const store = Catalog.openCatalog(databaseFile(call));
  try {
    const rows = store.usage(by, since);
    const total = totalOf(rows);
    if (flags.json) out.write(jsonLine({ by, since: since ?? null, rows, total }));
    else if (rows.length === 0) err.write('No model was called; the stand-in does not count.\n');
    else {
      const cells = [...rows, total].map(usageCells);
      for (const row of alignColumns([usageHead(by), ...cells])) out.write(`${row}\n`);
      const unpriced = formatUnpriced(total);
      if (unpriced !== undefined && !flags.quiet) err.write(`${unpriced}\n`);
    }
    return 0;
  } finally {
    store.close();
  }
}

/**
 * Parses the grouping of `--by`; undefined means `model`.
 * @throws UsageError if there is no such grouping
 */
function groupingOf(given: string | undefined): (typeof GROUPINGS)[number] {
  const found = GROUPINGS.find((grouping) => grouping === (given ?? 'model'));
  if (found === undefined) throw new UsageError(`--by: expected ${GROUPINGS.join(', ')}`);
  return found;
}

/**
 * Parses a time span before now, such as `30d`, `12h` or `4w`, or a date such as `2026-11-01`.
 * Returns the time in ISO 8601.
 *
 * @param now milliseconds since 1970
 * @throws UsageError if the text has another form
 */
export function parseSince(text: string, now: number): string {
  const [, count = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text.trim()) ?? [];
  const length = UNITS.get(unit);
  const time =
    length === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}/.test(text.trim()) ? text.trim() : '')
      : now - Number(count) * length;
  const date = new Date(time);
  if (Number.isNaN(date.getTime()))
    throw new UsageError(
      `--since ${text}: expected a span or a date`,
      'Use 12h, 30d, 4w or 2026-11-01.',
    );
  return date.toISOString();
}

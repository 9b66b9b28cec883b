/** `deliberate usage`: what was spent, in tokens, dollars and time. */
import type { Invocation } from '../app/invocation.ts';
import { databaseFile } from '../io/files.ts';
import { UsageError } from '../kernel/errors.ts';
import { columns } from '../plain/columns.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { Catalog } from '../store/catalog.ts';
import { totalOf, type Usage } from '../store/usage.ts';
import { line } from '../text/line.ts';
import { formatMs, formatTokens, formatUsd, plural } from '../text/numbers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['h', DAY_MS / 24],
  ['d', DAY_MS],
  ['w', 7 * DAY_MS],
]);

export async function usage(call: Invocation): Promise<number> {
  const { err, flags, out, words } = call;
  if (words.length > 0)
    throw new UsageError('usage takes no arguments', 'Example: deliberate usage --since 30d');
  const by = flags.by ?? 'model';
  const since = flags.since === undefined ? undefined : parseSince(flags.since, Date.now());
  const store = Catalog.openCatalog(databaseFile(call));
  try {
    const rows = store.usage(by, since);
    const total = totalOf(rows);
    if (flags.json) out.write(jsonLine({ by, since: since ?? null, rows, total }));
    else if (rows.length === 0) err.write('No calls.\n');
    else {
      const head = [by.toUpperCase(), 'CALLS', 'IN', 'OUT', 'TIME', 'COST'];
      const cells = [...rows, total].map((row) => cellsOf(row));
      for (const row of columns([head, ...cells])) out.write(`${row}\n`);
      if (total.unpricedCalls > 0 && !flags.quiet)
        err.write(
          `${plural(total.unpricedCalls, 'call')} without a known price, not in COST: ${formatTokens(total.unpricedIn)} tokens in, ${formatTokens(total.unpricedOut)} out.\n`,
        );
    }
    return 0;
  } finally {
    store.close();
  }
}

function cellsOf(row: Usage): string[] {
  const estimated = row.estimated === 1;
  return [
    line(row.key),
    String(row.calls),
    formatTokens(row.tokensIn, estimated),
    formatTokens(row.tokensOut, estimated),
    formatMs(row.ms),
    costOf(row),
  ];
}

/** `$1.20`, `$1.20 + 3 unpriced`, or `unknown` where no call has a price. */
function costOf({ pricedCalls, usd, unpricedCalls, estimated }: Usage): string {
  if (unpricedCalls > 0 && pricedCalls === 0) return 'unknown';
  const known = formatUsd(usd, estimated === 1);
  return unpricedCalls === 0 ? known : `${known} + ${unpricedCalls} unpriced`;
}

/**
 * Parses `30d`, `12h`, `4w`, or a date such as `2026-11-01`, to a time in ISO 8601.
 *
 * @throws UsageError
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

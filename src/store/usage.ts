/** Sums the usage of calls in SQL, without reading runs. */
import type Database from 'better-sqlite3';
import type { Grouping, Usage } from '../text/usage-table.ts';

const KEYS: Readonly<Record<Grouping, string>> = {
  model: `provider || '/' || model`,
  server: 'provider',
  protocol: '(SELECT protocol FROM run WHERE run.id = calls.run_id)',
  day: 'substr(at, 1, 10)',
};

/**
 * Returns the usage for each model, server, protocol or day. Days are in chronological order; other
 * rows are in order of cost, the highest first. Calls that the stand-in answered and calls that a
 * fork copied from its parent run are left out.
 *
 * @param since ISO 8601: counts only calls that ended at this time or later
 */
export function readUsage(db: Database.Database, by: Grouping, since = ''): Usage[] {
  // A call that used no tokens, such as a failed one, does not count as unpriced, since it costs nothing.
  const unpriced = '(cost_usd IS NULL AND tokens_in + tokens_out > 0)';
  return db
    .prepare<[string], Usage>(
      `SELECT ${KEYS[by]} AS key, count(*) AS calls,
        sum(tokens_in) AS tokensIn, sum(tokens_out) AS tokensOut, sum(cached) AS cached,
        coalesce(sum(latency_ms), 0) AS ms, coalesce(sum(cost_usd), 0) AS usd,
        max(estimated) AS estimated, count(cost_usd) AS pricedCalls, sum(${unpriced}) AS unpricedCalls,
        sum(CASE WHEN ${unpriced} THEN tokens_in ELSE 0 END) AS unpricedIn,
        sum(CASE WHEN ${unpriced} THEN tokens_out ELSE 0 END) AS unpricedOut
      FROM calls WHERE NOT inherited AND rehearsal IS NOT 1 AND at >= ?
      GROUP BY key
      ORDER BY ${by === 'day' ? 'key' : 'usd DESC, tokensIn + tokensOut DESC, key'}`,
    )
    .all(since);
}

/** Returns the sum of all rows, under the key `total`. */
export function totalOf(rows: readonly Usage[]): Usage {
  const sumField = (field: Exclude<keyof Usage, 'key' | 'estimated'>): number =>
    rows.reduce((total, row) => total + row[field], 0);
  return {
    key: 'total',
    calls: sumField('calls'),
    tokensIn: sumField('tokensIn'),
    tokensOut: sumField('tokensOut'),
    cached: sumField('cached'),
    ms: sumField('ms'),
    usd: sumField('usd'),
    estimated: rows.some(({ estimated }) => estimated === 1) ? 1 : 0,
    pricedCalls: sumField('pricedCalls'),
    unpricedCalls: sumField('unpricedCalls'),
    unpricedIn: sumField('unpricedIn'),
    unpricedOut: sumField('unpricedOut'),
  };
}

/** What calls took as cells of a table: for the command line and for the console. */
import { line } from './line.ts';
import { formatMs, formatTokens, formatUsd, plural } from './numbers.ts';

/** What sums can be made by. */
export const GROUPINGS = ['model', 'server', 'protocol', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What a track record can be grouped by. */
export const TRACK_GROUPINGS = ['model', 'lineage', 'role', 'protocol'] as const;
export type TrackGrouping = (typeof TRACK_GROUPINGS)[number];

/** A sum over calls. What a fork took over from its parent was paid there and is in no sum. */
export interface Usage {
  /** A model with its server, a server, a protocol, or a day in UTC. */
  readonly key: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Of tokensIn, those that were read from a cache. */
  readonly cached: number;
  /** Milliseconds that the calls took; they may have run side by side. */
  readonly ms: number;
  /** US dollars of the calls that have a price. */
  readonly usd: number;
  /** 1 where a part of the sum is an estimate. */
  readonly estimated: 0 | 1;
  readonly pricedCalls: number;
  /** Calls whose price is not known, and their tokens: they are in no dollars. */
  readonly unpricedCalls: number;
  readonly unpricedIn: number;
  readonly unpricedOut: number;
}

/** The heads of the columns whose cells `usageCells` returns. */
export function usageHead(by: Grouping): string[] {
  return [by.toUpperCase(), 'CALLS', 'IN', 'OUT', 'TIME', 'COST'];
}

/** A sum as clean cells, one line each. */
export function usageCells(row: Usage): string[] {
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

/** A sentence on the calls that are in no dollars; undefined where all have a price. */
export function sayUnpriced(total: Usage): string | undefined {
  if (total.unpricedCalls === 0) return undefined;
  const { unpricedCalls, unpricedIn, unpricedOut } = total;
  return `${plural(unpricedCalls, 'call')} without a known price, not in COST: ${formatTokens(unpricedIn)} tokens in, ${formatTokens(unpricedOut)} out.`;
}

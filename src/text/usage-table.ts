/** Formats the usage of calls as cells of a table, for the command line and for the console. */
import { line } from './line.ts';
import { formatMs, formatTokens, formatUsd, plural } from './numbers.ts';

/** What usage can be grouped by. */
export const GROUPINGS = ['model', 'server', 'protocol', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What a track record can be grouped by. */
export const TRACK_GROUPINGS = ['model', 'lineage', 'role', 'protocol'] as const;
export type TrackGrouping = (typeof TRACK_GROUPINGS)[number];

/** The usage of a group of calls. Calls that a fork inherited count for its parent alone. */
export interface Usage {
  /** The group: a model with its server, a server, a protocol, or a day in UTC. */
  readonly key: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** How many of `tokensIn` were read from a cache. */
  readonly cached: number;
  /** The sum of the calls' durations in milliseconds; calls can overlap. */
  readonly ms: number;
  /** US dollars of the calls whose price is known. */
  readonly usd: number;
  /** 1 if part of the sum is an estimate. */
  readonly estimated: 0 | 1;
  readonly pricedCalls: number;
  /** Calls without a known price, which `usd` leaves out; their tokens follow. */
  readonly unpricedCalls: number;
  readonly unpricedIn: number;
  readonly unpricedOut: number;
}

/** Returns the column heads for the cells of `usageCells`. */
export function usageHead(by: Grouping): string[] {
  return [by.toUpperCase(), 'CALLS', 'IN', 'OUT', 'TIME', 'COST'];
}

/** Returns a row's cells, each one line without control characters. */
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

/** Formats a row's cost: `$1.20`, `$1.20 + 3 unpriced`, or `unknown` if no call has a price. */
function costOf({ pricedCalls, usd, unpricedCalls, estimated }: Usage): string {
  if (unpricedCalls > 0 && pricedCalls === 0) return 'unknown';
  const known = formatUsd(usd, estimated === 1);
  return unpricedCalls === 0 ? known : `${known} + ${unpricedCalls} unpriced`;
}

/** Returns a sentence on the calls without a known price; undefined if there are none. */
export function formatUnpriced(total: Usage): string | undefined {
  if (total.unpricedCalls === 0) return undefined;
  const { unpricedCalls, unpricedIn, unpricedOut } = total;
  return `${plural(unpricedCalls, 'call')} without a known price, not in COST: ${formatTokens(unpricedIn)} tokens in, ${formatTokens(unpricedOut)} out.`;
}

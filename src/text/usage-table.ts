/** Formats the usage of calls as cells of a table, for the command line and for the console. */
import { toLine } from './line.ts';
import { formatCount, formatMs, formatTokens, formatUsd } from './numbers.ts';

/** The ways in which the usage of calls can be grouped. */
export const GROUPINGS = ['model', 'server', 'protocol', 'day'] as const;
/** A way in which the usage of calls can be grouped. */
export type Grouping = (typeof GROUPINGS)[number];

/**
 * The ways in which predictions can be grouped to count how often they came true. `lineage` is the
 * family of models.
 */
export const TRACK_GROUPINGS = ['model', 'lineage', 'role', 'protocol'] as const;
/** A way in which predictions can be grouped to count how often they came true. */
export type TrackGrouping = (typeof TRACK_GROUPINGS)[number];

/**
 * The usage of a group of calls. A call that a fork copied counts only for the run that paid for
 * it.
 */
export interface Usage {
  /** The name of the group: a model with its server, a server, a protocol, or a day in UTC. */
  readonly key: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** The part of `tokensIn` that was read from a cache. */
  readonly cached: number;
  /** The sum of the durations of the calls, in milliseconds. Calls can overlap. */
  readonly ms: number;
  /** US dollars of the calls whose price is known. */
  readonly usd: number;
  /** 1 if the figures contain estimates, otherwise 0. */
  readonly estimated: 0 | 1;
  /** The number of calls with a known price. */
  readonly pricedCalls: number;
  /** The number of calls that used tokens and have no known price; `usd` leaves them out. */
  readonly unpricedCalls: number;
  /** The input tokens of the calls without a known price. */
  readonly unpricedIn: number;
  /** The output tokens of the calls without a known price. */
  readonly unpricedOut: number;
}

/** Returns the headings of the columns of `usageCells`. */
export function usageHead(by: Grouping): string[] {
  return [by.toUpperCase(), 'CALLS', 'IN', 'OUT', 'TIME', 'COST'];
}

/** Formats usage as the cells of a table's row, in the order of `usageHead`. */
export function usageCells(row: Usage): string[] {
  const estimated = row.estimated === 1;
  return [
    toLine(row.key),
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
  return `${formatCount(unpricedCalls, 'call')} without a known price, not in COST: ${formatTokens(unpricedIn)} tokens in, ${formatTokens(unpricedOut)} out.`;
}

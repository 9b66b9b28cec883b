/**
 * Finds whether estimates form two camps with nobody in the middle, or one seat is far from all others. Values
 * are on the agreed scale, so that distances are comparable.
 */
import { compareText, sortNumbers } from '../order.ts';

export interface Interval {
  readonly seat: string;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

export interface Camps {
  /** Names of seats, sorted. */
  readonly low: readonly string[];
  readonly high: readonly string[];
  /** Seats whose interval spans the gap. */
  readonly between: readonly string[];
}

/** How many seats make a camp; a single seat is an outlier (docs/methods.md). */
const LEAST = 2;

/**
 * Returns two camps: at least two seats on each side whose intervals do not overlap, and fewer seats between
 * them than in either. Of several divisions, the one with the fewest seats between is returned, then the one
 * with the widest gap, then the lowest.
 */
export function findCamps(intervals: readonly Interval[]): Camps | undefined {
  let best: { low: Interval[]; high: Interval[]; between: Interval[]; gap: number } | undefined;
  for (const edge of sortNumbers(intervals.map(({ p95 }) => p95))) {
    const low = intervals.filter(({ p95 }) => p95 <= edge);
    const high = intervals.filter(({ p5 }) => p5 > edge);
    const between = intervals.filter(({ p5, p95 }) => p5 <= edge && p95 > edge);
    if (Math.min(low.length, high.length) < LEAST) continue;
    if (between.length >= Math.min(low.length, high.length)) continue;
    const gap = Math.min(...high.map(({ p5 }) => p5)) - edge;
    const better =
      best === undefined ||
      between.length < best.between.length ||
      (between.length === best.between.length && gap > best.gap);
    if (better) best = { low, high, between, gap };
  }
  if (best === undefined) return undefined;
  return { low: names(best.low), high: names(best.high), between: names(best.between) };
}

/**
 * Returns the seat that is an outlier: all others, at least two, are on one side of it, and the gap to the
 * nearest is wider than the range of all the others. Without the last condition every seat at an end would be
 * an outlier if intervals are narrow.
 */
export function findOutlier(intervals: readonly Interval[]): string | undefined {
  const alone = intervals.filter((one) => {
    const others = intervals.filter((other) => other !== one);
    if (others.length < LEAST) return false;
    const low = Math.min(...others.map(({ p5 }) => p5));
    const high = Math.max(...others.map(({ p95 }) => p95));
    const gap = Math.max(one.p5 - high, low - one.p95);
    return gap > 0 && gap > high - low;
  });
  return alone.length === 1 ? alone[0]?.seat : undefined;
}

function names(intervals: readonly Interval[]): string[] {
  return intervals.map(({ seat }) => seat).sort(compareText);
}

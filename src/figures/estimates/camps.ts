/**
 * Whether estimates stand in two camps, whose middle nobody holds, or one seat stands alone. Values are
 * on the scale that was agreed, so that distances can be compared.
 */
import { compareText, sortNumbers } from '../order.ts';

export interface Interval {
  readonly seat: string;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

export interface Camps {
  /** By name. */
  readonly low: readonly string[];
  readonly high: readonly string[];
  /** Whose interval reaches over the gap. */
  readonly between: readonly string[];
}

/** One seat on a side is an outlier, two are a camp (methods.md). */
const LEAST = 2;

/**
 * Two camps: at least two seats on each side whose intervals lie apart, and fewer seats between them
 * than in either. Of several ways to part them the one with fewest between, then with the widest gap,
 * then the lowest.
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
 * The one seat that stands alone: all others on one side of it, at least two, and the gap to the nearest
 * of them wider than all of theirs together. With narrow intervals every seat at an end would be one
 * without that.
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

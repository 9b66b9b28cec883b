/**
 * Finds whether estimates form two camps with nobody in the middle, or one seat is far from all others. Values
 * are on the agreed scale, so that distances are comparable.
 */
import { compareText, sortNumbers } from '../order.ts';

/**
 * A seat's estimate as three quantiles: 5 %, 50 % (the median) and 95 %. On a logarithmic scale, the values
 * are logarithms.
 */
export interface Interval {
  readonly seat: string;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

/** Two groups of seats whose estimates, from the 5 % to the 95 % quantile, do not overlap. */
export interface Camps {
  /** Ids of the seats with the lower estimates, sorted. */
  readonly low: readonly string[];
  /** Ids of the seats with the higher estimates, sorted. */
  readonly high: readonly string[];
  /** Ids of the seats whose estimate overlaps both groups, sorted. */
  readonly between: readonly string[];
}

/** How many seats make a camp; a single seat is an outlier (docs/methods.md). */
const LEAST = 2;

/**
 * Divides the seats into two groups (camps) whose estimates (5 % to 95 %) do not overlap. Each camp has at least
 * two seats, and fewer seats lie between the camps than in either camp. Of several divisions, the
 * one with the fewest seats between is chosen, then the widest gap, then the lowest values. Returns
 * undefined if there is no such division.
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
  return { low: listSeats(best.low), high: listSeats(best.high), between: listSeats(best.between) };
}

/**
 * Returns the id of the seat whose estimate lies far from all others: the gap between this estimate and
 * the nearest other one is wider than the range of all other estimates, from the lowest 5 % to the highest
 * 95 % quantile. Returns undefined if there is no such seat, or if there are fewer than three seats.
 */
export function findOutlier(intervals: readonly Interval[]): string | undefined {
  const alone = intervals.filter((interval) => {
    const others = intervals.filter((other) => other !== interval);
    if (others.length < LEAST) return false;
    const low = Math.min(...others.map(({ p5 }) => p5));
    const high = Math.max(...others.map(({ p95 }) => p95));
    const gap = Math.max(interval.p5 - high, low - interval.p95);
    return gap > 0 && gap > high - low;
  });
  return alone.length === 1 ? alone[0]?.seat : undefined;
}

function listSeats(intervals: readonly Interval[]): string[] {
  return intervals.map(({ seat }) => seat).sort(compareText);
}

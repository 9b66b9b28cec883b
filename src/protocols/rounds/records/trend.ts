/** The few statistical functions that signals and failure modes need. */

/** The tolerance for comparing sums and slopes of small counts. */
export const EPSILON = 1e-9;

/** Returns the mean of the values, or 0 if there are none. */
export function computeMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : addUp(values) / values.length;
}

/** Returns the sum of the values. */
export function addUp(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the sums of every `width` neighboring values, in order. Empty if there are fewer values. */
export function computeRollingSums(values: readonly number[], width: number): number[] {
  return values.slice(width - 1).map((_, at) => addUp(values.slice(at, at + width)));
}

/** A value at a position, such as a round. */
export interface Point {
  /** The position. */
  readonly at: number;
  readonly value: number;
}

/**
 * Returns the slope of the least-squares line through the points, or 0 if fewer than two positions
 * are given.
 */
export function computeSlope(points: readonly Point[]): number {
  const middle = computeMean(points.map(({ at }) => at));
  const spread = addUp(points.map(({ at }) => (at - middle) ** 2));
  if (spread === 0) return 0;
  return addUp(points.map(({ at, value }) => (at - middle) * value)) / spread;
}

/**
 * Returns the Shannon entropy of a distribution of counts, in bits: log2 of N if all counts that are
 * not 0 are equal and there are N of them; 0 if all counts are 0.
 */
export function computeEntropy(counts: readonly number[]): number {
  const total = addUp(counts);
  if (total === 0) return 0;
  return addUp(
    counts.map((count) => (count === 0 ? 0 : -(count / total) * Math.log2(count / total))),
  );
}

/** Formats a number with at most two decimal places. */
export function formatFigure(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

/** Formats a share from 0 to 1 as a percentage: `30 %`. */
export function formatPercent(fraction: number): string {
  return `${formatFigure(fraction * 100)} %`;
}

/** The little statistics that signals and failure modes need. */

/** Sums and slopes of small counts are exact up to this. */
export const EPSILON = 1e-9;

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Sums over every `width` neighbours. */
export function rollingSums(values: readonly number[], width: number): number[] {
  return values.slice(width - 1).map((_, at) => sum(values.slice(at, at + width)));
}

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** The slope of the least-squares line through points; 0 where they lie at fewer than two places. */
export function slopeThrough(points: readonly Point[]): number {
  const middle = mean(points.map(({ at }) => at));
  const spread = sum(points.map(({ at }) => (at - middle) ** 2));
  if (spread === 0) return 0;
  return sum(points.map(({ at, value }) => (at - middle) * value)) / spread;
}

/** Shannon entropy of a distribution given by counts, in bits: log2 of N where N share evenly. */
export function entropy(counts: readonly number[]): number {
  const total = sum(counts);
  if (total === 0) return 0;
  return sum(
    counts.map((count) => (count === 0 ? 0 : -(count / total) * Math.log2(count / total))),
  );
}

/** A number as a sentence shows it: at most two decimals. */
export function figure(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

export function percent(fraction: number): string {
  return `${figure(fraction * 100)} %`;
}

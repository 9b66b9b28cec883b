/**
 * Means over units, and how far they can be trusted: the bootstrap over units, and the test that flips
 * the signs of units. Both are exact (`lattice.ts`). With one repetition, the test is McNemar's.
 */
import { CONFIDENCE, upperBound } from './exact.ts';
import { add, addUp, beyond, type Distribution, drawFrom, quantile } from './lattice.ts';

export interface Mean {
  readonly units: number;
  /** 0 where there are no units. */
  readonly mean: number;
  /** 95 %, from resampled units. */
  readonly low: number;
  readonly high: number;
}

/** Of what one arm has over another, unit by unit. */
export interface Difference extends Mean {
  /** Two-sided: how often signs given by chance bring a mean as far from 0. */
  readonly p: number;
  /** Units in which the first arm did better, and worse. */
  readonly better: number;
  readonly worse: number;
  /** The mean of the squares: with one repetition, the share of units in which they differ. */
  readonly spread: number;
}

/**
 * Values fall on parts of a hundred-and-twentieth: exactly so for one to six repetitions, also of
 * half points. With seven, a unit moves by 0.4 points at most, up or down.
 */
const PARTS = 120;

/** `low`, `high`: what a value can be at all. */
export function meanOf(values: readonly number[], [low, high] = [0, 1]): Mean {
  const mean = average(values);
  const interval = intervalOf(values, mean);
  return {
    units: values.length,
    mean,
    low: Math.max(low, interval[0]),
    high: Math.min(high, interval[1]),
  };
}

export function differenceOf(differences: readonly number[]): Difference {
  const mean = average(differences);
  const [low, high] = intervalOf(differences, mean);
  return {
    units: differences.length,
    mean,
    low,
    high,
    p: flipSigns(differences),
    better: differences.filter((one) => one > 0).length,
    worse: differences.filter((one) => one < 0).length,
    spread: average(differences.map((one) => one * one)),
  };
}

export function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
}

function intervalOf(values: readonly number[], mean: number): [number, number] {
  const count = values.length;
  if (count === 0) return [-Infinity, Infinity];
  // Units that are all alike have not shown that there are no others.
  if (values.every((one) => one === values[0])) {
    const bound = upperBound(0, count);
    return [mean - bound, mean + bound];
  }
  const { steps, step } = onGrid(values);
  const sums = addUp(drawFrom(steps), count);
  const rest = (1 - CONFIDENCE) / 2;
  return [(quantile(sums, rest) * step) / count, (quantile(sums, 1 - rest) * step) / count];
}

function flipSigns(differences: readonly number[]): number {
  const { steps } = onGrid(differences);
  const often = new Map<number, number>();
  for (const one of steps)
    if (one !== 0) often.set(Math.abs(one), (often.get(Math.abs(one)) ?? 0) + 1);
  let all: Distribution | undefined;
  for (const [size, count] of often) {
    const flipped = addUp(drawFrom([-size, size]), count);
    all = all === undefined ? flipped : add(all, flipped);
  }
  const seen = steps.reduce((sum, one) => sum + one, 0);
  return all === undefined ? 1 : beyond(all, Math.abs(seen));
}

/** The values in whole steps, as large as they allow. */
function onGrid(values: readonly number[]): { steps: number[]; step: number } {
  const parts = values.map((one) => Math.round(one * PARTS));
  const largest = parts.reduce(commonDivisor, 0) || 1;
  return { steps: parts.map((one) => one / largest), step: largest / PARTS };
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? Math.abs(one) : commonDivisor(other, one % other);
}

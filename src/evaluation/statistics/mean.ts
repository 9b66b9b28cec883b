/**
 * Means over units with their intervals: by the bootstrap over units, and by the test that flips signs of
 * units. Both are exact (`lattice.ts`). With one repetition the test is McNemar's.
 */
import { CONFIDENCE, upperBound } from './exact.ts';
import {
  addDistributions,
  addUp,
  type Distribution,
  drawFrom,
  findQuantile,
  tailProbability,
} from './lattice.ts';

/** The mean of a figure over units, with its 95 % interval. */
export interface Mean {
  /** The number of units. */
  readonly units: number;
  /** The mean; 0 without units. */
  readonly mean: number;
  /** The lower end of the 95 % interval; without units, the lowest possible. */
  readonly low: number;
  /** The upper end of the 95 % interval. */
  readonly high: number;
}

/** The mean difference between two arms over units. */
export interface Difference extends Mean {
  /**
   * The two-sided p-value: how often the mean would be at least as far from 0 if the sign of each
   * difference were random.
   */
  readonly p: number;
  /** The number of units in which the first arm did better. */
  readonly better: number;
  /** The number of units in which the first arm did worse. */
  readonly worse: number;
  /**
   * The mean of the squared differences. If units are asked once and score 0 or 1, this is the share of
   * units in which the arms differ.
   */
  readonly spread: number;
}

/**
 * The grid of values: multiples of 1/120, exact for one to six repetitions, also of half points. With
 * seven, a unit is off by at most 0.4 points.
 */
const PARTS = 120;

/**
 * Returns the mean of the values with its 95 % interval. The second parameter is the range of possible
 * values, default 0 to 1, to which the interval is limited.
 */
export function meanOf(values: readonly number[], [low, high] = [0, 1]): Mean {
  const mean = computeAverage(values);
  const interval = intervalOf(values, mean);
  return {
    units: values.length,
    mean,
    low: Math.max(low, interval[0]),
    high: Math.min(high, interval[1]),
  };
}

/**
 * Returns the mean of differences between two arms with interval and p-value, and the numbers of
 * positive and negative differences. Each value is one unit's result in the first arm minus its result
 * in the second.
 */
export function differenceOf(differences: readonly number[]): Difference {
  const mean = computeAverage(differences);
  const [low, high] = intervalOf(differences, mean);
  return {
    units: differences.length,
    mean,
    low,
    high,
    p: flipSigns(differences),
    better: differences.filter((difference) => difference > 0).length,
    worse: differences.filter((difference) => difference < 0).length,
    spread: computeAverage(differences.map((difference) => difference * difference)),
  };
}

/** Returns the mean of the values; 0 if there are none. */
export function computeAverage(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function intervalOf(values: readonly number[], mean: number): [number, number] {
  const count = values.length;
  if (count === 0) return [-Infinity, Infinity];
  // The bootstrap of equal values gives an interval of width 0, however few values there are.
  if (values.every((value) => value === values[0])) {
    const shareThatMayDiffer = upperBound(0, count);
    return [mean - shareThatMayDiffer, mean + shareThatMayDiffer];
  }
  const { steps, step } = onGrid(values);
  const sums = addUp(drawFrom(steps), count);
  const rest = (1 - CONFIDENCE) / 2;
  return [(findQuantile(sums, rest) * step) / count, (findQuantile(sums, 1 - rest) * step) / count];
}

function flipSigns(differences: readonly number[]): number {
  const { steps } = onGrid(differences);
  const often = new Map<number, number>();
  for (const step of steps)
    if (step !== 0) often.set(Math.abs(step), (often.get(Math.abs(step)) ?? 0) + 1);
  let all: Distribution | undefined;
  for (const [size, count] of often) {
    const flipped = addUp(drawFrom([-size, size]), count);
    all = all === undefined ? flipped : addDistributions(all, flipped);
  }
  const seen = steps.reduce((sum, step) => sum + step, 0);
  return all === undefined ? 1 : tailProbability(all, Math.abs(seen));
}

/** Converts values to integer multiples of the largest common step. */
function onGrid(values: readonly number[]): { steps: number[]; step: number } {
  const parts = values.map((value) => Math.round(value * PARTS));
  const largest = parts.reduce(commonDivisor, 0) || 1;
  return { steps: parts.map((part) => part / largest), step: largest / PARTS };
}

function commonDivisor(value: number, other: number): number {
  return other === 0 ? Math.abs(value) : commonDivisor(other, value % other);
}

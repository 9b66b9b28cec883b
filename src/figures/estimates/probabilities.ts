/** Combines several seats' probabilities of one event. */
import { computeMean, computeMedian } from '../order.ts';

/**
 * The bounds, 0.01 and 0.99, for averaging log odds. Beyond them differences mean little, and a single 0 would
 * outweigh all others. From docs/methods.md.
 */
const CLAMP = 0.01;

/** The probabilities of several seats, combined to one. */
export interface PooledProbability {
  /** How many valid probabilities were combined. */
  readonly heard: number;
  /** The median, which is the result. One extreme seat cannot move the median far. */
  readonly median: number;
  /**
   * The mean of the log odds, converted back to a probability. Values are first limited to 0.01 to 0.99.
   * For comparison only: this mean gives seats near 0 or 1 more weight.
   */
  readonly logOdds: number;
}

/**
 * Combines probabilities of one event, each from 0 to 1, to their median and their mean log odds. Values
 * outside 0 to 1 are ignored. Returns undefined if no valid value is left.
 */
export function poolProbabilities(values: readonly number[]): PooledProbability | undefined {
  const heard = values.filter(isProbability);
  const odds = computeMean(heard.map((value) => toLogOdds(value)));
  const middle = computeMedian(heard);
  if (odds === undefined || middle === undefined) return undefined;
  return { heard: heard.length, median: middle, logOdds: 1 / (1 + Math.exp(-odds)) };
}

/** Returns whether a number is from 0 to 1. */
export function isProbability(value: number): boolean {
  return value >= 0 && value <= 1;
}

function toLogOdds(value: number): number {
  const clamped = Math.min(1 - CLAMP, Math.max(CLAMP, value));
  return Math.log(clamped / (1 - clamped));
}

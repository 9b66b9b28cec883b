/** Combines several seats' probabilities of one event. */
import { mean, median } from '../order.ts';

/**
 * The bounds, 0.01 and 0.99, for averaging log odds. Beyond them differences mean little, and a single 0 would
 * outweigh all others. From docs/methods.md.
 */
const CLAMP = 0.01;

export interface PooledProbability {
  readonly heard: number;
  /** The combined probability that counts: a single extreme seat cannot move it out of the others' range. */
  readonly median: number;
  /** The mean of the log odds as a probability, for comparison; it gives sure seats more weight. */
  readonly logOdds: number;
}

/** Combines probabilities; undefined if there are none. Values outside 0 to 1 are ignored. */
export function poolProbabilities(values: readonly number[]): PooledProbability | undefined {
  const heard = values.filter(isProbability);
  const odds = mean(heard.map((value) => toLogOdds(value)));
  const middle = median(heard);
  if (odds === undefined || middle === undefined) return undefined;
  return { heard: heard.length, median: middle, logOdds: 1 / (1 + Math.exp(-odds)) };
}

export function isProbability(value: number): boolean {
  return value >= 0 && value <= 1;
}

function toLogOdds(value: number): number {
  const clamped = Math.min(1 - CLAMP, Math.max(CLAMP, value));
  return Math.log(clamped / (1 - clamped));
}

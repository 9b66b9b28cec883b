/** Several seats' probabilities of one event as one. */
import { mean, median } from '../order.ts';

/**
 * What a probability is taken for at the most when its log odds are averaged: .01 and .99. Beyond that a
 * seat says how sure it sounds, and one that says 0 would silence all others. The value is methods.md's.
 */
const CLAMP = 0.01;

export interface PooledProbability {
  readonly heard: number;
  /** The one that leads: a single seat, however sure, cannot take it out of the others' range. */
  readonly median: number;
  /** The mean of the log odds, as a probability; it weighs sure seats more, and stands beside. */
  readonly logOdds: number;
}

/** Undefined where nobody gave one. Values outside 0 to 1 are none. */
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

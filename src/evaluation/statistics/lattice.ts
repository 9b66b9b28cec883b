/**
 * Distributions of sums of whole numbers, worked out instead of drawn: what a bootstrap or a sign-flip
 * test comes to with infinitely many repetitions. So there is no seed that somebody could have chosen.
 */

export interface Distribution {
  /** The value of the first weight; each following one is of the next whole number. */
  readonly from: number;
  /** They come to 1. */
  readonly weights: Float64Array;
}

/** Ends lighter than this, in sum, are cut off: far below what a double keeps of 1. */
const LIGHT = 1e-18;

/** Of one draw among these values, each as likely as it is often. */
export function drawFrom(values: readonly number[]): Distribution {
  let [from, to] = [Infinity, -Infinity];
  for (const value of values) {
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  const weights = new Float64Array(to - from + 1);
  for (const value of values) weights[value - from] = (weights[value - from] ?? 0) + 1;
  return { from, weights: weights.map((count) => count / values.length) };
}

/** Of the sum of two that know nothing of each other. */
export function add(one: Distribution, other: Distribution): Distribution {
  const weights = new Float64Array(one.weights.length + other.weights.length - 1);
  for (const [at, weight] of one.weights.entries()) {
    if (weight === 0) continue;
    for (let next = 0; next < other.weights.length; next += 1)
      weights[at + next] = (weights[at + next] ?? 0) + weight * (other.weights[next] ?? 0);
  }
  return trimmed({ from: one.from + other.from, weights });
}

/** Of the sum of `count` of them, by doubling. `count` is at least 1. */
export function addUp(one: Distribution, count: number): Distribution {
  if (count === 1) return one;
  const half = addUp(one, Math.floor(count / 2));
  const doubled = add(half, half);
  return count % 2 === 0 ? doubled : add(doubled, one);
}

/** The smallest value below or at which more than `share` of the weight lies. */
export function quantile({ from, weights }: Distribution, share: number): number {
  let sum = 0;
  for (const [at, weight] of weights.entries()) {
    sum += weight;
    if (sum > share) return from + at;
  }
  return from + weights.length - 1;
}

/** The weight of values at least so far from 0, on either side. */
export function beyond({ from, weights }: Distribution, distance: number): number {
  let sum = 0;
  for (const [at, weight] of weights.entries()) if (Math.abs(from + at) >= distance) sum += weight;
  return Math.min(1, sum);
}

function trimmed({ from, weights }: Distribution): Distribution {
  let [first, last] = [0, weights.length];
  for (let sum = weights[first] ?? 1; sum < LIGHT; sum += weights[first] ?? 1) first += 1;
  for (let sum = weights[last - 1] ?? 1; sum < LIGHT; sum += weights[last - 1] ?? 1) last -= 1;
  return { from: from + first, weights: weights.subarray(first, last) };
}

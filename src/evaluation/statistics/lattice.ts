/**
 * Computes distributions of sums of integers exactly: what a bootstrap or a sign-flip test would give with
 * infinitely many repetitions. So there is no seed that could be chosen.
 */

/** A probability distribution over a range of integers. */
export interface Distribution {
  /** The integer of the first probability; the others follow in steps of 1. */
  readonly from: number;
  /** The probabilities, which sum up to 1. */
  readonly weights: Float64Array;
}

/** Tails with less than this probability are cut off, far below the precision of a double. */
const LIGHT = 1e-18;

/** Returns the probability distribution of a value that is drawn at random from the given ones. */
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

/** Returns the distribution of the sum of two independent random values. */
export function addDistributions(distribution: Distribution, other: Distribution): Distribution {
  const weights = new Float64Array(distribution.weights.length + other.weights.length - 1);
  for (const [at, weight] of distribution.weights.entries()) {
    if (weight === 0) continue;
    for (let next = 0; next < other.weights.length; next += 1)
      weights[at + next] = (weights[at + next] ?? 0) + weight * (other.weights[next] ?? 0);
  }
  return trimWeights({ from: distribution.from + other.from, weights });
}

/**
 * Returns the distribution of the sum of `count` independent values with the same distribution.
 * `count` is at least 1.
 */
export function addUp(distribution: Distribution, count: number): Distribution {
  if (count === 1) return distribution;
  const half = addUp(distribution, Math.floor(count / 2));
  const doubled = addDistributions(half, half);
  return count % 2 === 0 ? doubled : addDistributions(doubled, distribution);
}

/**
 * Returns the quantile of a distribution: the smallest integer such that this or a smaller value
 * has a probability above `share`.
 */
export function findQuantile({ from, weights }: Distribution, share: number): number {
  let sum = 0;
  for (const [at, weight] of weights.entries()) {
    sum += weight;
    if (sum > share) return from + at;
  }
  return from + weights.length - 1;
}

/** Returns the probability that a value is at least `distance` away from 0, on either side. */
export function tailProbability({ from, weights }: Distribution, distance: number): number {
  let sum = 0;
  for (const [at, weight] of weights.entries()) if (Math.abs(from + at) >= distance) sum += weight;
  return Math.min(1, sum);
}

function trimWeights({ from, weights }: Distribution): Distribution {
  let [first, last] = [0, weights.length];
  for (let sum = weights[first] ?? 1; sum < LIGHT; sum += weights[first] ?? 1) first += 1;
  for (let sum = weights[last - 1] ?? 1; sum < LIGHT; sum += weights[last - 1] ?? 1) last -= 1;
  return { from: from + first, weights: weights.subarray(first, last) };
}

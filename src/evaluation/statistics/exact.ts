/**
 * Exact intervals of a share, from the binomial distribution. A normal approximation is worst where it
 * matters here: at zero or one flip of many.
 */

/** The two-sided confidence level of all intervals. */
export const CONFIDENCE = 0.95;

/** A count out of a total, with its exact interval. */
export interface Share {
  readonly count: number;
  /** The total. */
  readonly of: number;
  /**
   * The lower end of the exact (Clopper-Pearson) 95 % interval of the share; 0 if the total is 0.
   */
  readonly low: number;
  /** The upper end of that interval; 1 if the total is 0. */
  readonly high: number;
}

/** Returns a count out of a total with the exact interval of its share. */
export function shareOf(count: number, of: number): Share {
  const [low, high] = exactInterval(count, of);
  return { count, of, low, high };
}

/** Returns the Clopper-Pearson interval, which covers the true share in at least 95 of 100 cases. */
export function exactInterval(count: number, of: number): [low: number, high: number] {
  const half = (1 - CONFIDENCE) / 2;
  return [
    count === 0 ? 0 : rootOf((share) => probabilityOfAtLeast(count, of, share) - half),
    count === of ? 1 : rootOf((share) => half - (1 - probabilityOfAtLeast(count + 1, of, share))),
  ];
}

/**
 * Returns the upper bound of a share with one-sided confidence of 95 %. For 0 of n the bound is 1 -
 * 0.05^(1/n), which is about 3/n.
 */
export function upperBound(count: number, of: number): number {
  if (count >= of) return 1;
  return rootOf((share) => 1 - CONFIDENCE - (1 - probabilityOfAtLeast(count + 1, of, share)));
}

/**
 * Returns the probability that at least `count` of `of` independent trials succeed, if each
 * succeeds with the probability `share`.
 */
export function probabilityOfAtLeast(count: number, of: number, share: number): number {
  if (count <= 0) return 1;
  if (count > of || share <= 0) return 0;
  if (share >= 1) return 1;
  const logs = logFactorials(of);
  const [yes, no] = [Math.log(share), Math.log1p(-share)];
  const all = logs[of] ?? 0;
  // Sum the tail that does not contain the mean, which is usually the less probable one: the smaller sum is more exact.
  // The other tail is 1 minus that sum.
  const isUpper = count > of * share;
  let sum = 0;
  for (let at = isUpper ? count : 0; at <= (isUpper ? of : count - 1); at += 1)
    sum += Math.exp(all - (logs[at] ?? 0) - (logs[of - at] ?? 0) + at * yes + (of - at) * no);
  return Math.min(1, isUpper ? sum : 1 - sum);
}

/** Cached logarithms of 0!, 1!, … */
const LOGS: number[] = [0];

function logFactorials(most: number): readonly number[] {
  for (let at = LOGS.length; at <= most; at += 1) LOGS.push((LOGS[at - 1] ?? 0) + Math.log(at));
  return LOGS;
}

/** Returns the root of an increasing function of a share. */
function rootOf(increasing: (share: number) => number): number {
  let [low, high] = [0, 1];
  // Halve the interval 60 times, which gives the root to the precision of a double.
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2;
    if (increasing(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Exact figures of a share, from the binomial distribution itself. A normal approximation is at its
 * worst where it matters here: at no flips, or one, of many.
 */

/** Two-sided; what every interval here is. */
export const CONFIDENCE = 0.95;

/** A count out of so many, with its exact interval. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** Clopper and Pearson, 95 %. Of nothing it is 0 to 1. */
  readonly low: number;
  readonly high: number;
}

export function shareOf(count: number, of: number): Share {
  const [low, high] = exactInterval(count, of);
  return { count, of, low, high };
}

/** The interval of Clopper and Pearson: covers the truth in at least 95 of 100 cases, whatever it is. */
export function exactInterval(count: number, of: number): [low: number, high: number] {
  const half = (1 - CONFIDENCE) / 2;
  return [
    count === 0 ? 0 : rootOf((share) => atLeast(count, of, share) - half),
    count === of ? 1 : rootOf((share) => half - (1 - atLeast(count + 1, of, share))),
  ];
}

/**
 * What the share is at most, with 95 % confidence on that side alone. For none of n it is
 * 1 - 0.05^(1/n), which is the rule of three: about 3/n, and never 0.
 */
export function upperBound(count: number, of: number): number {
  if (count >= of) return 1;
  return rootOf((share) => 1 - CONFIDENCE - (1 - atLeast(count + 1, of, share)));
}

/** The chance of `count` or more out of `of`, each with the chance `share`. */
export function atLeast(count: number, of: number, share: number): number {
  if (count <= 0) return 1;
  if (count > of || share <= 0) return 0;
  if (share >= 1) return 1;
  const logs = logFactorials(of);
  const [yes, no] = [Math.log(share), Math.log1p(-share)];
  const all = logs[of] ?? 0;
  // The shorter tail is summed; the other is what is left of 1.
  const isUpper = count > of * share;
  let sum = 0;
  for (let at = isUpper ? count : 0; at <= (isUpper ? of : count - 1); at += 1)
    sum += Math.exp(all - (logs[at] ?? 0) - (logs[of - at] ?? 0) + at * yes + (of - at) * no);
  return Math.min(1, isUpper ? sum : 1 - sum);
}

/** Logarithms of 0!, 1!, … up to the largest that anybody has asked for. */
const LOGS: number[] = [0];

function logFactorials(most: number): readonly number[] {
  for (let at = LOGS.length; at <= most; at += 1) LOGS.push((LOGS[at - 1] ?? 0) + Math.log(at));
  return LOGS;
}

/** Where an increasing function of a share passes 0. */
function rootOf(increasing: (share: number) => number): number {
  let [low, high] = [0, 1];
  // Sixty halvings are as fine as a double between 0 and 1.
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2;
    if (increasing(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

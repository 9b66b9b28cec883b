/**
 * Computes the difference of two Brier scores on the same predictions, with an interval and a p-value.
 * Decisions are the independent units; each has one or more predictions.
 *
 * The interval comes from a bootstrap over decisions and is widened if there are few. The p-value comes from
 * flipping the signs of whole decisions. Random draws have a fixed seed: the same rows give the same figures.
 */

/** One prediction's difference in squared error between two forecasters. */
interface PredictionDifference {
  readonly decision: string;
  readonly difference: number;
}

/**
 * How the first forecaster compares. `few`: fewer decisions than `MIN_DECISIONS`. `unclear`: no clear
 * difference.
 */
type PairedVerdict = 'few' | 'better' | 'worse' | 'unclear';

/**
 * How much the squared errors (Brier scores) of two forecasters differ on the same predictions, and
 * whether chance may explain the difference.
 */
export interface PairedDifference {
  /** The number of decisions that the predictions belong to. */
  readonly decisions: number;
  /** The number of predictions. */
  readonly predictions: number;
  /**
   * The mean over the predictions of the first forecaster's squared error minus the second's. Below 0,
   * the first forecaster did better.
   */
  readonly mean: number;
  /** The lower end of the 95 % interval. */
  readonly low: number;
  /** The upper end of the 95 % interval. */
  readonly high: number;
  /**
   * The two-sided p-value: how often the mean would be at least as far from 0 if each decision's
   * difference had a random sign.
   */
  readonly p: number;
  /**
   * How the first forecaster compares with the second: `better`, `worse`, `unclear` if chance may
   * explain the difference, or `few` if there are fewer decisions than `MIN_DECISIONS`.
   */
  readonly verdict: PairedVerdict;
}

/**
 * The smallest number of decisions with known outcomes from which the program says that one forecaster is
 * better or worse than another.
 */
export const MIN_DECISIONS = 10;

/** How many resamples the bootstrap draws, and how many sign patterns above `MAX_EXACT` decisions. */
const DRAWS = 4_000;
/** The most decisions for which every sign pattern is counted. */
const MAX_EXACT = 12;
/** The two-sided 5 % point of the normal distribution. */
const NORMAL = 1.959964;
const ALPHA = 0.05;

interface DecisionSum {
  sum: number;
  count: number;
}

/**
 * Computes the mean difference between two forecasters' squared errors, with an interval and a p-value. With
 * fewer than two decisions, the interval is from -1 to 1 and p is 1.
 *
 * @param differences for each prediction, the first forecaster's squared error minus the second's, with a key
 *   for the decision that the prediction belongs to
 */
export function pairedDifference(differences: readonly PredictionDifference[]): PairedDifference {
  const sums = new Map<string, DecisionSum>();
  for (const { decision, difference } of differences) {
    const known = sums.get(decision) ?? { sum: 0, count: 0 };
    known.sum += difference;
    known.count += 1;
    sums.set(decision, known);
  }
  const decisions = [...sums.values()];
  const total = decisions.reduce((all, { sum }) => all + sum, 0);
  const mean = differences.length === 0 ? 0 : total / differences.length;
  const [low, high] = bootstrapInterval(decisions, mean);
  const p = signFlipP(decisions.map(({ sum }) => sum));
  return {
    decisions: decisions.length,
    predictions: differences.length,
    mean,
    low,
    high,
    p,
    verdict: toVerdict({ decisions: decisions.length, low, high, p }),
  };
}

/** Returns `better` or `worse` only if the interval excludes 0 and the p-value is below `ALPHA`. */
function toVerdict({
  decisions,
  low,
  high,
  p,
}: {
  decisions: number;
  low: number;
  high: number;
  p: number;
}): PairedVerdict {
  if (decisions < MIN_DECISIONS) return 'few';
  if (p >= ALPHA) return 'unclear';
  if (high < 0) return 'better';
  return low > 0 ? 'worse' : 'unclear';
}

/**
 * Returns the 95 % interval of the mean, by a percentile bootstrap over decisions. With few decisions the
 * percentiles are too narrow (about 90 % in place of 95 % at ten). Their distances from the mean are
 * therefore multiplied by Student's t over the normal quantile and by the root of n/(n-1) (Hesterberg 2015,
 * section 5.3).
 */
function bootstrapInterval(decisions: readonly DecisionSum[], mean: number): [number, number] {
  const units = decisions.length;
  // If all predictions belong to one decision of a person, return the widest interval: how much decisions
  // differ is unknown.
  if (units < 2) return [-1, 1];
  const random = randomNumbers();
  const means = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let [sum, count] = [0, 0];
    for (let at = 0; at < units; at += 1) {
      const decision = decisions[Math.floor(random() * units)];
      sum += decision?.sum ?? 0;
      count += decision?.count ?? 0;
    }
    means[draw] = sum / count;
  }
  means.sort();
  const wider = (studentQuantile(units - 1) / NORMAL) * Math.sqrt(units / (units - 1));
  const getQuantile = (share: number): number => means[Math.round(share * (DRAWS - 1))] ?? mean;
  return [
    Math.max(-1, mean + (getQuantile(ALPHA / 2) - mean) * wider),
    Math.min(1, mean + (getQuantile(1 - ALPHA / 2) - mean) * wider),
  ];
}

/**
 * Returns the share of sign patterns over decisions whose sum is at least as far from 0 as the observed sum.
 */
function signFlipP(sums: readonly number[]): number {
  const decisive = sums.filter((sum) => sum !== 0);
  // Allow for rounding errors: without this tolerance, the observed sum could count as less extreme
  // than itself.
  const seen = Math.abs(decisive.reduce((all, sum) => all + sum, 0)) - 1e-12;
  if (decisive.length === 0) return 1;
  if (decisive.length <= MAX_EXACT) {
    const patterns = 2 ** decisive.length;
    let extreme = 0;
    for (let pattern = 0; pattern < patterns; pattern += 1) {
      let sum = 0;
      for (const [at, size] of decisive.entries()) sum += (pattern >> at) & 1 ? size : -size;
      if (Math.abs(sum) >= seen) extreme += 1;
    }
    return extreme / patterns;
  }
  const random = randomNumbers();
  let extreme = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    for (const size of decisive) sum += random() < 0.5 ? size : -size;
    if (Math.abs(sum) >= seen) extreme += 1;
  }
  // The observed signs count as one more pattern, so that the p-value is never 0.
  return (extreme + 1) / (DRAWS + 1);
}

/** Returns the two-sided 5 % point of Student's t, by a series in 1/n (Abramowitz and Stegun 26.7.5). */
function studentQuantile(freedom: number): number {
  // The approximation below is wrong by 1.4 for one degree of freedom and by 0.03 for two, so return the exact values.
  if (freedom === 1) return 12.7062;
  if (freedom === 2) return 4.30265;
  const z = NORMAL;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const fourth = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3 + fourth / freedom ** 4;
}

/** Returns a generator of random numbers from 0 to below 1 with a fixed seed (mulberry32). */
function randomNumbers(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

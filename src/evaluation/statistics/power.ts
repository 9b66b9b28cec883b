/**
 * Estimates which differences an evaluation of a given size can detect. By the normal approximation, good
 * to two digits, which suffices for planning.
 */

/** The size of an evaluation. */
interface Size {
  readonly units: number;
  /** Repetitions per unit; default 1. */
  readonly seeds?: number;
  /** The correlation of repetitions, 1 if they add nothing; measured, or assumed for a plan. */
  readonly correlation?: number;
  /** The share of units in which the arms differ. */
  readonly discordance: number;
}

/** The probability with which a difference is to be detected. */
const AIM = 0.8;
/** The two-sided 5 % quantile of the normal distribution. */
const CRITICAL = 1.959964;

/**
 * Returns the probability that an evaluation of this size finds a true difference significant, with the
 * right sign. Differences are shares: 0.04 is four points.
 */
export function powerOf(difference: number, size: Size): number {
  const units = countIndependentUnits(size);
  const spread = Math.max(size.discordance, difference);
  const under = Math.sqrt(spread / units);
  const own = Math.sqrt(Math.max(0, spread - difference * difference) / units);
  const margin = difference - CRITICAL * under;
  return own === 0 ? Number(margin > 0) : belowNormal(margin / own);
}

/**
 * Returns the smallest true difference that an evaluation of this size finds with a probability of 80 %,
 * as a share: 0.04 is four points. If no difference is found so often, returns 1, or the root of
 * `discordance` if that is above 1.
 */
export function findSmallestVisibleDifference(size: Size): number {
  let [low, high] = [0, Math.max(1, Math.sqrt(size.discordance))];
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (powerOf(middle, size) < AIM) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns how many independent units, asked once each, carry as much information as these units
 * with their repetitions. If all repetitions of a unit give equal answers (`correlation` is 1), the
 * repetitions count nothing.
 */
export function countIndependentUnits({ units, seeds = 1, correlation = 1 }: Size): number {
  return (units * seeds) / (1 + (seeds - 1) * correlation);
}

/** Returns the normal distribution function (Abramowitz and Stegun 7.1.26), exact to seven digits. */
function belowNormal(at: number): number {
  const x = Math.abs(at) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (sum * Math.exp(-x * x)) / 2;
  return at < 0 ? tail : 1 - tail;
}

/**
 * What an evaluation of a size can see, before anybody pays for it. By the normal approximation: two
 * digits, for a decision about money and not about the result.
 */

interface Size {
  readonly units: number;
  /** How often each is repeated; 1 where it is not named. */
  readonly seeds?: number;
  /** How much a repetition says the same again: 1, all of it; as measured, or assumed for a plan. */
  readonly correlation?: number;
  /** The share of units in which the arms differ, from 0 to 1. */
  readonly discordance: number;
}

/** In how many of 100 evaluations it is to be seen. */
const AIM = 0.8;
/** Two-sided, 5 %. */
const CRITICAL = 1.959964;

/** The chance that a true difference (0.04: four points) is found significant, and with its own sign. */
export function powerOf(difference: number, size: Size): number {
  const units = worthOf(size);
  const spread = Math.max(size.discordance, difference);
  const under = Math.sqrt(spread / units);
  const own = Math.sqrt(Math.max(0, spread - difference * difference) / units);
  const margin = difference - CRITICAL * under;
  return own === 0 ? Number(margin > 0) : belowNormal(margin / own);
}

/** The smallest true difference that is found in four evaluations of five; 1 where none is. */
export function smallestVisible(size: Size): number {
  let [low, high] = [0, Math.max(1, Math.sqrt(size.discordance))];
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (powerOf(middle, size) < AIM) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * How many units once are worth as much. Thirty repetitions of one unit are never worth more than
 * 1/correlation of them: units before repetitions.
 */
export function worthOf({ units, seeds = 1, correlation = 1 }: Size): number {
  return (units * seeds) / (1 + (seeds - 1) * correlation);
}

/** The normal distribution, after Abramowitz and Stegun 7.1.26: right to seven digits. */
function belowNormal(at: number): number {
  const x = Math.abs(at) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (sum * Math.exp(-x * x)) / 2;
  return at < 0 ? tail : 1 - tail;
}

/** The mixture of the seats' distributions, with equal weights. */

import { computeMean, sortNumbers } from '../order.ts';
import type { Interval } from './camps.ts';

/**
 * The width of a tail as a share of its half. Between its three values a seat's distribution is uniform; beyond
 * them, the last 5 % have the density of the neighboring part, in which 45 % lie.
 */
const TAIL = 0.05 / 0.45;
/** How often the interval is halved: more than a double has digits. */
const HALVINGS = 80;

/**
 * Returns quantiles of the mixture of the seats' distributions, in which every seat has the same
 * weight. Returns undefined without seats.
 *
 * @param seats the 5 %, 50 % and 95 % quantiles of each seat's distribution
 * @param shares the wanted quantiles, 0 to 1; the result has the same order
 */
export function computeMixtureQuantiles(
  seats: readonly Pick<Interval, 'p5' | 'p50' | 'p95'>[],
  shares: readonly number[],
): number[] | undefined {
  if (seats.length === 0) return undefined;
  const knots = seats.map(
    ({ p5, p50, p95 }): Knots => [p5 - (p50 - p5) * TAIL, p5, p50, p95, p95 + (p95 - p50) * TAIL],
  );
  const ends = sortNumbers(knots.flat());
  const [least = 0, most = 0] = [ends[0], ends.at(-1)];
  const chanceBelow = (value: number): number =>
    computeMean(knots.map((own) => chanceIn(own, value))) ?? 0;
  return shares.map((share) => {
    let [low, high] = [least, most];
    for (let n = 0; n < HALVINGS && low < high; n += 1) {
      const middle = low + (high - low) / 2;
      // Rounding may make the seats' mean probability a little smaller than the wanted `share`; allow for that.
      if (chanceBelow(middle) >= share - 1e-12) high = middle;
      else low = middle;
    }
    // `ends` are the bounds of the seats' own distributions. If the quantile differs from a bound only by rounding,
    // return the bound.
    const near = ends.find((end) => Math.abs(end - high) <= Math.abs(high) * 1e-12);
    return near ?? high;
  });
}

type Knots = readonly [number, number, number, number, number];
const CHANCES = [0, 0.05, 0.5, 0.95, 1] as const;

/** Returns the probability that a seat gives to values up to `value`. */
function chanceIn(knots: Knots, value: number): number {
  for (let at = 4; at >= 0; at -= 1) {
    const from = knots[at] ?? 0;
    if (value < from) continue;
    const [chance = 0, next = 1, to = from] = [CHANCES[at], CHANCES[at + 1], knots[at + 1]];
    return to > from ? chance + ((next - chance) * (value - from)) / (to - from) : chance;
  }
  return 0;
}

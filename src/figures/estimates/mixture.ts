/** The distribution that believes each seat's own as much as every other's. */

import { mean, sortNumbers } from '../order.ts';
import type { Interval } from './camps.ts';

/**
 * Between its three values a seat's distribution is taken as even, and beyond them the last 5 % go on as
 * thin as beside them: a ninth of that half's width, where .45 of the chances lie.
 */
const TAIL = 0.05 / 0.45;
/** Halvings of the interval: more than a double has digits. */
const HALVINGS = 80;

/** Quantiles of the mixture in the order of `shares` (0 to 1); undefined of no seats. */
export function mixQuantiles(
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
    mean(knots.map((own) => chanceIn(own, value))) ?? 0;
  return shares.map((share) => {
    let [low, high] = [least, most];
    for (let n = 0; n < HALVINGS && low < high; n += 1) {
      const middle = low + (high - low) / 2;
      // Not greater or equal to the last digit: sums of shares miss it by that much.
      if (chanceBelow(middle) >= share - 1e-12) high = middle;
      else low = middle;
    }
    // A seat that is sure of one value has no width to halve.
    const near = ends.find((end) => Math.abs(end - high) <= Math.abs(high) * 1e-12);
    return near ?? high;
  });
}

type Knots = readonly [number, number, number, number, number];
const CHANCES = [0, 0.05, 0.5, 0.95, 1] as const;

/** How likely the quantity is at most `value`, to one seat. */
function chanceIn(knots: Knots, value: number): number {
  for (let at = 4; at >= 0; at -= 1) {
    const from = knots[at] ?? 0;
    if (value < from) continue;
    const [chance = 0, next = 1, to = from] = [CHANCES[at], CHANCES[at + 1], knots[at + 1]];
    return to > from ? chance + ((next - chance) * (value - from)) / (to - from) : chance;
  }
  return 0;
}

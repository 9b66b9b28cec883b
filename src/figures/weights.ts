/** One seat's points for the criteria, as weights. */

import type { Read } from './estimates/units.ts';
import { mean } from './order.ts';

/** One seat's points for one criterion, in parts of whatever whole. */
export interface Points {
  readonly criterion: string;
  readonly points: number;
}

/** Points are parts of a hundred; more for a single criterion is a slip. */
const MOST_POINTS = 100;

/** One seat's weights, 0 to 1 and together 1, by criterion; or why it has to be asked again. */
export function readWeights(
  criteria: readonly string[],
  points: readonly Points[],
): Read<ReadonlyMap<string, number>> {
  const refuse = (why: string) => ({ ok: false, why }) as const;
  const given = new Map<string, number>();
  for (const { criterion, points: own } of points) {
    if (!criteria.includes(criterion)) return refuse(`"${criterion}" is none of the criteria.`);
    if (given.has(criterion)) return refuse(`"${criterion}" was given points twice.`);
    if (!(own >= 0 && own <= MOST_POINTS))
      return refuse(`"${criterion}": points go from 0 to ${MOST_POINTS}.`);
    given.set(criterion, own);
  }
  const without = criteria.find((criterion) => !given.has(criterion));
  if (without !== undefined) return refuse(`"${without}" was given no points, not even 0.`);
  const weights = normalizeWeights(new Map(criteria.map((one) => [one, given.get(one) ?? 0])));
  return weights === undefined
    ? refuse('All points are 0: say what matters more.')
    : { ok: true, value: weights };
}

/** Divided by their sum; undefined where that is 0. Weights are finite and not negative. */
export function normalizeWeights(
  weights: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> | undefined {
  // By size, so that the order of criteria changes no last digit.
  const sum = (mean([...weights.values()]) ?? 0) * weights.size;
  if (!(sum > 0)) return undefined;
  return new Map([...weights].map(([criterion, weight]) => [criterion, weight / sum]));
}

/** Converts a seat's points for criteria to weights. */

import type { ReadValue } from './estimates/units.ts';
import { computeMean } from './order.ts';

/** The points that a seat gives one criterion. Points need not add up to 100. */
export interface CriterionPoints {
  readonly criterion: string;
  readonly points: number;
}

/** The most points that a criterion can get; more counts as a mistake. */
const MOST_POINTS = 100;

/**
 * Converts a seat's points to weights by criterion, each 0 to 1 and together 1. Returns a refusal
 * with the reason if the seat has to be asked again.
 *
 * @param criteria the criteria, each of which needs points, even if 0
 * @param points the seat's points; each criterion may occur once, with 0 to 100 points
 */
export function readWeights(
  criteria: readonly string[],
  points: readonly CriterionPoints[],
): ReadValue<ReadonlyMap<string, number>> {
  const refuseWeights = (why: string) => ({ ok: false, why }) as const;
  const given = new Map<string, number>();
  for (const { criterion, points: own } of points) {
    if (!criteria.includes(criterion))
      return refuseWeights(`"${criterion}" is none of the criteria.`);
    if (given.has(criterion)) return refuseWeights(`"${criterion}" was given points twice.`);
    if (!(own >= 0 && own <= MOST_POINTS))
      return refuseWeights(`"${criterion}": points go from 0 to ${MOST_POINTS}.`);
    given.set(criterion, own);
  }
  const without = criteria.find((criterion) => !given.has(criterion));
  if (without !== undefined) return refuseWeights(`"${without}" was given no points, not even 0.`);
  const weights = normalizeWeights(
    new Map(criteria.map((criterion) => [criterion, given.get(criterion) ?? 0])),
  );
  return weights === undefined
    ? refuseWeights('All points are 0: say what matters more.')
    : { ok: true, value: weights };
}

/**
 * Divides weights by their sum, so that they add up to 1. Expects finite weights that are not
 * negative. Returns undefined if the sum is 0.
 */
export function normalizeWeights(
  weights: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> | undefined {
  // `computeMean` adds the values in order of their size, so that the order of the criteria does not
  // change the last digit.
  const sum = (computeMean([...weights.values()]) ?? 0) * weights.size;
  if (!(sum > 0)) return undefined;
  return new Map([...weights].map(([criterion, weight]) => [criterion, weight / sum]));
}

/**
 * FM-1: agreement that grows because the seats follow each other. Verdicts of healthy panels vary
 * by chance, so a falling slope only counts over enough rounds and if it is steeper than chance.
 */

import { plural } from '../../../../text/numbers.ts';
import { computeDisagreementRates } from '../six-signals/disagreement.ts';
import {
  FLAT,
  NOISE_OF_A_FALL,
  NOISE_OF_AN_EARLY_FALL,
  ROBUST_RUN,
  ROUNDS_FOR_A_FALL,
  SMALLEST_BUDGET,
} from '../thresholds.ts';
import type { Tally } from '../timeline.ts';
import { computeSlope, EPSILON, formatFigure, mean, sum } from '../trend.ts';
import { CHECKS } from '../types.ts';
import { clear, type Detector, suspected, unknown } from './detector.ts';

/** Detects failure mode 1: agreement grows because the seats follow each other. */
export const sycophancy: Detector = ({ rounds }) => {
  const seen = `${plural(rounds.length, 'round')} so far`;
  if (rounds.length < ROBUST_RUN) return unknown(`${seen}: it takes ${ROBUST_RUN}`);
  if (sum(rounds.map(({ verdicts }) => verdicts)) === 0) return unknown('no verdict yet');
  if (sum(rounds.map(({ disagreements }) => disagreements)) === 0)
    return suspected(`no verdict in ${plural(rounds.length, 'round')} was BROKEN or UNCLEAR`);
  if (rounds.slice(-ROBUST_RUN).every(allRobust))
    return suspected(`every verdict of the last ${ROBUST_RUN} rounds is ROBUST`);
  const { slope, noise } = measureFall(rounds);
  const falls = `disagreement changes by ${formatFigure(slope)} a round`;
  if (slope > FLAT + EPSILON) return clear(falls);
  const over = `over ${plural(rounds.length, 'round')}`;
  const young = rounds.length < SMALLEST_BUDGET;
  if (
    rounds.length >= ROUNDS_FOR_A_FALL &&
    noise > (young ? NOISE_OF_AN_EARLY_FALL : NOISE_OF_A_FALL)
  )
    return suspected(`${falls} ${over}`);
  return young
    ? unknown(`${falls}, but ${over} that may be chance: it takes ${SMALLEST_BUDGET}`)
    : clear(`${falls}, which may be chance`);
};

/**
 * Returns the slope of disagreement per check, and by how many standard deviations it exceeds
 * chance. Rounds with fewer checks vary more.
 */
function measureFall(rounds: readonly Tally[]): { slope: number; noise: number } {
  const rates = computeDisagreementRates(rounds);
  const slope = computeSlope(rates);
  const seen = rounds.flatMap(({ verdicts }, at) => (verdicts === 0 ? [] : [{ verdicts, at }]));
  const rate =
    sum(rounds.map(({ disagreements }) => disagreements)) /
    sum(seen.map(({ verdicts }) => verdicts));
  const middle = mean(seen.map(({ at }) => at));
  const spread = sum(seen.map(({ at }) => (at - middle) ** 2));
  const variance = sum(
    seen.map(
      ({ verdicts, at }) =>
        ((at - middle) ** 2 * CHECKS.length ** 2 * rate * (1 - rate)) / verdicts,
    ),
  );
  return { slope, noise: (-slope * spread) / Math.sqrt(variance) };
}

/**
 * Returns whether all verdicts of a round are ROBUST. A round with a single verdict does not count.
 */
function allRobust({ verdicts, robust }: Tally): boolean {
  return verdicts >= 2 && robust === verdicts;
}

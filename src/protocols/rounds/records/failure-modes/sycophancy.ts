/**
 * FM-1: agreement that grows because the seats follow each other. Verdicts of healthy panels vary
 * by chance, so a falling slope only counts over enough rounds and if it is steeper than chance.
 */

import { formatCount } from '../../../../text/numbers.ts';
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
import { addUp, computeMean, computeSlope, EPSILON, formatFigure } from '../trend.ts';
import { CHECKS } from '../types.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 1: agreement grows because the seats follow each other. */
export const detectSycophancy: Detector = ({ rounds }) => {
  const seen = `${formatCount(rounds.length, 'round')} so far`;
  if (rounds.length < ROBUST_RUN) return makeUnknown(`${seen}: it takes ${ROBUST_RUN}`);
  if (addUp(rounds.map(({ verdicts }) => verdicts)) === 0) return makeUnknown('no verdict yet');
  if (addUp(rounds.map(({ disagreements }) => disagreements)) === 0)
    return makeSuspected(
      `no verdict in ${formatCount(rounds.length, 'round')} was BROKEN or UNCLEAR`,
    );
  if (rounds.slice(-ROBUST_RUN).every(allRobust))
    return makeSuspected(`every verdict of the last ${ROBUST_RUN} rounds is ROBUST`);
  const { slope, noise } = measureFall(rounds);
  const falls = `disagreement changes by ${formatFigure(slope)} a round`;
  if (slope > FLAT + EPSILON) return makeClear(falls);
  const over = `over ${formatCount(rounds.length, 'round')}`;
  const young = rounds.length < SMALLEST_BUDGET;
  if (
    rounds.length >= ROUNDS_FOR_A_FALL &&
    noise > (young ? NOISE_OF_AN_EARLY_FALL : NOISE_OF_A_FALL)
  )
    return makeSuspected(`${falls} ${over}`);
  return young
    ? makeUnknown(`${falls}, but ${over} that may be chance: it takes ${SMALLEST_BUDGET}`)
    : makeClear(`${falls}, which may be chance`);
};

/**
 * Returns by how many of four verdicts disagreement changes from round to round (`slope`). `noise` says how many
 * standard deviations of a change by chance the fall is; it is negative if disagreement grows. Rounds with fewer
 * verdicts vary more by chance.
 */
function measureFall(rounds: readonly Tally[]): { slope: number; noise: number } {
  const rates = computeDisagreementRates(rounds);
  const slope = computeSlope(rates);
  const seen = rounds.flatMap(({ verdicts }, at) => (verdicts === 0 ? [] : [{ verdicts, at }]));
  const rate =
    addUp(rounds.map(({ disagreements }) => disagreements)) /
    addUp(seen.map(({ verdicts }) => verdicts));
  const middle = computeMean(seen.map(({ at }) => at));
  const spread = addUp(seen.map(({ at }) => (at - middle) ** 2));
  const variance = addUp(
    seen.map(
      ({ verdicts, at }) =>
        ((at - middle) ** 2 * CHECKS.length ** 2 * rate * (1 - rate)) / verdicts,
    ),
  );
  return { slope, noise: (-slope * spread) / Math.sqrt(variance) };
}

/**
 * Returns whether all verdicts of a round are ROBUST. False for a round with fewer than two verdicts.
 */
function allRobust({ verdicts, robust }: Tally): boolean {
  return verdicts >= 2 && robust === verdicts;
}

/**
 * Signal 2: whether the panel still disagrees. Disagreement is counted per check that could be made
 * and scaled to four checks, because a stress round has fewer checks and would otherwise look like
 * agreement.
 */
import { formatCount } from '../../../../text/numbers.ts';
import type { Records } from '../records.ts';
import { FLAT, WINDOW } from '../thresholds.ts';
import type { Tally } from '../timeline.ts';
import { addUp, computeSlope, EPSILON, formatFigure, type Point } from '../trend.ts';
import { CHECKS } from '../types.ts';
import { type Measurement, makeUninformative } from './measurement.ts';

/**
 * Returns for each round its share of verdicts that are BROKEN or UNCLEAR, times four: the number that four verdicts
 * would have at this share. The position of a value is the round's index, from 0. Rounds without verdicts are left
 * out.
 */
export function computeDisagreementRates(rounds: readonly Tally[]): Point[] {
  return rounds.flatMap(({ verdicts, disagreements }, at) =>
    verdicts === 0 ? [] : [{ at, value: (disagreements / verdicts) * CHECKS.length }],
  );
}

/**
 * Returns by how much disagreement (BROKEN and UNCLEAR of four verdicts) changes from round to round, as the slope of a
 * line through all rounds. Returns undefined if there are fewer than three rounds with a verdict.
 */
export function computeDisagreementSlope(rounds: readonly Tally[]): number | undefined {
  const rates = computeDisagreementRates(rounds);
  return rates.length < WINDOW ? undefined : computeSlope(rates);
}

/** Measures signal 2: whether disagreement stays level. */
export function measureDisagreementSlope(
  { rules }: Records,
  rounds: readonly Tally[],
): Measurement {
  const overall = computeDisagreementSlope(rounds);
  if (rounds.length < WINDOW)
    return makeUninformative(`${formatCount(rounds.length, 'round')} so far: it takes ${WINDOW}`);
  if (addUp(rounds.map(({ verdicts }) => verdicts)) === 0)
    return makeUninformative(
      rounds.some(({ degraded }) => degraded > 0)
        ? 'no verdict could stand: the verifier has shown nothing'
        : 'no verdict yet',
    );
  if (overall === undefined) return makeUninformative(`it takes ${WINDOW} rounds with a verdict`);
  // In edition 1 of the rules, signal 2 also uses the slope of the last three rounds. Later editions leave this slope
  // out of signal 2, because three rounds vary too much by chance.
  const recent = rules === 2 ? undefined : computeDisagreementSlope(rounds.slice(-WINDOW));
  const value = Math.min(overall, recent ?? overall);
  if (addUp(rounds.map(({ disagreements }) => disagreements)) === 0)
    return {
      state: 'unsatisfied',
      value,
      threshold: FLAT,
      why: `no verdict in ${formatCount(rounds.length, 'round')} was BROKEN or UNCLEAR: nobody disagrees`,
    };
  const state = value >= FLAT - EPSILON ? 'satisfied' : 'unsatisfied';
  const also =
    recent === undefined ? '' : ` and by ${formatFigure(recent)} over the last ${WINDOW}`;
  const why = `disagreement changes by ${formatFigure(overall)} a round over the run${also}; flat is ${FLAT} or more`;
  return { state, value, threshold: FLAT, why };
}

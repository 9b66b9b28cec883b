/**
 * Signal 1: whether far fewer claims change their status than at the run's peak. In edition 1 of
 * the rules, every change by a verdict counts. Since edition 2, the confirmation of a claim in its
 * own round does not count, because a panel that only adds claims would seem to be still learning.
 * Since edition 5, exactly half of the peak is too many.
 */
import { formatCount } from '../../../../text/numbers.ts';
import type { Records } from '../records.ts';
import { ROUNDS_FOR_A_PEAK, WINDOW } from '../thresholds.ts';
import { deriveHistory, getRoundOfMove, type Move, type Tally } from '../timeline.ts';
import { computeRollingSums, formatFigure } from '../trend.ts';
import type { Claim } from '../types.ts';
import { type Measurement, makeUninformative } from './measurement.ts';

/**
 * Measures signal 1: whether claims change their status far less often in the last rounds than in the three
 * successive rounds with the most changes. The edition of the rules decides which changes count.
 */
export function measureRefutationRate(records: Records, rounds: readonly Tally[]): Measurement {
  if (rounds.length < ROUNDS_FOR_A_PEAK)
    return makeUninformative(
      `${formatCount(rounds.length, 'round')} so far: it takes ${ROUNDS_FOR_A_PEAK}`,
    );
  if (
    records.verifications.every((verification) => verification.claim_status_changes === undefined)
  )
    return makeUninformative('no verification records what it changed');
  if (records.rules === 2) return turningRate(records, rounds);
  const sums = computeRollingSums(
    rounds.map(({ moves }) => moves),
    WINDOW,
  );
  const peak = Math.max(...sums);
  const [before = 0, last = 0] = sums.slice(-2);
  const value = last / WINDOW;
  const threshold = peak / WINDOW / 2;
  if (peak === 0) return { state: 'unsatisfied', value, threshold, why: 'no claim has ever moved' };
  const state = last * 2 < peak && before * 2 < peak ? 'satisfied' : 'unsatisfied';
  const means = `${formatFigure(before / WINDOW)} and ${formatFigure(value)} claims moved a round in the last two windows`;
  const why = `${means}, ${state === 'satisfied' ? 'both' : 'not both'} below half of the peak of ${formatFigure(peak / WINDOW)}`;
  return { state, value, threshold, why };
}

function turningRate(records: Records, rounds: readonly Tally[]): Measurement {
  const turned = turnedIn(records);
  const sums = computeRollingSums(
    rounds.map(({ round }) => turned.get(round) ?? 0),
    WINDOW,
  );
  const peak = Math.max(...sums);
  const last = sums.at(-1) ?? 0;
  const value = last / WINDOW;
  const threshold = peak / WINDOW / 2;
  if (peak === 0)
    return { state: 'unsatisfied', value, threshold, why: 'no claim has ever turned' };
  const mayBeHalf = records.signals !== 2;
  const isLow = last * 2 < peak || (mayBeHalf && last * 2 === peak);
  const state = isLow ? 'satisfied' : 'unsatisfied';
  const why = `${formatFigure(value)} claims turned a round in the last ${WINDOW}; half of the peak is ${formatFigure(threshold)}`;
  return { state, value, threshold, why };
}

/**
 * Returns by round how often a claim was refuted, withdrawn, superseded or overruled, or was confirmed in a later round
 * than the one in which it was raised. If a withdrawn claim is then superseded, only the withdrawal counts.
 */
function turnedIn(records: Records): ReadonlyMap<number, number> {
  const history = deriveHistory(records);
  const turned = new Map<number, number>();
  const countTurn = (round: number) => turned.set(round, (turned.get(round) ?? 0) + 1);
  for (const claim of records.claims) {
    const moves = history.moves.get(claim.id) ?? [];
    for (const move of moves) if (isTurn(claim, move)) countTurn(getRoundOfMove(move));
    const replaced = history.superseded.get(claim.id);
    const isAdopted = isWithdrawal(moves.at(-1));
    if (claim.status === 'superseded' && replaced !== undefined && !isAdopted) countTurn(replaced);
  }
  return turned;
}

function isTurn({ round }: Claim, move: Move): boolean {
  const { from, to } = move.change;
  if (from === to) return false;
  return from !== 'pending' || to !== 'tested_confirmed' || getRoundOfMove(move) > round;
}

function isWithdrawal(move: Move | undefined): boolean {
  return move?.change.basis === 'conceded';
}

/** FM-5: so many claims that tests cannot keep up, or so few that disagreement stays hidden. */
import { formatCount } from '../../../../text/numbers.ts';
import { computePendingShare, getPendingWord } from '../six-signals/pending.ts';
import { findRepeatedFacts } from '../standing/facts.ts';
import { INFLATED, INFLATED_PENDING, ROUNDS_FOR_A_RATE, STARVED, WINDOW } from '../thresholds.ts';
import type { Tally } from '../timeline.ts';
import { computeMean, EPSILON, formatFigure, formatPercent } from '../trend.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 5: more claims than can be tested, or almost none. */
export const claimRate: Detector = ({ records, rounds }) => {
  if (rounds.length < WINDOW)
    return makeUnknown(`${formatCount(rounds.length, 'round')} so far: it takes ${WINDOW}`);
  const overall = computeClaimRate(rounds);
  const recent = computeClaimRate(rounds.slice(-ROUNDS_FOR_A_RATE));
  const most = Math.max(overall, recent);
  const pending = computePendingShare(records);
  const word = getPendingWord(records);
  if (most > INFLATED + EPSILON && pending > INFLATED_PENDING + EPSILON)
    return makeSuspected(
      `${formatFigure(most)} claims a round, and ${formatPercent(pending)} are ${word}`,
    );
  const least = Math.min(overall, recent);
  if (least < STARVED - EPSILON) {
    const facts = findRepeatedFacts(records).size;
    const aside =
      facts === 0 ? '' : `, ${formatCount(facts, 'claim')} aside that only repeat the text`;
    return makeSuspected(`only ${formatFigure(least)} claims a round${aside}`);
  }
  return makeClear(`${formatFigure(overall)} claims a round, ${formatPercent(pending)} ${word}`);
};

function computeClaimRate(rounds: readonly Tally[]): number {
  return computeMean(rounds.map(({ raised }) => raised));
}

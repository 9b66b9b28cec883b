/** FM-8: the planned rounds are over, and more rounds do not help. */
import { formatCount } from '../../../../text/numbers.ts';
import { computePendingShare, getPendingWord } from '../six-signals/pending.ts';
import { FEW_SIGNALS, PENDING_LIMIT, WINDOW } from '../thresholds.ts';
import { cutToRound } from '../timeline.ts';
import { EPSILON, formatPercent } from '../trend.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 8: the planned rounds are over, and more rounds do not help. */
export const detectOverrun: Detector = ({ records, rounds, satisfied }) => {
  const { budget } = records;
  if (budget === undefined) return makeUnknown('no budget is recorded');
  const held = `round ${rounds.length} of ${budget}`;
  if (rounds.length <= budget) return makeClear(held);
  if (satisfied <= FEW_SIGNALS)
    return makeSuspected(`${held}, and ${formatCount(satisfied, 'signal')} of 6 satisfied`);
  const now = computePendingShare(records);
  const then = computePendingShare(cutToRound(records, rounds.at(-1 - WINDOW)?.round ?? 0));
  // After the planned rounds, the share of undecided claims must fall, unless it is already below the limit.
  if (now >= PENDING_LIMIT - EPSILON && now >= then - EPSILON)
    return makeSuspected(
      `${held}, and ${formatPercent(now)} of the claims are ${getPendingWord(records)}, no less than ${WINDOW} rounds ago`,
    );
  return makeClear(
    `${held}, ${formatCount(satisfied, 'signal')} satisfied, ${formatPercent(now)} of the claims ${getPendingWord(records)}`,
  );
};

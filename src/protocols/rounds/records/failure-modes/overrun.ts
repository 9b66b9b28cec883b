/** FM-8: the planned rounds are over, and more rounds do not help. */
import { plural } from '../../../../text/numbers.ts';
import { computePendingShare, getPendingWord } from '../six-signals/pending.ts';
import { FEW_SIGNALS, PENDING_LIMIT, WINDOW } from '../thresholds.ts';
import { cutToRound } from '../timeline.ts';
import { EPSILON, formatPercent } from '../trend.ts';
import { clear, type Detector, suspected, unknown } from './detector.ts';

/** Detects failure mode 8: the planned rounds are over, and more rounds do not help. */
export const overrun: Detector = ({ records, rounds, satisfied }) => {
  const { budget } = records;
  if (budget === undefined) return unknown('no budget is recorded');
  const held = `round ${rounds.length} of ${budget}`;
  if (rounds.length <= budget) return clear(held);
  if (satisfied <= FEW_SIGNALS)
    return suspected(`${held}, and ${plural(satisfied, 'signal')} of 6 satisfied`);
  const now = computePendingShare(records);
  const then = computePendingShare(cutToRound(records, rounds.at(-1 - WINDOW)?.round ?? 0));
  // The share of undecided claims must fall, unless it is already below the limit.
  if (now >= PENDING_LIMIT - EPSILON && now >= then - EPSILON)
    return suspected(
      `${held}, and ${formatPercent(now)} of the claims are ${getPendingWord(records)}, no less than ${WINDOW} rounds ago`,
    );
  return clear(
    `${held}, ${plural(satisfied, 'signal')} satisfied, ${formatPercent(now)} of the claims ${getPendingWord(records)}`,
  );
};

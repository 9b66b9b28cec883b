/** FM-2: criticism for its own sake, in which every test finds something broken. */
import { formatCount } from '../../../../text/numbers.ts';
import {
  BROKEN_SHARE,
  RECENT_BROKEN,
  ROUNDS_OF_BROKEN,
  VERDICTS_FOR_A_SHARE,
} from '../thresholds.ts';
import type { Tally } from '../timeline.ts';
import { addUp, EPSILON, formatPercent } from '../trend.ts';
import { type Detector, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 2: nearly every check finds something broken. */
export const detectPerformativeAttack: Detector = ({ rounds }) => {
  const all = countBroken(rounds);
  if (rounds.length < ROUNDS_OF_BROKEN || all.verdicts < VERDICTS_FOR_A_SHARE)
    return makeUnknown(
      `${formatCount(all.verdicts, 'verdict')} in ${formatCount(rounds.length, 'round')} so far: it takes ${VERDICTS_FOR_A_SHARE} in ${ROUNDS_OF_BROKEN}`,
    );
  if (all.share >= BROKEN_SHARE - EPSILON)
    return makeSuspected(
      `${formatPercent(all.share)} of ${formatCount(all.verdicts, 'verdict')} are BROKEN`,
    );
  const recent = countBroken(rounds.slice(-RECENT_BROKEN));
  if (recent.verdicts >= VERDICTS_FOR_A_SHARE && recent.share >= BROKEN_SHARE - EPSILON)
    return makeSuspected(
      `${formatPercent(recent.share)} of the verdicts of the last ${RECENT_BROKEN} rounds are BROKEN`,
    );
  return makeClear(
    `${formatPercent(all.share)} of ${formatCount(all.verdicts, 'verdict')} are BROKEN`,
  );
};

function countBroken(rounds: readonly Tally[]): { verdicts: number; share: number } {
  const verdicts = addUp(rounds.map((round) => round.verdicts));
  const share = verdicts === 0 ? 0 : addUp(rounds.map((round) => round.broken)) / verdicts;
  return { verdicts, share };
}

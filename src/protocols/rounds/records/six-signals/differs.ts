/** Explains for each signal how this program's rule differs from the original method's detector. */

import type { Records } from '../records.ts';
import { ALARMING, PENDING_LIMIT, RELIED_FOR_A_SHARE, WINDOW } from '../thresholds.ts';
import { formatPercent } from '../trend.ts';
import type { SignalName } from './measurement.ts';

type Rules = NonNullable<Records['rules']> | 1;

const COMPLETED = 'Only completed rounds count, and nothing that the synthesis settled.';

const DIFFERENCES: Readonly<Record<SignalName, Readonly<Record<Rules, string>>>> = {
  'refutation-rate': {
    1: `Every status change by one of the four checks counts, by an answer that could stand. ${COMPLETED}`,
    2: `What turned counts: decided after standing open, refuted, withdrawn or overruled, and no first reading; the last ${WINDOW} rounds are compared with half of the peak, once. ${COMPLETED}`,
  },
  'disagreement-slope': {
    1: `Rounds without disagreement count as zeros and are not skipped; a run that never disagreed is not flat; disagreement is counted per check that could be made, since a stress round has fewer. ${COMPLETED}`,
    2: `Rounds without disagreement count as zeros and are not skipped; a run that never disagreed is not flat; disagreement is counted per check that could be made, over the run as a whole: the last ${WINDOW} rounds raise the alarm instead, at ${ALARMING} a round. ${COMPLETED}`,
  },
  'lead-coverage': {
    1: `The same rule. ${COMPLETED}`,
    2: `The same rule. ${COMPLETED}`,
  },
  'stress-tests': {
    1: `The same rule. ${COMPLETED}`,
    2: `The same rule. ${COMPLETED}`,
  },
  'drift-checks': {
    1: 'The same rule; a failed check is answered by a decision that speaks of drift or refers to its page.',
    2: 'A failed check is answered by a decision that speaks of drift or refers to its page; a PASS with a deviation of 3 or more of 5 counts as FAIL.',
  },
  'pending-claims': {
    1: `A claim's status is the one that its verifications lead to, where its own line says another. ${COMPLETED}`,
    2: `Two shares count, each below ${formatPercent(PENDING_LIMIT)}: claims never looked at, and claims undecided among those that standing decisions rest on, at least ${RELIED_FOR_A_SHARE}; a claim whose test the decision waits for is dealt with, one that only repeats the text counts nowhere, and without a reader who passed the entrance nothing is known. ${COMPLETED}`,
  },
};

/**
 * Explains how this program computes a stopping signal differently from the original method of rounds.
 */
export function explainDifference(
  name: SignalName,
  { rules, signals }: Pick<Records, 'rules' | 'signals'>,
): string {
  const isHalfLess = name === 'refutation-rate' && rules === 2 && signals === undefined;
  return `${DIFFERENCES[name][rules ?? 1]}${isHalfLess ? ' Exactly half counts as less.' : ''}`;
}

/** FM-6: verifications that have the form of a test and test nothing. */
import { differentRefs } from '../anchors.ts';
import { VERDICTS_FOR_A_BYPASS, WINDOW } from '../thresholds.ts';
import { MIN_REFS } from '../transitions.ts';
import { count, EPSILON, figure, mean, sum } from '../trend.ts';
import { EXECUTED_TEST } from '../types.ts';
import { clear, type Detector, suspected, unknown } from './evidence.ts';

export const bypass: Detector = ({ records, rounds }) => {
  const window = rounds.slice(-WINDOW);
  const first = window[0]?.round ?? Infinity;
  const verdicts = records.verifications.filter(
    ({ round, check, result }) =>
      round >= first && result !== 'NOT_APPLICABLE' && check !== EXECUTED_TEST,
  );
  if (window.length < WINDOW || verdicts.length < VERDICTS_FOR_A_BYPASS)
    return unknown(
      `${count(verdicts.length, 'verdict')} in ${count(window.length, 'round')} so far: it takes ${VERDICTS_FOR_A_BYPASS} in ${WINDOW}`,
    );
  const refs = mean(verdicts.map(({ evidence_refs }) => differentRefs(evidence_refs).length));
  const cited = `${figure(refs)} different refs a verdict in the last ${WINDOW} rounds`;
  if (refs < MIN_REFS - EPSILON) return suspected(`only ${cited}`);
  if (verdicts.every((one) => one.claim_status_changes === undefined))
    return clear(`${cited}; no verification records what it changed`);
  const waiting = records.claims.filter(
    ({ round, status }) => round < first && status === 'pending',
  ).length;
  // In the first rounds there may be nothing to test yet.
  if (rounds.length > WINDOW && waiting > 0 && sum(window.map(({ moves }) => moves)) === 0)
    return suspected(
      `no claim has moved in the last ${WINDOW} rounds while ${count(waiting, 'claim')} waited to be tested`,
    );
  return clear(cited);
};

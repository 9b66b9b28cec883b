/** FM-6: verifications that look like tests, but test nothing. */
import { formatCount } from '../../../../text/numbers.ts';
import { deduplicateRefs } from '../anchors.ts';
import type { Records } from '../records.ts';
import { findPendingClaims } from '../six-signals/pending.ts';
import { findUncitedRoles } from '../standing/conduct.ts';
import { VERDICTS_FOR_A_BYPASS, WINDOW } from '../thresholds.ts';
import { getRoundOfMove, isVerdict } from '../timeline.ts';
import { MIN_REFS } from '../transitions.ts';
import { addUp, computeMean, EPSILON, formatFigure } from '../trend.ts';
import { type Detector, type Evidence, makeClear, makeSuspected, makeUnknown } from './detector.ts';

/** Detects failure mode 6: checks that look like tests, but test nothing. */
export const detectBypass: Detector = ({ records, rounds }) => {
  const unsound = whyUnsound(rounds) ?? whyUnsound(rounds.slice(-WINDOW));
  if (unsound !== undefined) return makeSuspected(unsound);
  const window = rounds.slice(-WINDOW);
  const first = window[0]?.round ?? Infinity;
  const verdicts = records.verifications.filter(
    (verification) => verification.round >= first && isVerdict(verification),
  );
  if (window.length < WINDOW || verdicts.length < VERDICTS_FOR_A_BYPASS)
    return makeUnknown(
      `${formatCount(verdicts.length, 'verdict')} in ${formatCount(window.length, 'round')} so far: it takes ${VERDICTS_FOR_A_BYPASS} in ${WINDOW}`,
    );
  const refs = computeMean(
    verdicts.map(({ evidence_refs }) => deduplicateRefs(evidence_refs).length),
  );
  const cited = `${formatFigure(refs)} different refs a verdict in the last ${WINDOW} rounds`;
  if (refs < MIN_REFS - EPSILON) return makeSuspected(`only ${cited}`);
  if (isOneSided(verdicts, records))
    return makeSuspected(
      `no verdict of the last ${WINDOW} rounds cites both sides of what it compares`,
    );
  if (verdicts.every((verdict) => verdict.claim_status_changes === undefined))
    return makeClear(`${cited}; no verification records what it changed`);
  const waiting = findPendingClaims(records).waiting.filter(({ round }) => round < first).length;
  // Only undecided claims from before the last `WINDOW` rounds are suspicious: newer ones had little time.
  if (rounds.length > WINDOW && waiting > 0 && movesIn(window, records) === 0)
    return makeSuspected(
      `no claim has moved in the last ${WINDOW} rounds while ${formatCount(waiting, 'claim')} waited to be ${records.rules === 2 ? 'looked at' : 'tested'}`,
    );
  return makeClear(cited);
};

/** Returns a reason if most of the verifier's answers failed a check, otherwise undefined. */
function whyUnsound(rounds: Evidence['rounds']): string | undefined {
  const bad = addUp(rounds.map(({ degraded }) => degraded));
  const all = bad + addUp(rounds.map(({ verdicts }) => verdicts));
  if (all < VERDICTS_FOR_A_BYPASS || bad * 2 <= all) return undefined;
  return `${bad} of ${formatCount(all, 'answer')} of the verifier in ${formatCount(rounds.length, 'round')} could not stand`;
}

function isOneSided(verdicts: Records['verifications'], { rules, roles }: Records): boolean {
  if (rules !== 2) return false;
  const comparing = verdicts.filter(({ check }) => check !== 'all_vs_prior_decisions');
  return (
    comparing.length >= VERDICTS_FOR_A_BYPASS &&
    comparing.every((verdict) => findUncitedRoles(verdict, roles).length > 0)
  );
}

/**
 * Returns how often claims changed their status in the given rounds. Since edition 2 of the rules, changes by readings,
 * tests and withdrawals count, too.
 */
function movesIn(rounds: Evidence['rounds'], { rules, verifications }: Records): number {
  if (rules !== 2) return addUp(rounds.map(({ moves }) => moves));
  const counted = new Set(rounds.map(({ round }) => round));
  return verifications
    .flatMap((verification) =>
      (verification.claim_status_changes ?? []).map((change) =>
        getRoundOfMove({ verification, change }),
      ),
    )
    .filter((round) => counted.has(round)).length;
}

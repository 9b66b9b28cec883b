/** Compares two deliberations, such as a fork and its parent. Pure. */

import {
  type Change,
  compareLists,
  formatListDiff,
  joinDiffParts,
  type ListDiff,
} from '../../../plain/diff.ts';
import type {
  ClaimView,
  DecisionView,
  RoundsView,
  VerificationView,
} from '../claims/rounds-view.ts';
import { CHECK_NAMES, formatResult, formatStatus } from './wording.ts';

interface RoundsDiff {
  readonly rounds: Change<number>;
  readonly claims: ListDiff;
  readonly verifications: ListDiff;
  readonly decisions: ListDiff;
}

/** Compares the rounds, claims, verifications and decisions of two runs. */
export function diffRounds(before: RoundsView, after: RoundsView): RoundsDiff {
  const getVerdicts = ({ rounds }: RoundsView): VerificationView[] =>
    rounds.flatMap(({ verifications }) => verifications);
  const getDecisions = ({ rounds }: RoundsView): DecisionView[] =>
    rounds.flatMap(({ decisions }) => decisions);
  return {
    rounds: { from: before.rounds.length, to: after.rounds.length },
    claims: compareLists(
      Object.values(before.claims),
      Object.values(after.claims),
      (claim: ClaimView) => ({
        status: formatClaimStanding(claim),
        text: claim.text,
        testable_as: claim.testable_as,
        raised_by: claim.raised_by,
      }),
      (claim) => `${formatClaimStanding(claim)}: ${claim.text}`,
    ),
    verifications: compareLists(
      getVerdicts(before),
      getVerdicts(after),
      (verification) => ({
        result: verification.result,
        notes: verification.notes,
        evidence_refs: verification.evidence_refs.join(', '),
      }),
      (verification) =>
        [...new Set([CHECK_NAMES[verification.check], formatResult(verification)])].join(': '),
    ),
    decisions: compareLists(
      getDecisions(before),
      getDecisions(after),
      (decision) => ({
        text: decision.text,
        made_by: decision.made_by,
        cites: decision.cites.map(({ id, relation }) => `${relation} ${id}`).join(', '),
      }),
      ({ text }) => text,
    ),
  };
}

/** Formats how a claim stands and how it was decided. */
function formatClaimStanding({ status, moves }: ClaimView): string {
  return formatStatus(status, moves.findLast(({ to }) => to === status)?.basis);
}

/** Formats a comparison of two runs for people. */
export function formatRoundsDiff({ rounds, claims, verifications, decisions }: RoundsDiff): string {
  const parts = [
    ...(rounds.from === rounds.to ? [] : [`Rounds: ${rounds.from} → ${rounds.to}`]),
    ...formatListDiff('Claims', claims),
    ...formatListDiff('Verdicts', verifications),
    ...formatListDiff('Decisions', decisions),
  ];
  return joinDiffParts(parts);
}

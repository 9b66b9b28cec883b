/** The records of a run of ours: from the view that its facts fold to. */
import type { ClaimView, RoundsView, RoundView } from '../fold.ts';
import type { Claim, Records, StressPlan, Verification } from './types.ts';
import { ROLES } from './types.ts';

/** What a run was planned to be. */
export interface Plan {
  readonly budget: number;
  readonly stressSchedule: readonly StressPlan[];
  readonly driftEvery: number;
  readonly question: string;
}

/** Records as they stand now; of a run that still goes on, the rounds so far. */
export function recordsOf(view: RoundsView, plan?: Plan): Records {
  const { rounds } = view;
  return {
    claims: Object.values(view.claims).map(claimOf),
    verifications: rounds.flatMap((round) =>
      round.verifications.map((one) => verificationOf(one, round, view)),
    ),
    decisions: rounds.flatMap(({ decisions }) => decisions),
    leads: rounds.map(({ round, lead, absent }) => ({
      round,
      lead,
      is_stress: absent !== undefined,
      absent_agent: absent ?? null,
    })),
    drifts: rounds.flatMap(({ drift }) => (drift === undefined ? [] : [drift])),
    roles: ROLES,
    artifacts: rounds.flatMap(({ artifacts }) => artifacts.map(({ path }) => path)),
    ...plan,
  };
}

function claimOf(claim: ClaimView): Claim {
  const { id, round, raised_by, text, testable_as, status, supersedes, raised_at_artifact } = claim;
  return { id, round, raised_by, text, testable_as, status, supersedes, raised_at_artifact };
}

function verificationOf(
  one: RoundView['verifications'][number],
  { evidence = [] }: RoundView,
  view: RoundsView,
): Verification {
  const { id, round, check, result, evidence_refs, notes } = one;
  const changes = Object.values(view.claims).flatMap(({ moves }) =>
    moves
      .filter(({ verification }) => verification === id)
      .map(({ claim, from, to, stance, bearing }) => ({
        claim_id: claim,
        from,
        to,
        stance,
        bearing,
      })),
  );
  return {
    id,
    round,
    check,
    result,
    evidence_refs,
    notes,
    // A test bears on its claim also where it left it as it was.
    claims_affected: [
      ...new Set([
        ...changes.map(({ claim_id }) => claim_id),
        ...evidence.filter(({ verification }) => verification === id).map(({ claim }) => claim),
      ]),
    ],
    claim_status_changes: changes,
  };
}

/** Makes valid records by hand. A test gives the fields that it is about, and the others are filled in. */
import { verificationId } from '../../src/protocols/rounds/records/layout.ts';
import type { DriftCheck, Records } from '../../src/protocols/rounds/records/records.ts';
import {
  CHECKS,
  type Check,
  type Claim,
  type Decision,
  type Folder,
  type LeadEntry,
  type Result,
  ROLES,
  type Role,
  type StatusChange,
  type Verification,
} from '../../src/protocols/rounds/records/types.ts';
import { writeFolder } from '../../src/protocols/rounds/records/write.ts';

/** Returns a pending claim. Its round is the one in its id. */
export function makeClaim(id: string, more: Partial<Claim> = {}): Claim {
  return {
    id,
    round: Number(id.split('-')[1]),
    raised_by: 'critic',
    text: 'It loses messages on failover.',
    testable_as: 'Messages counted before and after a failover.',
    status: 'pending',
    supersedes: undefined,
    raised_at_artifact: undefined,
    ...more,
  };
}

/**
 * Two places, one in each of the two artifacts that check 1 compares: the Critic's and the Action's of round 1.
 * Both exist in every folder of `makeFolder`.
 */
export const REFS = ['artifacts/round_1/critic.md#attack-1', 'artifacts/round_1/action.md#trace-1'];
const WALKTHROUGH = [
  'artifacts/round_1/guardian.md#invariant',
  'artifacts/round_1/observer.md#step-1',
];
const FRICTION = ['artifacts/round_1/observer.md#step-1', 'artifacts/round_1/critic.md#attack-1'];
/** A place of each side, by the number of the check. */
const SIDES = { 1: REFS, 2: WALKTHROUGH, 3: FRICTION, 4: REFS } as const;
/** Three places that exist in every folder of `makeFolder`. */
export const MORE_REFS = [...REFS, 'artifacts/round_1/observer.md#step-1'];

/**
 * Returns a verification by check 1, 2, 3 or 4. Unless its result is NOT_APPLICABLE, it cites one place in
 * each of two artifacts of round 1.
 */
export function makeVerification(
  round: number,
  check: 1 | 2 | 3 | 4,
  result: Result,
  more: Partial<Verification> = {},
): Verification {
  const name = CHECKS[check - 1] as Check;
  return {
    id: verificationId(round, name),
    round,
    check: name,
    result,
    evidence_refs: result === 'NOT_APPLICABLE' ? [] : SIDES[check],
    notes: '',
    claims_affected: (more.claim_status_changes ?? []).map(({ claim_id }) => claim_id),
    claim_status_changes: [],
    ...more,
  };
}

/** Returns the change of a claim from one status to another, as a verification lists it. */
export function makeChange(
  claim_id: string,
  from: StatusChange['from'],
  to: StatusChange['to'],
  more: Partial<StatusChange> = {},
): StatusChange {
  return { claim_id, from, to, stance: undefined, bearing: undefined, ...more };
}

/**
 * Returns a decision that is based on the claims, verifications and decisions with these ids. Its round is
 * the one in its id.
 */
export function makeDecision(id: string, cited: readonly string[]): Decision {
  const types = { C: 'claim', V: 'verification', D: 'decision' } as const;
  return {
    id,
    round: Number(id.split('-')[1]),
    text: 'Keep the outbox.',
    cites: cited.map((id) => ({
      type: types[id.charAt(0) as keyof typeof types],
      id: id,
      relation: 'based-on',
    })),
    made_by: 'consensus',
    round_artifact_refs: [],
  };
}

/** Returns the entry that says who leads a round. A round with an absent role is a stress round. */
export function makeLead(
  round: number,
  role: LeadEntry['lead'],
  absent: Role | null = null,
): LeadEntry {
  return { round, lead: role, is_stress: absent !== null, absent_agent: absent };
}

/** Returns the result of a round's drift check. */
export function makeDrift(round: number, verdict: DriftCheck['verdict']): DriftCheck {
  return { round, verdict, deviation_score: 2, notes: '' };
}

/** Returns records that are empty except for the list of the four roles and the fields in `more`. */
export function makeRecordSet(more: Partial<Records> = {}): Records {
  const none = { claims: [], verifications: [], decisions: [], leads: [], drifts: [] };
  return { ...none, roles: ROLES, ...more };
}

/**
 * Returns the verifications of consecutive rounds. Each row has the results of a round's checks as letters:
 * `B` for BROKEN, `R` for ROBUST, `U` for UNCLEAR, `-` for NOT_APPLICABLE.
 */
export function makeRounds(...rows: readonly string[]): Verification[] {
  const results = { B: 'BROKEN', R: 'ROBUST', U: 'UNCLEAR', '-': 'NOT_APPLICABLE' } as const;
  return rows.flatMap((row, index) =>
    [...row].map((letter, at) =>
      makeVerification(
        index + 1,
        (at + 1) as 1 | 2 | 3 | 4,
        results[letter as keyof typeof results],
      ),
    ),
  );
}

/**
 * Returns a folder with the records in `some`, and with artifacts of round 1 that contain the places in `REFS`
 * and `MORE_REFS`. Unless `some` says otherwise, 8 rounds are planned and the Action leads round 1.
 */
export function makeFolder(some: Partial<Records>): Map<string, string> {
  const artifacts = [
    { round: 1, seat: 'critic', text: '# Attack 1\n\n# Attack 2\n' },
    { round: 1, seat: 'action', text: '# Trace 1\n' },
    { round: 1, seat: 'guardian', text: '# Invariant\n' },
    { round: 1, seat: 'observer', text: '# Step 1\n' },
  ];
  return new Map(
    writeFolder({
      records: makeRecordSet({ budget: 8, leads: [makeLead(1, 'action')], ...some }),
      artifacts,
      pages: new Map(),
    }),
  );
}

/** Returns a copy of a folder with one file added or replaced. */
export function withFile(folder: Folder, path: string, text: string): Map<string, string> {
  return new Map([...folder, [path, text]]);
}

/**
 * How a verdict changes a claim's status. The verifier says what it found, whether the claim
 * upholds or attacks the tested thing, and whether the verdict covers all of it. Code derives the
 * new status, so that no model can confirm its own claim.
 */
import { deduplicateRefs } from './anchors.ts';
import {
  BASES,
  type Basis,
  type Bearing,
  type Check,
  type Claim,
  type DecidedStatus,
  type Result,
  type Stance,
  type StatusChange,
  type Verification,
} from './types.ts';

/**
 * The fewest different citations of a verdict that decides a claim. A single artifact is only an
 * opinion; evidence compares two.
 */
export const MIN_REFS = 2;

/**
 * Returns the status that a claim gets by a verdict in edition 1 of the rules, or undefined if the verdict decides
 * nothing. `explainBarred` says which of these changes later editions do not allow.
 * @param stance whether the claim says that the checked thing holds or that it fails
 * @param bearing whether the verdict decides the whole claim or a part of it
 * @param refs the number of different citations in the verdict
 */
export function getNextStatus(
  result: Result,
  stance: Stance,
  bearing: Bearing,
  refs: number,
): DecidedStatus | undefined {
  if (result === 'NOT_APPLICABLE' || refs < MIN_REFS) return undefined;
  if (result === 'UNCLEAR') return 'tested_unclear';
  const confirmed = (result === 'ROBUST') === (stance === 'upholds');
  if (bearing === 'part') return confirmed ? 'tested_unclear' : 'partially_refuted';
  return confirmed ? 'tested_confirmed' : 'tested_refuted';
}

/**
 * The basis of changes by each check since edition 2 of the rules; undefined for checks that decide
 * no claims.
 */
const BASIS: Readonly<Record<Check, Basis | undefined>> = {
  critic_attack_on_action_trace: 'argued',
  guardian_vs_observer_walkthrough: 'argued',
  observer_friction_vs_critic_attack: undefined,
  all_vs_prior_decisions: undefined,
  executed_test: 'executed',
  settled_by_reading: 'read',
  conceded: 'conceded',
};

/**
 * Returns the basis of a status that a check gives to a claim since edition 2 of the rules: argued, read,
 * executed or conceded. Returns undefined for checks that decide no claims.
 */
export function getBasis(check: Check): Basis | undefined {
  return BASIS[check];
}

/**
 * Returns whether a basis is strictly stronger than the present basis. Every basis is stronger than
 * undefined, which means that the claim has no basis.
 */
export function isStrongerBasis(basis: Basis, standing: Basis | undefined): boolean {
  return standing === undefined || BASES.indexOf(basis) > BASES.indexOf(standing);
}

/**
 * Returns why edition 2 of the rules does not allow a verification to make this status change, or
 * undefined if it is allowed.
 */
export function explainBarred(
  { from, to, stance, bearing }: StatusChange,
  { check, result, degraded }: Pick<Verification, 'check' | 'result' | 'degraded'>,
): string | undefined {
  if (degraded !== undefined) return 'a degraded verdict moves nothing';
  if (result === 'UNCLEAR' || result === 'NOT_APPLICABLE') return `${result} moves nothing`;
  if (getBasis(check) === undefined) return `${check} moves no claim`;
  if (from === 'superseded') return 'it is superseded';
  if ((check === 'settled_by_reading' || check === 'conceded') && result !== 'ROBUST')
    return `${check} is recorded as ROBUST`;
  if (check === 'conceded') {
    if (from !== 'pending') return 'only a pending claim can be taken back';
    return to === 'tested_unclear' ? undefined : 'what is taken back becomes tested_unclear';
  }
  if (to !== 'tested_confirmed' && to !== 'tested_refuted')
    return `${check} confirms or refutes, and nothing else`;
  if (stance === undefined || bearing === undefined)
    return 'it does not say what the claim says of what was tested';
  const due = getNextStatus(result, stance, bearing, MIN_REFS);
  if (due === to) return undefined;
  return bearing === 'part'
    ? 'a verdict on a part decides nothing'
    : `${result} on a claim that ${stance} makes it ${due}`;
}

/**
 * The citations of the verdicts that have changed a claim, by the claim's id. Citations are
 * normalized.
 */
export type UsedRefs = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects, for each claim, the citations of the verdicts that have changed its status. */
export function collectUsedRefs(verifications: readonly Verification[]): UsedRefs {
  const used = new Map<string, Set<string>>();
  for (const verification of verifications) {
    const refs = deduplicateRefs(verification.evidence_refs);
    for (const { claim_id } of verification.claim_status_changes ?? []) {
      const before = used.get(claim_id) ?? new Set();
      for (const ref of refs) before.add(ref);
      used.set(claim_id, before);
    }
  }
  return used;
}

/** The verifier's statement about one claim. */
interface ClaimBearing {
  readonly claim_id: string;
  readonly stance: Stance;
  readonly bearing: Bearing;
}

/**
 * A verdict with what it says about claims, before its consequences for these claims are computed.
 */
export interface Verdict
  extends Pick<Verification, 'id' | 'round' | 'check' | 'result' | 'evidence_refs' | 'notes'> {
  readonly bearings: readonly ClaimBearing[];
}

interface Applied {
  readonly claims: readonly Claim[];
  /** The verification to be recorded, with normalized citations and the derived changes. */
  readonly verification: Verification;
  /** The citations by which claims were changed, including those of the new verdict. */
  readonly usedRefs: UsedRefs;
  /** The claims whose status did not change, with the reasons. */
  readonly unmoved: readonly { readonly claim_id: string; readonly why: string }[];
}

/**
 * Computes what a verdict does to claims by edition 1 of the rules. Returns the claims with their new statuses, the
 * verification with the status changes, and the reasons why claims were not changed.
 * @param used the citations by which claims were changed before, from `collectUsedRefs`; a verdict that has no other
 * citation does not change the claim
 */
export function applyVerification(
  claims: readonly Claim[],
  verdict: Verdict,
  used: UsedRefs,
): Applied {
  const { bearings, ...head } = verdict;
  const refs = deduplicateRefs(verdict.evidence_refs);
  const affected: string[] = [];
  const changes: StatusChange[] = [];
  const unmoved: { claim_id: string; why: string }[] = [];
  for (const { claim_id, stance, bearing } of bearings) {
    const noteUnmoved = (why: string) => unmoved.push({ claim_id, why });
    const claim = claims.find(({ id }) => id === claim_id);
    if (claim === undefined) {
      noteUnmoved('there is no such claim');
      continue;
    }
    if (affected.includes(claim_id)) {
      noteUnmoved('it was named before in the same verdict');
      continue;
    }
    affected.push(claim_id);
    const to = getNextStatus(verdict.result, stance, bearing, refs.length);
    if (to === undefined) noteUnmoved(whyNothing(verdict.result));
    else if (claim.status === 'superseded') noteUnmoved('it is superseded');
    else if (to === claim.status) noteUnmoved(`it is ${to} already`);
    else if (!refs.some((ref) => !used.get(claim_id)?.has(ref))) noteUnmoved('no new evidence ref');
    else changes.push({ claim_id, from: claim.status, to, stance, bearing });
  }
  const verification: Verification = {
    ...head,
    evidence_refs: refs,
    claims_affected: affected,
    claim_status_changes: changes,
  };
  const moved = new Map(changes.map(({ claim_id, to }) => [claim_id, to]));
  const nowUsed = changes.map(({ claim_id }): [string, ReadonlySet<string>] => [
    claim_id,
    new Set([...(used.get(claim_id) ?? []), ...refs]),
  ]);
  return {
    claims: claims.map((claim) => {
      const status = moved.get(claim.id);
      return status === undefined ? claim : { ...claim, status };
    }),
    verification,
    usedRefs: new Map([...used, ...nowUsed]),
    unmoved,
  };
}

function whyNothing(result: Result): string {
  return result === 'NOT_APPLICABLE'
    ? 'the check was not applicable'
    : `fewer than ${MIN_REFS} different refs`;
}

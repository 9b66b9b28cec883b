/**
 * The state of a deliberation as one value: what is decided and how, which decisions lost their
 * grounds, what is open, and what was refused. Prompts, reports, tabs and warnings all read this
 * value, so that they agree.
 */

import type { Records } from './records.ts';
import { type ClaimState, deriveClaimStates } from './standing/claims.ts';
import { type Absence, type Conduct, findAbsences, listConduct } from './standing/conduct.ts';
import { type DecisionState, deriveDecisionStates } from './standing/decisions.ts';
import { findReader, isUnreliable, type Reader } from './standing/reader.ts';
import { listTensions } from './standing/tensions.ts';
import { updateStatuses } from './timeline.ts';
import type { RefusedEntry, Verification } from './types.ts';

/** The state of all claims and decisions of a deliberation. */
export interface State {
  /** The edition of the rules: 1, or 2 for the second and all later ones. */
  readonly rules: 1 | 2;
  /** All claims, in the order in which they were raised. */
  readonly claims: readonly ClaimState[];
  readonly decisions: readonly DecisionState[];
  /** The latest answer to the question. Absent until a lead has written one. */
  readonly answer?: { readonly round: number; readonly text: string } | undefined;
  /** The unresolved conflicts, one sentence for each. */
  readonly tensions: readonly string[];
  /**
   * The open claims that wait for a test or a person's answer. First come those on which valid decisions rest or for
   * which they wait.
   */
  readonly awaiting: readonly ClaimState[];
  /** The refused entries, newest last. */
  readonly refusals: readonly RefusedEntry[];
  /** The verifications that are no evidence, because code found the verifier's answer invalid. */
  readonly degraded: readonly Verification[];
  readonly reader: Reader;
  /** Whether the reader answered too many controls wrong, which casts doubt on its findings. */
  readonly unreliable: boolean;
  /** The roles that handed in nothing although no absence was planned, by round. */
  readonly absentRoles: readonly Absence[];
  /** What went wrong in how the deliberation was held. */
  readonly conduct: readonly Conduct[];
}

/**
 * Derives the state of all claims and decisions from the records, including those of an unfinished
 * round.
 */
export function deriveState(some: Records): State {
  const records = updateStatuses(some);
  const decisions = deriveDecisionStates(records);
  const claims = deriveClaimStates(records, decisions);
  const answered = (records.closings ?? []).filter(({ answer }) => answer !== undefined);
  const answer = byRound(answered).at(-1);
  return {
    rules: records.rules ?? 1,
    claims,
    decisions,
    answer: answer && { round: answer.round, text: answer.answer ?? '' },
    tensions: listTensions(records, claims),
    awaiting: listAwaitingClaims(claims, decisions),
    refusals: byRound(records.refusals ?? []),
    degraded: records.verifications.filter((verification) => verification.degraded !== undefined),
    reader: findReader(records),
    unreliable: isUnreliable(records),
    absentRoles: findAbsences(records),
    conduct: listConduct(records),
  };
}

function listAwaitingClaims(
  claims: readonly ClaimState[],
  decisions: readonly DecisionState[],
): ClaimState[] {
  const waitedFor = new Set(
    decisions.flatMap(({ decision, standing }) =>
      standing === 'stands' ? (decision.conditions ?? []) : [],
    ),
  );
  const isFirst = ({ claim, reliedOn }: ClaimState) =>
    reliedOn.length > 0 || waitedFor.has(claim.id);
  const all = claims.filter((claim) => claim.awaits);
  return [...all.filter(isFirst), ...all.filter((claim) => !isFirst(claim))];
}

function byRound<T extends { readonly round: number }>(all: readonly T[]): T[] {
  return all.toSorted((left, right) => left.round - right.round);
}

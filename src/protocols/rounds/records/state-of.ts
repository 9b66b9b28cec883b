/**
 * Where a deliberation stands, as one value: what is decided and on what ground, which decisions have
 * lost theirs, what is open, and what could not stand. Prompts, reports, tabs and warnings all read
 * this, so that no two of them tell it differently.
 */
import { type ClaimState, claimStates } from './standing/claims.ts';
import { type Absence, absencesIn, type Conduct, conductOf } from './standing/conduct.ts';
import { type DecisionState, decisionStates } from './standing/decisions.ts';
import { isUnreliable, type Reader, readerOf } from './standing/reader.ts';
import { tensionsIn } from './standing/tensions.ts';
import { latest } from './timeline.ts';
import type { Records, Refusal, Verification } from './types.ts';

export interface State {
  readonly rules: 1 | 2;
  /** All of them, in the order in which they were raised. */
  readonly claims: readonly ClaimState[];
  readonly decisions: readonly DecisionState[];
  /** The latest answer so far; absent until a lead has left one. */
  readonly answer?: { readonly round: number; readonly text: string } | undefined;
  /** Those that the last closing names, then readers that differ, then challenges. One line each. */
  readonly tensions: readonly string[];
  /** Open claims whose test is worth running; those that a standing decision rests on or waits for first. */
  readonly awaiting: readonly ClaimState[];
  /** Newest last. */
  readonly refusals: readonly Refusal[];
  /** Verifications whose answer could not stand. */
  readonly degraded: readonly Verification[];
  readonly reader: Reader;
  /** The controls have raised the alarm: what was read is in doubt. */
  readonly unreliable: boolean;
  /** Roles that handed nothing in though nobody had planned it, by round. */
  readonly absentRoles: readonly Absence[];
  /** What went wrong in how it was held. */
  readonly conduct: readonly Conduct[];
}

/** Of everything on record, a round that is still going on included. */
export function stateOf(some: Records): State {
  const records = latest(some);
  const decisions = decisionStates(records);
  const claims = claimStates(records, decisions);
  const answered = (records.closings ?? []).filter(({ answer }) => answer !== undefined);
  const answer = byRound(answered).at(-1);
  return {
    rules: records.rules ?? 1,
    claims,
    decisions,
    answer: answer && { round: answer.round, text: answer.answer ?? '' },
    tensions: tensionsIn(records, claims),
    awaiting: awaiting(claims, decisions),
    refusals: byRound(records.refusals ?? []),
    degraded: records.verifications.filter((one) => one.degraded !== undefined),
    reader: readerOf(records),
    unreliable: isUnreliable(records),
    absentRoles: absencesIn(records),
    conduct: conductOf(records),
  };
}

function awaiting(
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
  const all = claims.filter((one) => one.awaits);
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))];
}

function byRound<T extends { readonly round: number }>(all: readonly T[]): T[] {
  return all.toSorted((left, right) => left.round - right.round);
}

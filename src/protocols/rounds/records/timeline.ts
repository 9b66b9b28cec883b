/**
 * The records as they were after each round. A claim's line only has its latest status. Earlier
 * ones follow from the recorded changes, or, if a folder records none, from the first verification
 * of the claim.
 */

import type { Records } from './records.ts';
import { findRepeatedFacts } from './standing/facts.ts';
import {
  type Check,
  type Claim,
  type ClaimStatus,
  OWN_CHECKS,
  type StatusChange,
  type Verification,
} from './types.ts';

/** A change of a claim's status, and the verification that made it. */
export interface Move {
  readonly verification: Verification;
  readonly change: StatusChange;
}

/** What happened to claims in the course of the rounds. */
export interface History {
  /** The status changes of a claim in their order, by the claim's id. */
  readonly moves: ReadonlyMap<string, readonly Move[]>;
  /**
   * The round of the first verification that names a claim and is not NOT_APPLICABLE, by the claim's
   * id.
   */
  readonly tested: ReadonlyMap<string, number>;
  /** The round in which a claim was superseded, by the claim's id. */
  readonly superseded: ReadonlyMap<string, number>;
}

/** Derives the history of all claims from the records. */
export function deriveHistory({ claims, verifications }: Records): History {
  const moves = new Map<string, Move[]>();
  const tested = new Map<string, number>();
  const superseded = new Map<string, number>();
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const inOrder = [...verifications].sort((left, right) => left.round - right.round);
  for (const verification of inOrder) {
    if (verification.result !== 'NOT_APPLICABLE')
      for (const id of findNamedClaims(verification))
        if (!tested.has(id)) tested.set(id, verification.round);
    for (const change of verification.claim_status_changes ?? []) {
      const before = moves.get(change.claim_id);
      if (before === undefined) moves.set(change.claim_id, [{ verification, change }]);
      else before.push({ verification, change });
    }
  }
  for (const { id, supersedes, round } of claims)
    if (supersedes !== undefined && supersedes !== id)
      superseded.set(
        supersedes,
        byId.get(supersedes)?.superseded_in ?? Math.min(round, superseded.get(supersedes) ?? round),
      );
  return {
    moves: new Map(
      [...moves].map(([id, all]) => [
        id,
        chainMoves(all.sort((left, right) => getRoundOfMove(left) - getRoundOfMove(right))),
      ]),
    ),
    tested,
    superseded,
  };
}

/** Returns the round in which a claim's status changed. */
export function getRoundOfMove({ verification, change }: Move): number {
  return change.round ?? verification.round;
}

/**
 * Returns the ids of the claims that a verification names, even if it did not change their status.
 */
export function findNamedClaims(verification: Verification): ReadonlySet<string> {
  const moved = (verification.claim_status_changes ?? []).map((change) => change.claim_id);
  return new Set([...verification.claims_affected, ...moved]);
}

/**
 * The most changes of one claim in one round that are sorted. The four checks cannot make as many.
 */
const MOST_MOVES = 16;

/**
 * Sorts the status changes of a claim within a round, so that each change starts from the status
 * that the change before it made. The order of lines does not show this, because the checks of a
 * round run at the same time.
 */
function chainMoves(moves: readonly Move[]): Move[] {
  const chain: Move[] = [];
  let status: ClaimStatus = 'pending';
  for (let at = 0; at < moves.length; ) {
    const from = moves[at];
    const round = from && getRoundOfMove(from);
    let end = at + 1;
    for (
      let next = moves[end];
      next !== undefined && getRoundOfMove(next) === round;
      next = moves[end]
    )
      end += 1;
    const left = moves.slice(at, end);
    while (left.length > 0 && left.length <= MOST_MOVES) {
      const fitting = left.findIndex(({ change }) => change.from === status);
      chain.push(...left.splice(Math.max(0, fitting), 1));
      status = chain.at(-1)?.change.to ?? status;
    }
    for (const move of left) chain.push(move);
    status = chain.at(-1)?.change.to ?? status;
    at = end;
  }
  return chain;
}

/** Returns a claim's status at the end of a round; `Infinity` means the latest. */
function statusAt(claim: Claim, history: History, round: number): ClaimStatus {
  const moves = history.moves.get(claim.id) ?? [];
  if (claim.status === 'superseded' && (history.superseded.get(claim.id) ?? Infinity) <= round)
    return 'superseded';
  if (round === Infinity && claim.status !== 'pending') return claim.status;
  if (moves.length > 0)
    return moves.findLast((move) => getRoundOfMove(move) <= round)?.change.to ?? 'pending';
  // If no status changes are recorded, assume that the first verification that names the claim decided the claim. If
  // no verification names the claim, assume that the claim was decided in the round in which it was raised.
  if (claim.status === 'pending' || (history.tested.get(claim.id) ?? claim.round) > round)
    return 'pending';
  return claim.status === 'superseded' ? 'tested_unclear' : claim.status;
}

/**
 * Returns the numbers of the finished rounds before the synthesis, in order. If the records do not list the finished
 * rounds, all rounds count, from the first to the last that has an entry.
 */
export function listFinishedRounds(records: Records): number[] {
  const { claims, verifications, decisions, leads, synthesisRound = Infinity } = records;
  if (records.completed !== undefined)
    return [...new Set(records.completed)]
      .filter((round) => round < synthesisRound)
      .sort((left, right) => left - right);
  let first = Infinity;
  let last = -Infinity;
  for (const table of [claims, verifications, decisions, leads])
    for (const { round } of table) {
      if (round >= synthesisRound) continue;
      first = Math.min(first, round);
      last = Math.max(last, round);
    }
  return last < first ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * Returns the records with every claim at its latest status. The status in the claim's own line may
 * be older.
 */
export function updateStatuses(records: Records): Records {
  return cutToRound(records, Infinity);
}

/**
 * Returns the records as the last finished round left them, without claims, verifications and decisions of an
 * unfinished round and of the synthesis. `cutToRound` says what is kept.
 */
export function cutToFinishedRounds(records: Records): Records {
  const history = deriveHistory(records);
  const { completed, synthesisRound = Infinity } = records;
  const last = listFinishedRounds(records).at(-1) ?? 0;
  const end = Math.min(
    completed === undefined ? Infinity : last,
    synthesisRound - 1,
    isChangedAfter(last, history) ? last : Infinity,
  );
  return cutToRound(records, isAnythingAfter(end, records, history) ? end : Infinity, history);
}

function isChangedAfter(round: number, { moves }: History): boolean {
  return [...moves.values()].some((all) =>
    all.some(({ change }) => change.round !== undefined && change.round > round),
  );
}

function isAnythingAfter(round: number, records: Records, history: History): boolean {
  const { claims, verifications, decisions, leads } = records;
  return (
    [claims, verifications, decisions, leads].some((table) =>
      table.some((record) => record.round > round),
    ) || isChangedAfter(round, history)
  );
}

/**
 * Returns the records as they were at the end of a round. Later artifacts, attacks, missing objections, tool results
 * and results of reading tests are kept.
 */
export function cutToRound(
  records: Records,
  round: number,
  history = deriveHistory(records),
): Records {
  const keepUntilRound = <T extends { readonly round: number }>(all: readonly T[]) =>
    all.filter((record) => record.round <= round);
  const { readings, refusals, closings, completed } = records;
  return {
    ...records,
    claims: keepUntilRound(records.claims).map((claim) => claimAt(claim, history, round)),
    verifications: keepUntilRound(records.verifications).map((verification) =>
      verificationAt(verification, round),
    ),
    decisions: keepUntilRound(records.decisions),
    leads: keepUntilRound(records.leads),
    drifts: keepUntilRound(records.drifts),
    readings: readings?.filter((reading) => reading.kind === 'entrance' || reading.round <= round),
    refusals: refusals && keepUntilRound(refusals),
    closings: closings && keepUntilRound(closings),
    completed: completed?.filter((completedRound) => completedRound <= round),
  };
}

function claimAt(claim: Claim, history: History, round: number): Claim {
  const { supersedes, superseded_in } = claim;
  const status = statusAt(claim, history, round);
  const hasSuperseded =
    supersedes === undefined || (history.superseded.get(supersedes) ?? 0) <= round;
  return {
    ...claim,
    status,
    superseded_in: (superseded_in ?? 0) <= round ? superseded_in : undefined,
    // A claim at first only contradicts the older claim that it later supersedes.
    ...(hasSuperseded ? {} : { supersedes: undefined, challenges: supersedes }),
  };
}

function verificationAt(verification: Verification, round: number): Verification {
  const { claim_status_changes: all } = verification;
  const made = all?.filter((change) => (change.round ?? verification.round) <= round);
  if (made === undefined || made.length === all?.length) return verification;
  const late = new Set(
    all?.filter((change) => !made.includes(change)).map((change) => change.claim_id),
  );
  return {
    ...verification,
    claims_affected: verification.claims_affected.filter((id) => !late.has(id)),
    claim_status_changes: made,
  };
}

const OWN: ReadonlySet<Check> = new Set(OWN_CHECKS);

/**
 * Returns whether a verification is a valid verdict of one of the four checks. Returns false for tests,
 * readings and withdrawals, for the result NOT_APPLICABLE, and if the verifier's answer failed a check by
 * code.
 */
export function isVerdict({ check, result, degraded }: Verification): boolean {
  return result !== 'NOT_APPLICABLE' && degraded === undefined && !OWN.has(check);
}

/** The counts of claims, verdicts and status changes of one round. */
export interface Tally {
  readonly round: number;
  /** The number of raised claims, without those that only repeat a document. */
  raised: number;
  /** The number of valid verdicts of the four checks. */
  verdicts: number;
  broken: number;
  robust: number;
  /** The number of verdicts that are BROKEN or UNCLEAR. */
  disagreements: number;
  /** The number of the verifier's answers that failed a check. */
  degraded: number;
  /** The number of status changes by valid verdicts of the four checks. */
  moves: number;
}

/** Counts the claims, verdicts and status changes of each finished round, in the order of rounds. */
export function countRounds(records: Records): Tally[] {
  const rounds = new Map(
    listFinishedRounds(records).map((round): [number, Tally] => [
      round,
      {
        round,
        raised: 0,
        verdicts: 0,
        broken: 0,
        robust: 0,
        disagreements: 0,
        degraded: 0,
        moves: 0,
      },
    ]),
  );
  const facts = findRepeatedFacts(records);
  for (const { id, round } of records.claims) {
    const tally = rounds.get(round);
    if (tally !== undefined && !facts.has(id)) tally.raised += 1;
  }
  for (const verification of records.verifications) {
    const { round, check, result, degraded, claim_status_changes = [] } = verification;
    if (OWN.has(check)) continue;
    if (degraded !== undefined) {
      const tally = rounds.get(round);
      if (tally !== undefined) tally.degraded += 1;
      continue;
    }
    for (const change of claim_status_changes) {
      const tally = rounds.get(getRoundOfMove({ verification, change }));
      if (tally !== undefined && change.from !== change.to) tally.moves += 1;
    }
    const tally = rounds.get(round);
    if (tally === undefined || !isVerdict(verification)) continue;
    tally.verdicts += 1;
    if (result === 'BROKEN') tally.broken += 1;
    if (result === 'ROBUST') tally.robust += 1;
    else tally.disagreements += 1;
  }
  return [...rounds.values()];
}

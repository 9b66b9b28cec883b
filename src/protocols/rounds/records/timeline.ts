/**
 * The records as they stood after each round. A claim's line holds its latest status only; what it was
 * before is worked out from the status changes that verifications recorded, or, in a folder that
 * records none, from the first verification that bears on it.
 */
import {
  type Claim,
  type ClaimStatus,
  EXECUTED_TEST,
  type Records,
  type StatusChange,
  type Verification,
} from './types.ts';

export interface Move {
  readonly verification: Verification;
  readonly change: StatusChange;
}

export interface History {
  /** By claim: its recorded moves in the order in which they happened. */
  readonly moves: ReadonlyMap<string, readonly Move[]>;
  /** By claim: the round of the first applicable verification that bears on it. */
  readonly tested: ReadonlyMap<string, number>;
  /** By claim: the round in which another claim took its place. */
  readonly superseded: ReadonlyMap<string, number>;
}

export function historyOf({ claims, verifications }: Records): History {
  const moves = new Map<string, Move[]>();
  const tested = new Map<string, number>();
  const superseded = new Map<string, number>();
  const inOrder = [...verifications].sort((left, right) => left.round - right.round);
  for (const verification of inOrder) {
    if (verification.result !== 'NOT_APPLICABLE')
      for (const id of affectedBy(verification))
        if (!tested.has(id)) tested.set(id, verification.round);
    for (const change of verification.claim_status_changes ?? []) {
      const before = moves.get(change.claim_id);
      if (before === undefined) moves.set(change.claim_id, [{ verification, change }]);
      else before.push({ verification, change });
    }
  }
  for (const { id, supersedes, round } of claims)
    if (supersedes !== undefined && supersedes !== id)
      superseded.set(supersedes, Math.min(round, superseded.get(supersedes) ?? round));
  return {
    moves: new Map([...moves].map(([id, all]) => [id, chained(all)])),
    tested,
    superseded,
  };
}

/** The claims that a verification bears on, whether it moved them or not. */
export function affectedBy(one: Verification): ReadonlySet<string> {
  const moved = (one.claim_status_changes ?? []).map((change) => change.claim_id);
  return new Set([...one.claims_affected, ...moved]);
}

/** More moves of one claim in one round than the four checks could make are left in their order. */
const MOST_MOVES = 16;

/**
 * A round's checks are made side by side, so the order of their lines says nothing: within a round, a
 * move comes after the one that made the status it starts from.
 */
function chained(moves: readonly Move[]): Move[] {
  const chain: Move[] = [];
  let status: ClaimStatus = 'pending';
  for (let at = 0; at < moves.length; ) {
    const round = moves[at]?.verification.round;
    let end = at;
    while (moves[end]?.verification.round === round) end += 1;
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

/** A claim's status at the end of a round; `Infinity` for the latest. */
export function statusAt(claim: Claim, history: History, round: number): ClaimStatus {
  const moves = history.moves.get(claim.id) ?? [];
  if (claim.status === 'superseded' && (history.superseded.get(claim.id) ?? Infinity) <= round)
    return 'superseded';
  if (round === Infinity && claim.status !== 'pending') return claim.status;
  if (moves.length > 0)
    return (
      moves.findLast(({ verification }) => verification.round <= round)?.change.to ?? 'pending'
    );
  // Nobody wrote down when it moved: at the first test, as far as anybody can tell.
  if (claim.status === 'pending' || (history.tested.get(claim.id) ?? claim.round) > round)
    return 'pending';
  return claim.status === 'superseded' ? 'tested_unclear' : claim.status;
}

/** The rounds from the first to the last that left a trace, quiet ones included. */
export function roundsOf(records: Records): number[] {
  const { claims, verifications, decisions, leads, synthesisRound = Infinity } = records;
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

/** The records with every claim at its latest status, which its own line may not tell. */
export function latest(records: Records): Records {
  const history = historyOf(records);
  return {
    ...records,
    claims: records.claims.map((claim) => ({
      ...claim,
      status: statusAt(claim, history, Infinity),
    })),
  };
}

/** The records as they stood at the end of a round; `artifacts` keeps what came later. */
export function recordsAt(records: Records, round: number, history = historyOf(records)): Records {
  const then = <T extends { readonly round: number }>(all: readonly T[]) =>
    all.filter((one) => one.round <= round);
  return {
    ...records,
    claims: then(records.claims).map((claim) => ({
      ...claim,
      status: statusAt(claim, history, round),
    })),
    verifications: then(records.verifications),
    decisions: then(records.decisions),
    leads: then(records.leads),
    drifts: then(records.drifts),
  };
}

/** What happened in one round, counted. */
export interface Tally {
  readonly round: number;
  /** Claims raised. */
  raised: number;
  /** Verdicts of the four checks other than NOT_APPLICABLE. */
  verdicts: number;
  broken: number;
  robust: number;
  /** Verdicts BROKEN or UNCLEAR. */
  disagreements: number;
  /** Status changes of claims. */
  moves: number;
}

/** One tally for each of `roundsOf`. */
export function tallies(records: Records): Tally[] {
  const rounds = new Map(
    roundsOf(records).map((round): [number, Tally] => [
      round,
      { round, raised: 0, verdicts: 0, broken: 0, robust: 0, disagreements: 0, moves: 0 },
    ]),
  );
  for (const { round } of records.claims) {
    const tally = rounds.get(round);
    if (tally !== undefined) tally.raised += 1;
  }
  for (const { round, check, result, claim_status_changes = [] } of records.verifications) {
    const tally = rounds.get(round);
    if (tally === undefined) continue;
    tally.moves += claim_status_changes.filter(({ from, to }) => from !== to).length;
    // A test that was run moves claims, but it is no agreement or disagreement of the panel.
    if (result === 'NOT_APPLICABLE' || check === EXECUTED_TEST) continue;
    tally.verdicts += 1;
    if (result === 'BROKEN') tally.broken += 1;
    if (result === 'ROBUST') tally.robust += 1;
    else tally.disagreements += 1;
  }
  return [...rounds.values()];
}

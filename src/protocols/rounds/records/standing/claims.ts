/** The state of every claim: how it was decided, and which decisions rest on it. */

import type { Records } from '../records.ts';
import { deriveHistory, getRoundOfMove } from '../timeline.ts';
import {
  type Basis,
  type Claim,
  EXECUTED_TEST,
  type Quotation,
  type ReadingRecord,
} from '../types.ts';
import { type DecisionState, deriveDecisionStates, isGround } from './decisions.ts';
import { findRepeatedFacts } from './facts.ts';
import { type ClaimStanding, deriveStanding, findLastMove } from './standings.ts';

/** A claim with its state: open, confirmed, refuted and so on, and what this rests on. */
export interface ClaimState {
  readonly claim: Claim;
  /** The claim's state in the words that people read: open, confirmed, refuted and so on. */
  readonly standing: ClaimStanding;
  /**
   * How the claim was decided, such as by reading; undefined if the claim is open, or if the records
   * do not say how it was decided, as in edition 1 of the rules. `by`, `decidedIn`,
   * `quotes` and `why` belong to the same status change. If the claim is superseded, all of them
   * describe how it was decided before that.
   */
  readonly basis?: Basis | undefined;
  /** The id of the verification that decided the claim. */
  readonly by?: string | undefined;
  /** The round in which the claim was decided. */
  readonly decidedIn?: number | undefined;
  readonly quotes: readonly Quotation[];
  readonly why?: string | undefined;
  /** The id of the claim that replaced this one. */
  readonly supersededBy?: string | undefined;
  /**
   * The ids of claims that contradict this one and may still win: they are open, or confirmed on
   * grounds that are not stronger.
   */
  readonly challengers: readonly string[];
  /** The finding of the latest reading, even if it decided nothing. */
  readonly reading?: Finding | undefined;
  /** Whether the claim is open and waits for a test or a person's answer. */
  readonly awaits: boolean;
  /** Whether the claim only repeats the text. */
  readonly isFact: boolean;
  /** The ids of tests that found the opposite of the claim's status, but did not change it. */
  readonly contradictingTests: readonly string[];
  /** The ids of valid decisions that rest on the claim. */
  readonly reliedOn: readonly string[];
}

/** A reader's finding about a claim, as records keep it. */
export type Finding = Extract<ReadingRecord, { kind: 'finding' }>;

/**
 * Returns for every claim whether it is open, confirmed, refuted and so on, and what this rests on.
 * @param records the records with every claim at its latest status; see `updateStatuses` and
 * `cutToRound`
 */
export function deriveClaimStates(
  records: Records,
  decisions: readonly DecisionState[] = deriveDecisionStates(records),
): ClaimState[] {
  const { claims } = records;
  const history = deriveHistory(records);
  const facts = findRepeatedFacts(records);
  const findings = findLastFindings(records);
  const successors = groupBy(claims, ({ supersedes }) => supersedes);
  const deniers = groupBy(claims, ({ challenges }) => challenges);
  const relied = new Map<string, Set<string>>();
  for (const { decision, standing } of decisions)
    if (standing === 'stands')
      for (const cite of decision.cites)
        if (cite.type === 'claim' && isGround(cite)) {
          const before = relied.get(cite.id);
          if (before === undefined) relied.set(cite.id, new Set([decision.id]));
          else before.add(decision.id);
        }
  return claims.map((claim): ClaimState => {
    const move = findLastMove(claim, history);
    const standing = deriveStanding(claim.status, move, records);
    return {
      claim,
      standing,
      basis: move?.change.basis,
      by: move?.verification.id,
      decidedIn: move && getRoundOfMove(move),
      quotes: move?.change.quotes ?? [],
      why: move?.change.why,
      supersededBy: standing === 'superseded' ? successors.get(claim.id)?.[0]?.id : undefined,
      challengers: (deniers.get(claim.id) ?? []).filter(isAgainst).map(({ id }) => id),
      reading: findings.get(claim.id),
      awaits: standing === 'open' && isTestWanted(claim, findings.get(claim.id)),
      isFact: facts.has(claim.id),
      contradictingTests: contraryTests(claim.id, standing, records),
      reliedOn: [...(relied.get(claim.id) ?? [])],
    };
  });
}

/** Returns the latest finding about each claim, by the claim's id. */
export function findLastFindings({ readings = [] }: Records): ReadonlyMap<string, Finding> {
  const last = new Map<string, Finding>();
  for (const reading of readings)
    if (reading.kind === 'finding' && (last.get(reading.claim)?.round ?? 0) <= reading.round)
      last.set(reading.claim, reading);
  return last;
}

/**
 * Returns tests that found the opposite without effect. In edition 1 of the rules there are none,
 * because a later test overrides an earlier one.
 */
function contraryTests(
  id: string,
  standing: ClaimStanding,
  { rules, verifications }: Records,
): string[] {
  if (rules !== 2 || (standing !== 'confirmed' && standing !== 'refuted')) return [];
  const opposite = standing === 'confirmed' ? 'BROKEN' : 'ROBUST';
  return verifications.flatMap((verification) =>
    verification.check === EXECUTED_TEST &&
    verification.result === opposite &&
    verification.claims_affected.includes(id) &&
    verification.claim_status_changes?.every(({ claim_id }) => claim_id !== id) !== false
      ? [verification.id]
      : [],
  );
}

function isAgainst({ status }: Claim): boolean {
  return status === 'pending' || status === 'tested_confirmed';
}

function isTestWanted({ decided_by }: Claim, finding: Finding | undefined): boolean {
  return decided_by === 'running' || decided_by === 'asking' || finding?.finding === 'needs_a_test';
}

function groupBy(
  claims: readonly Claim[],
  key: (claim: Claim) => string | undefined,
): ReadonlyMap<string, readonly Claim[]> {
  const lists = new Map<string, Claim[]>();
  for (const claim of claims) {
    const name = key(claim);
    if (name === undefined || name === claim.id) continue;
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [claim]);
    else list.push(claim);
  }
  return lists;
}

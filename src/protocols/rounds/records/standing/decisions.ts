/**
 * Decides whether decisions still have their grounds. A decision loses them if a claim turned out
 * otherwise, a verdict failed a check, or another decision lost its own.
 */

import type { Records } from '../records.ts';
import { deriveHistory } from '../timeline.ts';
import type { Citation, Decision, Verification } from '../types.ts';
import { type ClaimStanding, deriveStanding, findLastMove } from './standings.ts';

/** A decision, and whether it still holds. */
export interface DecisionState {
  readonly decision: Decision;
  /**
   * Whether the decision holds. `fallen`: one of its grounds no longer holds. `overturned`: a later
   * decision supersedes it, whether or not its grounds hold.
   */
  readonly standing: 'stands' | 'fallen' | 'overturned';
  /** The cited grounds that no longer hold, in the order of the citations. */
  readonly fallen: readonly { readonly id: string; readonly why: string }[];
}

/**
 * Returns whether a decision rests on a citation. A decision does not rest on what it supersedes.
 */
export function isGround({ relation }: Citation): boolean {
  return relation === 'based-on' || relation === 'supported-by';
}

/**
 * Returns for each decision whether it still holds. Decisions may cite each other in circles.
 * @param records the records with every claim at its latest status
 */
export function deriveDecisionStates(records: Records): DecisionState[] {
  const { decisions } = records;
  const history = deriveHistory(records);
  const claims = new Map(
    records.claims.map((claim): [string, ClaimStanding] => [
      claim.id,
      deriveStanding(claim.status, findLastMove(claim, history), records),
    ]),
  );
  const verifications = new Map(
    records.verifications.map((verification) => [verification.id, verification]),
  );
  const overturned = overturnedBy(decisions);
  const explainOwnLoss = (cite: Citation) => whyLost(cite, claims, verifications);
  const fallen = spreadLoss(decisions, overturned, (decision) =>
    decision.cites.some((cite) => explainOwnLoss(cite) !== undefined),
  );
  return decisions.map((decision) => {
    const lost = decision.cites.flatMap((cite) => {
      const why = explainOwnLoss(cite) ?? whyGone(cite, decision, overturned, fallen);
      return why === undefined ? [] : [{ id: cite.id, why }];
    });
    const standing = overturned.has(decision.id)
      ? 'overturned'
      : lost.length > 0
        ? 'fallen'
        : 'stands';
    return { decision, standing, fallen: lost };
  });
}

/** Returns why a cited claim or verdict is no longer a ground, or undefined if it still is or never was. */
function whyLost(
  cite: Citation,
  claims: ReadonlyMap<string, ClaimStanding>,
  verifications: ReadonlyMap<string, Verification>,
): string | undefined {
  if (!isGround(cite)) return undefined;
  const { id, type } = cite;
  if (type === 'verification' && verifications.get(id)?.degraded !== undefined)
    return `${id} could not stand`;
  if (type !== 'claim') return undefined;
  const standing = claims.get(id);
  if (cite.takes_as === 'false')
    return standing === 'confirmed' ? `${id} is confirmed, and taken as false` : undefined;
  return standing === 'refuted' || standing === 'superseded' || standing === 'withdrawn'
    ? `${id} is ${standing}`
    : undefined;
}

/** Returns why a cited decision is no longer a ground, or undefined if it still is or never was. */
function whyGone(
  cite: Citation,
  { id }: Decision,
  overturned: Overturned,
  fallen: ReadonlySet<string>,
): string | undefined {
  if (cite.type !== 'decision' || !isGround(cite) || cite.id === id) return undefined;
  const by = overturned.get(cite.id)?.find((other) => other !== id);
  if (by !== undefined) return `${cite.id} was overturned by ${by}`;
  return fallen.has(cite.id) ? `${cite.id} has lost its ground` : undefined;
}

/** The later decisions that supersede each decision, by the superseded decision's id. */
type Overturned = ReadonlyMap<string, readonly string[]>;

function overturnedBy(decisions: readonly Decision[]): Overturned {
  const at = new Map(decisions.map(({ id }, index) => [id, index]));
  const overturned = new Map<string, string[]>();
  decisions.forEach(({ id, round, cites }, index) => {
    for (const { type, relation, id: old } of cites) {
      const before = at.get(old);
      if (type !== 'decision' || relation !== 'supersedes' || before === undefined) continue;
      const earlier = decisions[before];
      if (earlier === undefined || old === id) continue;
      if (earlier.round > round || (earlier.round === round && before > index)) continue;
      const others = overturned.get(old);
      if (others === undefined) overturned.set(old, [id]);
      else others.push(id);
    }
  });
  return overturned;
}

/**
 * Returns the ids of the decisions that have lost a ground. The ground is a claim or a verdict (`isLost`), a decision
 * that was overturned, or a decision that has lost a ground itself.
 */
function spreadLoss(
  decisions: readonly Decision[],
  overturned: Overturned,
  isLost: (decision: Decision) => boolean,
): ReadonlySet<string> {
  const resting = new Map<string, string[]>();
  for (const { id, cites } of decisions)
    for (const cite of cites)
      if (cite.type === 'decision' && isGround(cite) && cite.id !== id) {
        const others = resting.get(cite.id);
        if (others === undefined) resting.set(cite.id, [id]);
        else others.push(id);
      }
  const fallen = new Set<string>();
  const queue: string[] = [];
  const markFallen = (id: string) => {
    if (fallen.has(id)) return;
    fallen.add(id);
    queue.push(id);
  };
  for (const decision of decisions) {
    if (isLost(decision)) markFallen(decision.id);
    for (const id of resting.get(decision.id) ?? [])
      if (overturned.get(decision.id)?.some((by) => by !== id)) markFallen(id);
  }
  for (const id of queue) for (const next of resting.get(id) ?? []) markFallen(next);
  return fallen;
}

/** The words for claims' statuses, and the strength of their basis. */

import type { Records } from '../records.ts';
import type { History, Move } from '../timeline.ts';
import type { Basis, Claim, ClaimStatus } from '../types.ts';

const STANDINGS = [
  'open',
  'confirmed',
  'refuted',
  'partly',
  'unclear',
  'withdrawn',
  'superseded',
] as const;
/** The state of a claim in the words that people read: open, confirmed, refuted and so on. */
export type ClaimStanding = (typeof STANDINGS)[number];

const STANDING: Readonly<Record<ClaimStatus, ClaimStanding>> = {
  pending: 'open',
  tested_confirmed: 'confirmed',
  tested_refuted: 'refuted',
  partially_refuted: 'partly',
  tested_unclear: 'unclear',
  superseded: 'superseded',
};

/**
 * Returns the state of a claim in the words that people read. Since edition 2 of the rules, the status
 * `tested_unclear` means that the claim was withdrawn.
 * @param move the change that led to the status
 */
export function deriveStanding(
  status: ClaimStatus,
  move: Move | undefined,
  { rules }: Pick<Records, 'rules'>,
): ClaimStanding {
  return getStandingOfStatus(status, rules === 2 ? move?.change.basis : undefined);
}

/**
 * Returns the state of a claim in the words that people read, from its status and the basis of this
 * status.
 */
export function getStandingOfStatus(status: ClaimStatus, basis: Basis | undefined): ClaimStanding {
  return status === 'tested_unclear' && basis === 'conceded' ? 'withdrawn' : STANDING[status];
}

/**
 * Returns the change that led to a claim's status. For a superseded claim, this is the last change
 * before it was superseded.
 */
export function findLastMove({ id, status }: Claim, history: History): Move | undefined {
  const moves = history.moves.get(id);
  if (status === 'superseded') return moves?.at(-1);
  return moves?.findLast(({ change }) => change.to === status);
}

/** What a claim's status means to people, and how strong the ground is that it rests on. */
import type { History, Move } from '../timeline.ts';
import { BASES, type Basis, type Claim, type ClaimStatus, type Records } from '../types.ts';

export const STANDINGS = [
  'open',
  'confirmed',
  'refuted',
  'partly',
  'unclear',
  'withdrawn',
  'superseded',
] as const;
export type Standing = (typeof STANDINGS)[number];

const STANDING: Readonly<Record<ClaimStatus, Standing>> = {
  pending: 'open',
  tested_confirmed: 'confirmed',
  tested_refuted: 'refuted',
  partially_refuted: 'partly',
  tested_unclear: 'unclear',
  superseded: 'superseded',
};

/** Under the second rules a claim is `tested_unclear` only where its seat took it back. */
export function standingOf(
  status: ClaimStatus,
  move: Move | undefined,
  { rules }: Pick<Records, 'rules'>,
): Standing {
  if (rules === 2 && status === 'tested_unclear' && move?.change.basis === 'conceded')
    return 'withdrawn';
  return STANDING[status];
}

/** The change that made the status; of a superseded claim, the last one before. */
export function lastMove({ id, status }: Claim, history: History): Move | undefined {
  const moves = history.moves.get(id);
  if (status === 'superseded') return moves?.at(-1);
  return moves?.findLast(({ change }) => change.to === status);
}

/** Whether one ground overrides another: only a strictly stronger one does. */
export function isStronger(one: Basis | undefined, other: Basis | undefined): boolean {
  return strength(one) > strength(other);
}

function strength(basis: Basis | undefined): number {
  return basis === undefined ? -1 : BASES.indexOf(basis);
}

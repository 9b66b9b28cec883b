/** What a claim's status means to people, and how strong the ground is that it rests on. */
import type { History, Move } from '../timeline.ts';
import type { Basis, Claim, ClaimStatus, Records } from '../types.ts';

const STANDINGS = [
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
  return standingBy(status, rules === 2 ? move?.change.basis : undefined);
}

/** By the ground of the change to it: what its seat took back is withdrawn. */
export function standingBy(status: ClaimStatus, basis: Basis | undefined): Standing {
  return status === 'tested_unclear' && basis === 'conceded' ? 'withdrawn' : STANDING[status];
}

/** The change that made the status; of a superseded claim, the last one before. */
export function lastMove({ id, status }: Claim, history: History): Move | undefined {
  const moves = history.moves.get(id);
  if (status === 'superseded') return moves?.at(-1);
  return moves?.findLast(({ change }) => change.to === status);
}

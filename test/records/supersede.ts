/** How a claim replaces another one in a simulated panel under edition 1 of the rules. */
import type { Claim } from '../../src/protocols/rounds/records/types.ts';

/**
 * Returns the claims with the one that `by` supersedes marked as superseded. Changes nothing if `by`
 * supersedes no claim. A pending claim is refused: otherwise a panel could get rid of every claim that it
 * fears before its test. `refused` says why nothing was changed.
 */
export function supersedeClaim(
  claims: readonly Claim[],
  by: Claim,
): { claims: readonly Claim[]; refused?: string } {
  const old = claims.find((claim) => claim.id === by.supersedes);
  if (by.supersedes === undefined) return { claims };
  if (old === undefined || old.id === by.id)
    return { claims, refused: `there is no claim ${by.supersedes} to supersede` };
  if (old.status === 'pending')
    return { claims, refused: `${old.id} is pending: it has to be tested before it is superseded` };
  return {
    claims: claims.map((claim) =>
      claim === old ? { ...claim, status: 'superseded' as const } : claim,
    ),
  };
}

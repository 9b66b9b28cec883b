/** How a claim takes another's place in a simulated panel, by the first rules. */
import type { Claim } from '../../src/protocols/rounds/records/types.ts';

/**
 * Marks the claim that `by` replaces. A pending claim cannot be replaced: it has to be tested first,
 * or a panel could get rid of every claim that it fears.
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

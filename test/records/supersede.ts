/** How a claim replaces another one in a simulated panel under edition 1 of the rules. */
import type { Claim } from '../../src/protocols/rounds/records/types.ts';

/**
 * Returns a copy of the claims in which the claim that `by` supersedes has the status superseded. Returns the
 * claims unchanged if `by` supersedes no claim. If the claim to be superseded does not exist, is `by` itself
 * or is pending, returns the claims unchanged, with the reason as `refused`: a panel must not get rid of a
 * pending claim before its test.
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

/** Lists the lines of attachments that were quoted for claims. */
import type { RoundsView } from '../../claims/rounds-view.ts';

/**
 * Lists the places that the reader quoted, with the claims: `attachments/plan.md#L2 (C-1-1,
 * C-1-3)`.
 */
export function listQuotedPlaces({ rounds }: RoundsView): string[] {
  const claims = new Map<string, Set<string>>();
  for (const { claim, quotes = [] } of rounds.flatMap(({ findings, moves }) => [
    ...findings,
    ...moves,
  ]))
    for (const { ref } of quotes) claims.set(ref, (claims.get(ref) ?? new Set()).add(claim));
  return [...claims].map(([ref, ids]) => `${ref} (${[...ids].join(', ')})`);
}

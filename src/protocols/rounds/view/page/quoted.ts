/** Which lines of the attachments were quoted for a claim and found: they are cited without being named. */
import type { RoundsView } from '../../fold.ts';

/**
 * Lists the places that the reader quoted, with the claims: `attachments/plan.md#L2 (C-1-1,
 * C-1-3)`.
 */
export function quotedIn({ rounds }: RoundsView): string[] {
  const claims = new Map<string, Set<string>>();
  for (const { claim, quotes = [] } of rounds.flatMap(({ findings, moves }) => [
    ...findings,
    ...moves,
  ]))
    for (const { ref } of quotes) claims.set(ref, (claims.get(ref) ?? new Set()).add(claim));
  return [...claims].map(([ref, ids]) => `${ref} (${[...ids].join(', ')})`);
}

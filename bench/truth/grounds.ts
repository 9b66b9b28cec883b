/** Computes which decisions rest on fallen grounds, independently of the product, to check `deriveState`. */
import { entryOf } from '../../src/kernel/entry.ts';
import type { ClaimView, RoundView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import type { Records } from '../../src/protocols/rounds/records/records.ts';
import { deriveState } from '../../src/protocols/rounds/records/state-of.ts';

type Claims = Readonly<Record<string, ClaimView>>;

/** Returns the ids of decisions whose ground no longer holds and that no later decision has overturned. */
export function fallenIn(rounds: readonly RoundView[], claims: Claims): ReadonlySet<string> {
  const decisions = rounds.flatMap((round) => round.decisions);
  const overturned = new Set(
    decisions.flatMap(({ cites }) =>
      cites.flatMap(({ id, relation }) => (relation === 'supersedes' ? id : [])),
    ),
  );
  const void_ = new Set(
    rounds.flatMap(({ verifications }) =>
      verifications.flatMap(({ id, degraded }) => (degraded === undefined ? [] : id)),
    ),
  );
  const fallen = new Set<string>();
  // Decisions cite only earlier decisions, so one pass in their order suffices.
  for (const { id, cites } of decisions) {
    const falls = cites.some(({ type, id: ground, relation, takes_as = 'true' }) => {
      if (relation === 'supersedes') return false;
      if (type === 'verification') return void_.has(ground);
      if (type === 'decision') return fallen.has(ground) || overturned.has(ground);
      const claim = entryOf(claims, ground);
      return claim !== undefined && !stillTaken(claim, takes_as);
    });
    if (falls) fallen.add(id);
  }
  return new Set([...fallen].filter((id) => !overturned.has(id)));
}

function stillTaken({ status, moves }: ClaimView, takes_as: 'true' | 'false'): boolean {
  if (status === 'superseded') return false;
  if (status === 'tested_unclear') return moves.at(-1)?.basis !== 'conceded';
  if (takes_as === 'true') return status !== 'tested_refuted';
  return status !== 'tested_confirmed';
}

/** Returns the ids of the decisions that the program itself marks as resting on a ground that no longer holds. */
export function markedAsFallen(records: Records): ReadonlySet<string> {
  const fallen = deriveState(records).decisions.filter(({ standing }) => standing === 'fallen');
  return new Set(fallen.map(({ decision }) => decision.id));
}

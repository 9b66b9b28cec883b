/**
 * Finds claims that only repeat the text: they were read as true in the round in which they were
 * raised, and never disputed. No signal or failure mode counts such claims, so that a panel gains
 * nothing by raising them.
 */

import type { Records } from '../records.ts';
import { SETTLED_BY_READING } from '../types.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the ids of claims that only repeat what a text says: they are confirmed, were read as true in the round in
 * which they were raised, and were neither contradicted by a claim nor read again in another round. Empty for records
 * before edition 2 of the rules.
 */
export function findRepeatedFacts({
  rules,
  claims,
  verifications,
  readings,
}: Records): ReadonlySet<string> {
  if (rules !== 2) return NONE;
  const readTrue = new Set<string>();
  for (const { check, round, claim_status_changes = [] } of verifications)
    if (check === SETTLED_BY_READING)
      for (const { claim_id, to } of claim_status_changes)
        if (to === 'tested_confirmed') readTrue.add(`${round} ${claim_id}`);
  const disputed = new Set<string | undefined>(
    claims.flatMap(({ challenges, supersedes }) => [challenges, supersedes]),
  );
  // A claim that was read again in a later round counts as disputed, for example because a role objected to the
  // first reading.
  const firstRead = new Map<string, number>();
  for (const reading of readings ?? []) {
    if (reading.kind !== 'finding') continue;
    const first = firstRead.get(reading.claim) ?? reading.round;
    firstRead.set(reading.claim, first);
    if (reading.round !== first) disputed.add(reading.claim);
  }
  return new Set(
    claims.flatMap(({ id, round, status }) =>
      status === 'tested_confirmed' && readTrue.has(`${round} ${id}`) && !disputed.has(id)
        ? [id]
        : [],
    ),
  );
}

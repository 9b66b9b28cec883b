/** Places and numbers in the records that a run makes as it goes. */
import type { RoundsView } from '../fold.ts';
import { CLAIMS_FILE } from '../records/layout.ts';
import { CHECKS } from '../records/types.ts';

/** A claim's own line: claims stand in the order in which they were raised, one a line. */
export function claimsLine(view: RoundsView, id: string): string {
  return `${CLAIMS_FILE}#L${Object.keys(view.claims).indexOf(id) + 1}`;
}

/** The next number behind the four checks: readings, concessions and tests that were run share them. */
export function nextVerification(view: RoundsView, round: number): string {
  const taken = new Set(
    view.rounds.flatMap(({ verifications }) => verifications.map(({ id }) => id)),
  );
  let number = CHECKS.length + 1;
  while (taken.has(`V-${round}-${number}`)) number += 1;
  return `V-${round}-${number}`;
}

/**
 * Citations of claims, and numbers for new verifications, in the records of a running deliberation.
 */

import { CLAIMS_FILE } from '../records/layout.ts';
import { CHECKS } from '../records/types.ts';
import type { RoundsView } from './rounds-view.ts';

/**
 * Returns the citation of a claim in the file of claims: `state/claims.jsonl#L4`. Each claim has a
 * line, in the order in which the claims were raised.
 */
export function getClaimCitation(view: RoundsView, id: string): string {
  return `${CLAIMS_FILE}#L${Object.keys(view.claims).indexOf(id) + 1}`;
}

/**
 * Returns the next free id for a verification in a round, such as `V-3-5`. Numbers 1 to 4 belong to
 * the four checks.
 */
export function getNextVerificationId(view: RoundsView, round: number): string {
  const taken = new Set(
    view.rounds.flatMap(({ verifications }) => verifications.map(({ id }) => id)),
  );
  let number = CHECKS.length + 1;
  while (taken.has(`V-${round}-${number}`)) number += 1;
  return `V-${round}-${number}`;
}

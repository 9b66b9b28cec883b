/** The facts that record what a reader found. */

import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { Finding } from '../../entrance/findings.ts';
import { describeFetched } from '../cited-sources.ts';
import { getClaimCitation, getNextVerificationId } from '../claims/places.ts';
import { type FactBody, fact } from '../facts.ts';
import type { SecondLook } from '../prompts/reading.ts';
import { getAllLines } from '../records/documents.ts';
import { SETTLED_BY_READING } from '../records/types.ts';
import type { RoundsRun } from '../rounds-run.ts';
import type { Control } from './controls.ts';
import type { ItemFinding } from './finding.ts';

/** Returns whether the claim of a finding was already decided by an earlier reading, and still has that status. */
export function isFromEarlierReading({ claim }: ItemFinding): boolean {
  return claim.moves.at(-1)?.basis === 'read';
}

/**
 * Makes the fact that records a reader's answer to a control, and whether the answer was right.
 * @param said the reader's answer; undefined if it gave none
 */
export function controlFact(
  roundsRun: RoundsRun,
  round: number,
  { text, key }: Control,
  said: Finding | undefined,
): FactBody {
  // For a control that is neither true nor false in the text, every answer other than true and
  // false is right.
  const simplifyFinding = (finding: Finding | undefined): string =>
    finding === 'true_in_text' || finding === 'false_in_text' ? finding : 'open';
  return fact('reader.controlled', {
    round,
    model: roundsRun.readerModel,
    text,
    key,
    ...withoutUndefined({ said }),
    right: said !== undefined && simplifyFinding(said) === simplifyFinding(key),
  });
}

/**
 * Makes the fact that records a reader's finding about a claim.
 * @param second the verdict of the second look; undefined if there was none
 * @param counts whether the finding decides the claim
 */
export function findingFact(
  roundsRun: RoundsRun,
  round: number,
  { claim, finding, quotes, sought, makes, why }: ItemFinding,
  second: SecondLook | undefined,
  counts: boolean,
): FactBody {
  const differs =
    makes === undefined || second === makes
      ? ''
      : `a second look at the same words finds it ${second ?? 'unanswered'}, not ${makes}. `;
  return fact('claim.read', {
    round,
    claim: claim.id,
    model: roundsRun.readerModel,
    finding,
    counts,
    quotes: [...quotes],
    sought: [...sought],
    why: `${differs}${why}`.trim() || 'no reason given',
    ...withoutUndefined({ second }),
    step: `round-${round}/F/reading`,
  });
}

/**
 * Makes the facts that record the claims decided by a reading: one verification for all of them, and for each
 * claim its status with the basis `read`. Leaves out claims that have this status by an earlier reading; empty
 * if none is left.
 * @param settled the findings that count
 */
export function makeReadingFacts(
  roundsRun: RoundsRun,
  round: number,
  settled: readonly ItemFinding[],
): FactBody[] {
  const moved = settled.flatMap((finding) => {
    const to =
      finding.makes === 'true' ? ('tested_confirmed' as const) : ('tested_refuted' as const);
    if (finding.claim.status === to && isFromEarlierReading(finding)) return [];
    // The finding `absent` quotes nothing. Cite all lines of the attachments instead.
    const places =
      finding.quotes.length > 0
        ? finding.quotes.map(({ ref }) => ref)
        : roundsRun.settings.attachments.flatMap(getAllLines);
    const refs = [...new Set([...places, getClaimCitation(roundsRun.view, finding.claim.id)])];
    return [{ ...finding, to, refs }];
  });
  if (moved.length === 0) return [];
  const id = getNextVerificationId(roundsRun.view, round);
  const whole = [
    ...roundsRun.settings.attachments.map(({ name }) => name),
    ...(roundsRun.view.sources.length > 0 ? ['what was looked up'] : []),
  ].join(', ');
  const fetched = describeFetched(
    moved.flatMap(({ refs }) => refs),
    roundsRun.view.sources,
  );
  return [
    fact('verification.recorded', {
      id,
      round,
      check: SETTLED_BY_READING,
      result: 'ROBUST',
      evidence_refs: [...new Set(moved.flatMap(({ refs }) => refs))],
      notes: `Read in ${whole} by ${roundsRun.readerModel}, and once more by the quotations alone: ${moved.map(({ claim, makes }) => `${claim.id} ${makes}`).join(', ')}.${fetched}`,
      step: `round-${round}/F/reading`,
    }),
    ...moved.map(({ claim, to, refs, quotes, sought, why }) =>
      fact('claim.moved', {
        claim: claim.id,
        round,
        from: claim.status,
        to,
        verification: id,
        stance: to === 'tested_confirmed' ? 'upholds' : 'attacks',
        bearing: 'whole',
        basis: 'read',
        refs,
        quotes: [...quotes],
        why:
          quotes.length > 0
            ? why || 'the text says so'
            : `not in the text: ${sought.join(', ')}. ${why}`.trim(),
      }),
    ),
  ];
}

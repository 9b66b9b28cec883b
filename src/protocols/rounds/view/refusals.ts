/** What was said and could not stand, one list for report and tabs: by kind, by whom, and why. */
import { capitalize } from '../../../text/capitalize.ts';
import { joinLines } from '../../../text/line.ts';
import type { RoundsView } from '../fold.ts';
import type { Refusal } from '../records/types.ts';

/** In the order in which they matter to who relies on the run. */
export const KINDS: readonly (readonly [Refusal['kind'], string])[] = [
  ['call', 'Calls that failed'],
  ['verdict', 'Verdicts that could not stand'],
  ['decision', 'Decisions rejected'],
  ['claim', 'Claims rejected'],
  ['supersession', 'Supersessions rejected'],
  ['concession', 'Concessions rejected'],
  ['finding', 'Disputes and findings that do not count'],
  ['bearing', 'Verdicts that moved no claim'],
  ['quotation', 'Quotations and steps dropped'],
];

/** Decisions are refused by facts of their own. */
export function refusalsAmong({ rounds }: RoundsView): Refusal[] {
  return rounds.flatMap(({ round, lead, refusals, refused }) => [
    ...refusals,
    ...refused.map(({ text, why }) => ({ round, kind: 'decision' as const, by: lead, text, why })),
  ]);
}

/** `Round 2, Action: "The way back …": its test is copied from C-1-2.` `who`: by name. */
export function refusalWords(refusal: Refusal, who: string): string {
  return sentence(`Round ${refusal.round}, ${refusalBelow(refusal, who)}`);
}

/** The same where the round is known: `Action: "The way back …": its test is copied from C-1-2`. */
export function refusalBelow({ kind, id, text, why }: Refusal, who: string): string {
  if (kind === 'call') return `${who}, ${text}: ${why}`;
  const about = id === undefined || text.includes(id) ? '' : `${id}: `;
  return `${who}: ${about}"${joinLines(text)}": ${why}`;
}

export function sentence(text: string): string {
  const clean = text.trim();
  return ended(capitalize(clean));
}

export function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Lists refused entries for reports and tabs: by kind, with author and reason. */
import { capitalize } from '../../../text/capitalize.ts';
import { joinLines } from '../../../text/line.ts';
import type { RoundsView } from '../claims/rounds-view.ts';
import type { RefusedEntry } from '../records/types.ts';

/** The kinds of refused entries and their headings, the most important first. */
export const KINDS: readonly (readonly [RefusedEntry['kind'], string])[] = [
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

/** Returns all refused entries of a deliberation, including refused decisions. */
export function listRefusals({ rounds }: RoundsView): RefusedEntry[] {
  return rounds.flatMap(({ round, lead, refusals, refused }) => [
    ...refusals,
    ...refused.map(({ text, why }) => ({ round, kind: 'decision' as const, by: lead, text, why })),
  ]);
}

/**
 * Formats a refused entry: `Round 2, Action: "The way back …": its test is copied from C-1-2.`
 * @param author the author's name
 */
export function formatRefusal(refusal: RefusedEntry, author: string): string {
  return toSentence(`Round ${refusal.round}, ${formatRefusalWithoutRound(refusal, author)}`);
}

/**
 * Formats a refused entry without its round and without a period at the end: `Action: "The way back
 * …": its test is copied from C-1-2`.
 * @param author the author's name
 */
export function formatRefusalWithoutRound(
  { kind, id, text, why }: RefusedEntry,
  author: string,
): string {
  if (kind === 'call') return `${author}, ${text}: ${why}`;
  const about = id === undefined || text.includes(id) ? '' : `${id}: `;
  return `${author}: ${about}"${joinLines(text)}": ${why}`;
}

/** Makes a sentence of a text, with a capital letter and a period. */
export function toSentence(text: string): string {
  const clean = text.trim();
  return addPeriod(capitalize(clean));
}

/** Adds a period to a text, unless it ends like a sentence. */
export function addPeriod(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

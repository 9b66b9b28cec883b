/**
 * Whether words stand in a text under discussion. Compared are letters and figures in their order; case,
 * width, marks and line ends make no difference, as where a quotation is looked up when it is made.
 */
import { sanitise } from '../../../../text/sanitise.ts';

/** Fewer words stand in every text and show nothing. */
const LEAST_WORDS = 3;

/** A text in the form in which it is searched: its words, a space before and behind each. */
export type Spelt = string & { readonly spelt: true };

export function spell(text: string): Spelt {
  const words =
    sanitise(text)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} ` as Spelt;
}

/** Whether all words of a quotation, three at least, follow each other in the text. */
export function isQuoted(quotation: string, text: Spelt): boolean {
  const wanted = spell(quotation);
  return wanted.trim().split(' ').length >= LEAST_WORDS && text.includes(wanted);
}

/** Whether what was looked for stands there, also as the beginning of a longer word. */
export function isFound(sought: string, text: Spelt): boolean {
  const wanted = spell(sought).trimEnd();
  return wanted !== '' && text.includes(wanted);
}

export function isSameText(one: string, other: string): boolean {
  return spell(one) === spell(other);
}

/** Whether words that are said to be quoted stand in the text they are said to come from. */
import { sanitise } from '../../text/sanitise.ts';

/** Fewer words than these stand in every text and mean nothing. */
const LEAST_WORDS = 4;
const LEAST_LETTERS = 12;
/** More characters than these are a passage: nobody reads it in a cell, and looking for it takes its time. */
const MOST_CHARACTERS = 1_000;

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
/** Scripts that put spaces between words: there a quotation ends where a word does. */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * True for at least four words (and twelve letters; a thousand characters at most) that stand in the text one after the other. Case,
 * spaces, line breaks, Markdown's emphasis, marks of lists and quotation marks make no difference; any
 * other sign does, and an ellipsis is not filled in.
 */
export function isQuoteOf(quote: string, text: string): boolean {
  const wanted = plain(quote).replace(/[.,;:!?]+$/, '');
  if (wanted.length > MOST_CHARACTERS || !saysSomething(wanted)) return false;
  const source = plain(text);
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1))
    if (ends(source[at - 1], wanted[0]) && ends(source[at + wanted.length], wanted.at(-1)))
      return true;
  return false;
}

function saysSomething(text: string): boolean {
  const words = [...WORDS.segment(text)].filter(({ isWordLike }) => isWordLike);
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  // A sign of a script without spaces says as much as several letters.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return words.length >= LEAST_WORDS && letters + 2 * dense >= LEAST_LETTERS;
}

/** Whether a quotation may begin or end between these two signs. */
function ends(outside: string | undefined, inside: string | undefined): boolean {
  return !(SPACED.test(outside ?? '') && SPACED.test(inside ?? ''));
}

function plain(text: string): string {
  // As whoever quotes it has read it: `quote` cleans what enters a prompt.
  return sanitise(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[ \t]*(?:>|[-+•*]|\d+[.)]|#{1,6})[ \t]+/gm, '')
    .replace(/[*_`~]|["'“”„‟‘’‚‛«»‹›]/g, '')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

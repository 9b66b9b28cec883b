/** Whether words that are said to be quoted stand in the text they are said to come from. */
import { sanitise } from '../../../text/sanitise.ts';

/** Fewer words than these stand in every text and mean nothing. */
const LEAST_WORDS = 4;
const LEAST_LETTERS = 12;
/** Fewer are a term or a scrap of one. */
const FEW_WORDS = 2;
const FEW_LETTERS = 8;
/** More characters than these are a passage: nobody reads it in a cell, and looking for it takes its time. */
const MOST_CHARACTERS = 1_000;
/** Of a quotation with something left out: the words of its smallest piece, and the signs between two of them. */
const LEAST_PIECE = 2;
const MOST_LEFT_OUT = 300;
const LEFT_OUT = /\s*(?:\.{3,}|\[[^\]]*\])\s*/u;

const ASCII = /^[\t\n\x20-\x7e]*$/;
/** What a segmenter takes for a word where a text has nothing but ASCII: a test holds the two equal. */
const ASCII_WORDS = /(?:[A-Za-z\d_]|(?<=[A-Za-z])[.':](?=[A-Za-z])|(?<=\d)[.,;'](?=\d))+/g;
/** Made when they are needed first: they load the rules of Unicode, which takes longer than all of a look-up. */
let words: Intl.Segmenter | undefined;
let sentences: Intl.Segmenter | undefined;
/** Scripts that put spaces between words: there a quotation ends where a word does. */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * True for at least four words (and twelve letters; a thousand characters at most) that stand in the text one after the other. Case,
 * spaces, line breaks, Markdown's emphasis, marks of lists and quotation marks make no difference; any
 * other sign does, and an ellipsis is not filled in.
 */
export function isQuoteOf(quote: string, text: string): boolean {
  const wanted = trimEnd(plainWords(quote));
  if (wanted.length > MOST_CHARACTERS || !saysSomething(wanted)) return false;
  return placesOf(wanted, plainWords(text)).next().done !== true;
}

/**
 * The whole sentence in which the quoted words stand: a fragment can turn what was said. Undefined where
 * they stand in no one sentence of the text, or are too few (see `isQuoteOf`).
 */
export function findSentence(quote: string, text: string): string | undefined {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const row of sanitise(text).split('\n'))
    for (const { segment } of sentences.segment(row))
      if (isQuoteOf(quote, segment)) return segment.trim();
  return undefined;
}

/** Whether there is enough to a quotation for it to be looked up. */
export function isLongEnough(quote: string): boolean {
  return saysSomething(plainWords(quote));
}

export function isTooLong(quote: string): boolean {
  return plainWords(quote).length > MOST_CHARACTERS;
}

/** Whether it is shorter than what is looked up, and still somebody's own words: `“beyond all doubt”`. */
export function isFewWords(quote: string): boolean {
  const plain = plainWords(quote);
  const letters = plain.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return (
    !saysSomething(plain) &&
    !LEFT_OUT.test(plain) &&
    wordsIn(plain) >= FEW_WORDS &&
    letters >= FEW_LETTERS
  );
}

/** Whether those few words stand in `source` (see `plainWords`). */
export function fewStandIn(quote: string, source: string): boolean {
  return placesOf(trimEnd(plainWords(quote)), source).next().done !== true;
}

/**
 * The same of running text, where people leave out: what stands before and behind an ellipsis, or words
 * in brackets, has to follow each other closely in `source` (see `plainWords`).
 */
export function standsIn(quote: string, source: string): boolean {
  const wanted = trimEnd(plainWords(quote));
  if (wanted.length > MOST_CHARACTERS || !saysSomething(wanted)) return false;
  if (placesOf(wanted, source).next().done !== true) return true;
  // `[t]he ledger` is the ledger.
  const pieces = wanted
    .replace(/\[(\p{L})\]/gu, '$1')
    .split(LEFT_OUT)
    .map(trimEnd)
    .filter((piece) => piece !== '');
  if (!pieces.some(saysSomething)) return false;
  if (pieces.some((piece) => wordsIn(piece) < LEAST_PIECE)) return false;
  const [first = '', ...others] = pieces;
  for (const start of placesOf(first, source))
    if (follow(others, source, start + first.length)) return true;
  return false;
}

/** Whether the pieces stand behind that place, one after the other and none far from the one before. */
function follow(pieces: readonly string[], source: string, from: number): boolean {
  let end = from;
  for (const piece of pieces) {
    const reach = source.slice(0, end + MOST_LEFT_OUT + piece.length + 1);
    const at = placesOf(piece, reach, end).next().value;
    if (at === undefined) return false;
    end = at + piece.length;
  }
  return true;
}

/** Where the words stand, as whole words. */
function* placesOf(wanted: string, source: string, from = 0): Generator<number, undefined> {
  for (let at = source.indexOf(wanted, from); at >= 0; at = source.indexOf(wanted, at + 1))
    if (ends(source[at - 1], wanted[0]) && ends(source[at + wanted.length], wanted.at(-1)))
      yield at;
  return undefined;
}

function saysSomething(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  // A sign of a script without spaces says as much as several letters.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return wordsIn(text) >= LEAST_WORDS && letters + 2 * dense >= LEAST_LETTERS;
}

function wordsIn(text: string): number {
  if (ASCII.test(text)) return (text.match(ASCII_WORDS) ?? []).filter((one) => one !== '_').length;
  words ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

/** Whether a quotation may begin or end between these two signs. */
function ends(outside: string | undefined, inside: string | undefined): boolean {
  return !(SPACED.test(outside ?? '') && SPACED.test(inside ?? ''));
}

function trimEnd(text: string): string {
  return text.replace(/[.,;:!?]+$/, '').trim();
}

/** A text as it is compared: without case, line breaks, emphasis and marks. */
export function plainWords(text: string): string {
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

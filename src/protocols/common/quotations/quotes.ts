/** Finds out whether quoted words occur in a text. */
import { sanitiseText } from '../../../text/sanitise.ts';

/** The fewest words and letters of a quotation; fewer occur in almost every text. */
const LEAST_WORDS = 4;
const LEAST_LETTERS = 12;
/** The fewest words and letters of a short quotation; fewer are a term or a fragment. */
const FEW_WORDS = 2;
const FEW_LETTERS = 8;
/** The longest quotation that is looked up, in characters. */
const MOST_CHARACTERS = 1_000;
/**
 * For a quotation with omissions: the fewest words of a piece, and the most characters omitted between two
 * pieces.
 */
const LEAST_PIECE = 2;
const MOST_LEFT_OUT = 300;
const LEFT_OUT = /\s*(?:\.{3,}|\[[^\]]*\])\s*/u;

const ASCII = /^[\t\n\x20-\x7e]*$/;
/** Matches what `Intl.Segmenter` takes for a word in ASCII text; a test checks that both agree. */
const ASCII_WORDS = /(?:[A-Za-z\d_]|(?<=[A-Za-z])[.':](?=[A-Za-z])|(?<=\d)[.,;'](?=\d))+/g;
/** Created when first needed, because they load Unicode's rules, which takes longer than a whole lookup. */
let words: Intl.Segmenter | undefined;
let sentences: Intl.Segmenter | undefined;
/** Scripts with spaces between words, in which a quotation must end at the end of a word. */
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;

/**
 * Returns whether a quotation occurs in the text word for word. The quotation must have at least
 * four words and twelve letters, and at most a thousand characters. Differences in case, spaces,
 * line breaks, emphasis, list marks and quotation marks are ignored.
 */
export function isQuoteOf(quote: string, text: string): boolean {
  const wanted = trimEnd(normalizeQuotedText(quote));
  if (wanted.length > MOST_CHARACTERS || !hasEnoughWords(wanted)) return false;
  return placesOf(wanted, normalizeQuotedText(text)).next().done !== true;
}

/**
 * Returns the whole sentence that contains the quoted words, because a fragment can distort the
 * meaning. Returns undefined if no single sentence contains them, or if they are too few or too
 * many (see `isQuoteOf`).
 */
export function findSentence(quote: string, text: string): string | undefined {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const row of sanitiseText(text).split('\n'))
    for (const { segment } of sentences.segment(row))
      if (isQuoteOf(quote, segment)) return segment.trim();
  return undefined;
}

/**
 * Returns whether a quotation has the four words and twelve letters that a reliable search needs.
 */
export function isLongEnough(quote: string): boolean {
  return hasEnoughWords(normalizeQuotedText(quote));
}

/** Returns whether a quotation is longer than the thousand characters that are searched for. */
export function isTooLong(quote: string): boolean {
  return normalizeQuotedText(quote).length > MOST_CHARACTERS;
}

/**
 * Returns whether a quotation has only few words, such as `“beyond all doubt”`. It is then too short for a
 * reliable search (see `isLongEnough`), but long enough to be somebody's own words.
 */
export function isFewWords(quote: string): boolean {
  const plain = normalizeQuotedText(quote);
  const letters = plain.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return (
    !hasEnoughWords(plain) &&
    !LEFT_OUT.test(plain) &&
    wordsIn(plain) >= FEW_WORDS &&
    letters >= FEW_LETTERS
  );
}

/**
 * Returns whether a short quotation (see `isFewWords`) occurs in a source.
 * @param source the source, normalized by `normalizeQuotedText`
 */
export function hasFewWords(quote: string, source: string): boolean {
  return placesOf(trimEnd(normalizeQuotedText(quote)), source).next().done !== true;
}

/**
 * Returns whether a quotation with omissions occurs in a source. The pieces before and after an
 * ellipsis or bracketed words must be close to each other in the source.
 * @param source the source, normalized by `normalizeQuotedText`
 */
export function hasQuoteWithOmissions(quote: string, source: string): boolean {
  const wanted = trimEnd(normalizeQuotedText(quote));
  if (wanted.length > MOST_CHARACTERS || !hasEnoughWords(wanted)) return false;
  if (placesOf(wanted, source).next().done !== true) return true;
  // Brackets around a single letter mark a changed letter: `[t]he ledger` stands for "The ledger".
  const pieces = wanted
    .replace(/\[(\p{L})\]/gu, '$1')
    .split(LEFT_OUT)
    .map(trimEnd)
    .filter((piece) => piece !== '');
  if (!pieces.some(hasEnoughWords)) return false;
  if (pieces.some((piece) => wordsIn(piece) < LEAST_PIECE)) return false;
  const [first = '', ...others] = pieces;
  for (const start of placesOf(first, source))
    if (doPiecesFollow(others, source, start + first.length)) return true;
  return false;
}

/** Returns whether the pieces follow after a position, in order and each close to the one before. */
function doPiecesFollow(pieces: readonly string[], source: string, from: number): boolean {
  let end = from;
  for (const piece of pieces) {
    const reach = source.slice(0, end + MOST_LEFT_OUT + piece.length + 1);
    const at = placesOf(piece, reach, end).next().value;
    if (at === undefined) return false;
    end = at + piece.length;
  }
  return true;
}

/** Finds the positions where the words occur as whole words. */
function* placesOf(wanted: string, source: string, from = 0): Generator<number, undefined> {
  for (let at = source.indexOf(wanted, from); at >= 0; at = source.indexOf(wanted, at + 1))
    if (
      isWordEnd(source[at - 1], wanted[0]) &&
      isWordEnd(source[at + wanted.length], wanted.at(-1))
    )
      yield at;
  return undefined;
}

function hasEnoughWords(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  // A Chinese or Japanese character counts as three letters, because a word has few of them.
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return wordsIn(text) >= LEAST_WORDS && letters + 2 * dense >= LEAST_LETTERS;
}

function wordsIn(text: string): number {
  if (ASCII.test(text))
    return (text.match(ASCII_WORDS) ?? []).filter((word) => word !== '_').length;
  words ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

/** Returns whether a quotation may begin or end between these two characters. */
function isWordEnd(outside: string | undefined, inside: string | undefined): boolean {
  return !(SPACED.test(outside ?? '') && SPACED.test(inside ?? ''));
}

function trimEnd(text: string): string {
  return text.replace(/[.,;:!?]+$/, '').trim();
}

/**
 * Normalizes a text for comparison: in lower case, on one line, without emphasis and quotation
 * marks.
 */
export function normalizeQuotedText(text: string): string {
  // Clean the text in the same way as in prompts (see `encloseInTags`), because seats quote what they
  // have read.
  return sanitiseText(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[ \t]*(?:>|[-+•*]|\d+[.)]|#{1,6})[ \t]+/gm, '')
    .replace(/[*_`~]|["'“”„‟‘’‚‛«»‹›]/g, '')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

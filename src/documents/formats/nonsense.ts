/**
 * Detects PDF pages whose text is unreadable because a font has no mapping to letters. The text then
 * consists of private-use characters, control characters, punctuation, or letters shifted in the alphabet,
 * of which fewer are vowels than in any language.
 */

/** Minimum number of characters for a judgement. */
const LEAST_SIGNS = 40;
/** Maximum share of meaningless characters: private-use, unassigned, control and replacement characters. */
const MOST_MEANINGLESS = 0.2;
/**
 * Minimum share of letters and digits among all characters. Even tables of numbers and formulas have more.
 */
const LEAST_READABLE = 0.25;
/**
 * Minimum share of vowels among Latin letters. Prose of any language has 0.33 to 0.5, lists of
 * abbreviations have less.
 */
const LEAST_VOWELS = 0.2;
const LEAST_LETTERS = 120;

const MEANINGLESS = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu;
const READABLE = /[\p{L}\p{N}]/gu;
const LATIN = /[A-Za-z]/g;
const VOWELS = /[aeiou]/gi;

/** Returns whether the lines of a PDF page are unreadable. Lines with too few characters count as readable. */
export function isNonsense(lines: readonly string[]): boolean {
  // Judge a page without its runs of dots or dashes, which a table of contents is full of.
  const text = lines
    .join('')
    .replace(/\s/g, '')
    .replace(/[.·…_-]{3,}/g, '');
  if (text.length < LEAST_SIGNS) return false;
  if (measureShare(text, MEANINGLESS) > MOST_MEANINGLESS) return true;
  if (measureShare(text, READABLE) < LEAST_READABLE) return true;
  const letters = text.match(LATIN)?.join('') ?? '';
  return (
    letters.length >= LEAST_LETTERS &&
    letters.length > 0.6 * text.length &&
    measureShare(letters, VOWELS) < LEAST_VOWELS
  );
}

function measureShare(text: string, pattern: RegExp): number {
  return (text.match(pattern)?.length ?? 0) / text.length;
}

/**
 * Whether a page's text is what its font's signs happen to be numbered, and not what it says: a font without
 * a mapping to letters gives characters for private use, controls, punctuation, or letters shifted in the
 * alphabet, of which too few are vowels for any language.
 */

/** Fewer signs than these say nothing. */
const LEAST_SIGNS = 40;
/** Of all signs, those that mean nothing: for private use, replaced, unassigned. */
const MOST_MEANINGLESS = 0.2;
/** Letters and figures among all signs: even tables of numbers and formulas have more. */
const LEAST_READABLE = 0.25;
/** Vowels among Latin letters: 0.33 to 0.5 in prose of any language, less in lists of abbreviations. */
const LEAST_VOWELS = 0.2;
const LEAST_LETTERS = 120;

const MEANINGLESS = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu;
const READABLE = /[\p{L}\p{N}]/gu;
const LATIN = /[A-Za-z]/g;
const VOWELS = /[aeiou]/gi;

export function isNonsense(lines: readonly string[]): boolean {
  // Rows of dots lead to the numbers in a table of contents.
  const text = lines
    .join('')
    .replace(/\s/g, '')
    .replace(/[.·…_-]{3,}/g, '');
  if (text.length < LEAST_SIGNS) return false;
  if (share(text, MEANINGLESS) > MOST_MEANINGLESS) return true;
  if (share(text, READABLE) < LEAST_READABLE) return true;
  const letters = text.match(LATIN)?.join('') ?? '';
  return (
    letters.length >= LEAST_LETTERS &&
    letters.length > 0.6 * text.length &&
    share(letters, VOWELS) < LEAST_VOWELS
  );
}

function share(text: string, pattern: RegExp): number {
  return (text.match(pattern)?.length ?? 0) / text.length;
}

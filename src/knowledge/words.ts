/**
 * Prepares text for the full-text index and for queries. A person's query is text, not a query language:
 * every word is passed to the index in quotation marks and contains only letters and digits.
 */

/** Scripts without spaces, where the index would take a sentence as one word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');
/** Matches `camelCase`, which is also indexed by its parts. */
const HUMPED = /\b\p{L}+\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The most words of a query; the rest of a pasted text is ignored. */
const MOST_WORDS = 32;

/**
 * Frequent English words, which are ignored in queries. For other languages bm25 gives them little weight.
 */
const EMPTY = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by can
  could did do does doing done each for from had has have having he her here him his how i if in into is it
  its let may me might more most must my no nor not of on one only or other our out over own same shall she
  should so some such than that the their them then there these they this those through to too under until
  up us very was we were what when where which while who whom whose why will with would you your`.split(
    /\s+/,
  ),
);

/**
 * Returns a text in the form in which it is indexed for full-text search: Chinese and Japanese
 * characters are separated by spaces, and the parts of `camelCase` words are added at the end.
 */
export function toIndexText(text: string): string {
  const plain = text.normalize('NFC');
  const parts = [...plain.matchAll(HUMPED)].map(([word]) => word.split(HUMP).join(' '));
  const spaced = UNSPACED.test(plain) ? plain.replace(EACH_UNSPACED, ' $& ') : plain;
  return parts.length === 0 ? spaced : `${spaced}\n${parts.join(' ')}`;
}

/** A word of a query, in lower case (`word`) and as an expression of SQLite's full-text search (`match`). */
export interface Term {
  readonly word: string;
  readonly match: string;
}

/**
 * Returns the different words of a query, without very frequent words such as "the". If the query has
 * only frequent words, they are returned. The parts of a `camelCase` word are returned too. Only the first
 * 4,000 characters of the query are read, and at most 32 words are returned.
 */
export function termsOf(query: string): Term[] {
  const words = query
    .slice(0, 4_000)
    .normalize('NFC')
    .match(WORD)
    ?.flatMap((word) => [word, ...(HUMP.test(word) ? word.split(HUMP) : [])]);
  const all = [...new Set((words ?? []).map((word) => word.toLowerCase()))];
  const telling = all.filter((word) => !EMPTY.has(word));
  return (telling.length > 0 ? telling : all)
    .slice(0, MOST_WORDS)
    .map((word) => ({ word, match: matchOf(word) }));
}

/** Returns the match expression of a word. In scripts without spaces any two adjacent letters match. */
function matchOf(word: string): string {
  if (!UNSPACED.test(word)) return quoteText(word);
  const letters = word.replace(EACH_UNSPACED, ' $& ').trim().split(/\s+/);
  if (letters.length < 3) return quoteText(letters.join(' '));
  const pairs = letters.slice(1).map((letter, index) => quoteText(`${letters[index]} ${letter}`));
  return `(${pairs.join(' OR ')})`;
}

function quoteText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

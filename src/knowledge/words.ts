/**
 * Text as its words are indexed and looked for. What people type is text and never a query language: every
 * word of it reaches the index in quotation marks, and holds nothing but letters and digits.
 */

/** Written without spaces: the index would make one word of a sentence. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');
/** `camelCase` is also looked for by its parts. */
const HUMPED = /\b\p{L}+\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** More words than these only take time: the rest of a pasted text is left out. */
const MOST_WORDS = 32;

/** English words that say nothing of what is asked about. Of other languages bm25 makes little, too. */
const EMPTY = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by can
  could did do does doing done each for from had has have having he her here him his how i if in into is it
  its let may me might more most must my no nor not of on one only or other our out over own same shall she
  should so some such than that the their them then there these they this those through to too under until
  up us very was we were what when where which while who whom whose why will with would you your`.split(
    /\s+/,
  ),
);

/** What of a text is put into the index. */
export function indexed(text: string): string {
  const plain = text.normalize('NFC');
  const parts = [...plain.matchAll(HUMPED)].map(([word]) => word.split(HUMP).join(' '));
  const spaced = UNSPACED.test(plain) ? plain.replace(EACH_UNSPACED, ' $& ') : plain;
  return parts.length === 0 ? spaced : `${spaced}\n${parts.join(' ')}`;
}

/** A word that is looked for: as it was typed, and as the index takes it. */
export interface Term {
  readonly word: string;
  readonly match: string;
}

/** The words of a query that say something; all of them where none does. */
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

/** Where a word is written without spaces, any two of its letters that stand together will do. */
function matchOf(word: string): string {
  if (!UNSPACED.test(word)) return quote(word);
  const letters = word.replace(EACH_UNSPACED, ' $& ').trim().split(/\s+/);
  if (letters.length < 3) return quote(letters.join(' '));
  const pairs = letters.slice(1).map((letter, index) => quote(`${letters[index]} ${letter}`));
  return `(${pairs.join(' OR ')})`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

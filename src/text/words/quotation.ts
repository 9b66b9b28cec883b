/**
 * Finds quotations in documents: looks up a sequence of words regardless of punctuation, case and line
 * ends. Both texts are untrusted, so everything takes linear time.
 */
import { textLines } from '../lines.ts';
import { sanitiseText } from '../sanitise.ts';

/** The fewest words of a quotation; fewer occur in any text and prove nothing. */
const LEAST_WORDS = 3;

interface Text {
  readonly text: string;
}

interface Word {
  readonly word: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The words of texts, cached since a text is searched for every quotation. */
const WORDS = new WeakMap<Text, readonly Word[]>();

/**
 * Returns the words of a text as `plainWords` does, each with the number of its line. The result is
 * kept for the next call with the same object.
 */
export function wordsWithLines(text: Text): readonly Word[] {
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  const words = textLines(text.text).flatMap((line, index) =>
    plainWords(line).map((word) => ({ word, line: index + 1 })),
  );
  WORDS.set(text, words);
  return words;
}

/**
 * Splits a text into words of letters and digits, in lower case and normal width. Everything between
 * words is dropped.
 */
export function plainWords(text: string): string[] {
  return (
    sanitiseText(text)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Scripts without spaces between words. Each of their characters is matched like a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const DENSE_OR_RUN = new RegExp(`${DENSE.source}|(?:(?!${DENSE.source}).)+`, 'gu');
/** How many characters of such a script count as one word. */
const SIGNS_PER_WORD = 2;

/** How hyphens are read: between words, as a break of one word at a line end, or not at all. */
const HYPHENS = ['between', 'broken', 'none'] as const;
type Hyphens = (typeof HYPHENS)[number];

const READ: Readonly<Record<Hyphens, WeakMap<Text, readonly Word[]>>> = {
  between: new WeakMap(),
  broken: new WeakMap(),
  none: new WeakMap(),
};
const HYPHEN_AT_END = /(?<=\p{L})[-\u2010\u00ad]\s*$/u;
const HYPHEN = /(?<=\p{L})[-\u2010\u2011\u00ad](?=\p{L})/gu;

/**
 * Returns the first and last line of the passage that contains all words of a quotation, in order
 * and without a gap. A word that is broken at a line end also matches as one word, with or without
 * its hyphen. Returns undefined if there is no such passage, or if the quotation has too few words
 * to be recognised.
 */
export function linesOfQuotation(quotation: string, text: Text): [number, number] | undefined {
  const joined = quotation.replace(/(?<=\p{L})[-\u2010\u00ad]\s*\n\s*(?=\p{L})/gu, '-');
  for (const hyphens of HYPHENS) {
    const plain =
      hyphens === 'between'
        ? quotation
        : hyphens === 'broken'
          ? joined
          : joined.replace(HYPHEN, '');
    const wanted = plainWords(plain).flatMap(splitDense);
    if (!saysSomething(wanted)) return undefined;
    const words = readWords(text, hyphens);
    const at = indexOfRun(words, wanted);
    if (at < 0) continue;
    const first = words[at]?.line ?? 1;
    return [first, words[at + wanted.length - 1]?.line ?? first];
  }
  return undefined;
}

function saysSomething(words: readonly string[]): boolean {
  const dense = words.filter((word) => DENSE.test(word)).length;
  return words.length - dense + dense / SIGNS_PER_WORD >= LEAST_WORDS;
}

function splitDense(word: string): string[] {
  return DENSE.test(word) ? (word.match(DENSE_OR_RUN) ?? []) : [word];
}

function readWords(text: Text, hyphens: Hyphens): readonly Word[] {
  const known = READ[hyphens].get(text);
  if (known !== undefined) return known;
  const words: Word[] = [];
  let broken = '';
  for (const [index, line] of textLines(text.text).entries()) {
    const read = hyphens === 'none' ? line.replace(HYPHEN, '') : line;
    const found = plainWords(read).flatMap(splitDense);
    for (const [at, word] of found.entries())
      words.push({ word: at === 0 ? broken + word : word, line: index + 1 });
    if (found.length > 0) broken = '';
    // Count a word that is broken across lines as part of the line with its second half.
    if (hyphens !== 'between' && HYPHEN_AT_END.test(read)) broken = words.pop()?.word ?? '';
  }
  if (broken !== '') words.push({ word: broken, line: textLines(text.text).length });
  READ[hyphens].set(text, words);
  return words;
}

/**
 * Returns the index of a sequence of words, or -1. It takes linear time (Knuth, Morris and Pratt) also for
 * hostile texts such as one word repeated.
 */
function indexOfRun(words: readonly Word[], wanted: readonly string[]): number {
  const back: number[] = [0];
  for (let at = 1, kept = 0; at < wanted.length; at += 1) {
    while (kept > 0 && wanted[at] !== wanted[kept]) kept = back[kept - 1] ?? 0;
    if (wanted[at] === wanted[kept]) kept += 1;
    back.push(kept);
  }
  for (let at = 0, kept = 0; at < words.length; at += 1) {
    const { word } = words[at] ?? {};
    while (kept > 0 && word !== wanted[kept]) kept = back[kept - 1] ?? 0;
    if (word === wanted[kept]) kept += 1;
    if (kept === wanted.length) return at - kept + 1;
  }
  return -1;
}

/**
 * Where words stand in a text, whatever marks, case and line ends are between them: how quotations from
 * documents are looked up. Both come from strangers, so everything is linear in their length.
 */
import { textLines } from '../lines.ts';
import { sanitise } from '../sanitise.ts';

/** Fewer words stand in every text and show nothing. */
const LEAST_WORDS = 3;

interface Text {
  readonly text: string;
}

interface Word {
  readonly word: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Texts do not change, and are looked at again for every quotation. */
const WORDS = new WeakMap<Text, readonly Word[]>();

/** The words of a text, without marks, case and width, each with its line. */
export function wordsOf(text: Text): readonly Word[] {
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  const words = textLines(text.text).flatMap((line, index) =>
    plainWords(line).map((word) => ({ word, line: index + 1 })),
  );
  WORDS.set(text, words);
  return words;
}

/** Letters and figures in their order; what stands between them makes no difference, also where a line ends. */
export function plainWords(text: string): string[] {
  return (
    sanitise(text)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Scripts without spaces between words: each of their signs is looked up as a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const DENSE_OR_RUN = new RegExp(`${DENSE.source}|(?:(?!${DENSE.source}).)+`, 'gu');
/** So many signs of such a script say as much as a word. */
const SIGNS_PER_WORD = 2;

/** How hyphens are read: as marks between words, as breaks of a word where a line ends, or as no mark at all. */
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
 * The first and last line on which all words of a quotation stand in their order, without a gap. A word
 * that a line end breaks is one word, with its hyphen and without. Undefined where they do not stand
 * there, or where they are too few to show anything.
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
    // The beginning of a word goes to where its end stands.
    if (hyphens !== 'between' && HYPHEN_AT_END.test(read)) broken = words.pop()?.word ?? '';
  }
  if (broken !== '') words.push({ word: broken, line: textLines(text.text).length });
  READ[hyphens].set(text, words);
  return words;
}

/**
 * Where words stand side by side, -1 for nowhere. In linear time (Knuth, Morris and Pratt): both come
 * from strangers, and a text of one word over and over would else be gone through again and again.
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

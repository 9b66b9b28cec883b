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

/**
 * The first and last line on which all words of a quotation stand in their order, without a gap.
 * Undefined where they do not, or where they are too few to show anything.
 */
export function linesOfQuotation(quotation: string, text: Text): [number, number] | undefined {
  const wanted = plainWords(quotation);
  if (wanted.length < LEAST_WORDS) return undefined;
  const words = wordsOf(text);
  const at = indexOfRun(words, wanted);
  if (at < 0) return undefined;
  const first = words[at]?.line ?? 1;
  return [first, words[at + wanted.length - 1]?.line ?? first];
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

/**
 * The documents under discussion as words are held against them: places, words, runs. A reader's quotation
 * is looked up by the rule by which `validate` finds it again.
 */
import { textLines } from '../../../text/lines.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { attachmentPath } from './layout.ts';
import type { Quotation } from './types.ts';

export interface Document {
  readonly name: string;
  readonly text: string;
}

/** Fewer words stand in every text and show nothing. */
const LEAST_WORDS = 3;

interface Word {
  readonly word: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Documents do not change, and are looked at again for every quotation and every claim. */
const WORDS = new WeakMap<Document, readonly Word[]>();
const RUNS = new WeakMap<Document, ReadonlySet<string>>();

/** The words of a document, without marks, case and width, each with its line. */
function wordsOf(document: Document): readonly Word[] {
  const known = WORDS.get(document);
  if (known !== undefined) return known;
  const words = textLines(document.text).flatMap((line, index) =>
    plainWords(line).map((word) => ({ word, line: index + 1 })),
  );
  WORDS.set(document, words);
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
 * Where a quotation stands: the lines of the first document that has all of its words in their order,
 * without a gap. Undefined where none has, or where it is too short to show anything.
 */
export function placeOf(quotation: string, documents: readonly Document[]): Quotation | undefined {
  const wanted = plainWords(quotation);
  if (wanted.length < LEAST_WORDS) return undefined;
  for (const document of documents) {
    const words = wordsOf(document);
    const at = indexOfRun(words, wanted);
    if (at < 0) continue;
    const first = words[at]?.line ?? 1;
    const last = words[at + wanted.length - 1]?.line ?? first;
    const lines = first === last ? `L${first}` : `L${first}-L${last}`;
    return { text: quotation.trim(), ref: `${attachmentPath(document.name)}#${lines}` };
  }
  return undefined;
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

/** What is looked for as a word; a longer text is none. */
const MOST_WORDS = 8;

/** The first line on which a word, or a longer one that begins with it, stands in a document. */
export function findWord(word: string, documents: readonly Document[]): string | undefined {
  const wanted = plainWords(word).slice(0, MOST_WORDS);
  if (wanted.length === 0) return undefined;
  for (const document of documents) {
    const words = wordsOf(document);
    const at = words.findIndex((_, from) =>
      wanted.every((part, index) => words[from + index]?.word.startsWith(part)),
    );
    if (at >= 0) return `${attachmentPath(document.name)}#L${words[at]?.line}`;
  }
  return undefined;
}

/** Every three words that stand side by side. */
export function runsOf(text: string): Set<string> {
  const words = plainWords(text);
  return new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(' ')));
}

/** The share of a text's three-word runs that are among those given, 0 to 1. */
export function sharedRuns(text: string, runs: ReadonlySet<string>): number {
  const own = runsOf(text);
  if (own.size === 0) return 0;
  return [...own].filter((run) => runs.has(run)).length / own.size;
}

/** The share of a text's three-word runs that stand in some document, 0 to 1. */
export function quotedShare(text: string, documents: readonly Document[]): number {
  const own = [...runsOf(text)];
  if (own.length === 0) return 0;
  return own.filter((run) => documents.some((one) => runsIn(one).has(run))).length / own.length;
}

function runsIn(document: Document): ReadonlySet<string> {
  const known = RUNS.get(document);
  if (known !== undefined) return known;
  const runs = runsOf(document.text);
  RUNS.set(document, runs);
  return runs;
}

/** All lines of a document; none where it is empty. */
export function wholeOf({ name, text }: Document): string[] {
  const last = textLines(text).length;
  return last === 0 ? [] : [`${attachmentPath(name)}#L1-L${last}`];
}

/** The documents under discussion as a reader's words are held against them: places, words, runs. */
import { textLines } from '../../../text/lines.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { attachmentPath } from '../records/layout.ts';
import type { Quotation } from '../records/types.ts';

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

/** The words of a text, without marks, case and width, each with its line. */
function wordsOf(text: string): Word[] {
  return textLines(text).flatMap((line, index) =>
    plainWords(line).map((word) => ({ word, line: index + 1 })),
  );
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
  for (const { name, text } of documents) {
    const words = wordsOf(text);
    for (let at = 0; at + wanted.length <= words.length; at += 1) {
      if (!wanted.every((word, index) => words[at + index]?.word === word)) continue;
      const first = words[at]?.line ?? 1;
      const last = words[at + wanted.length - 1]?.line ?? first;
      const lines = first === last ? `L${first}` : `L${first}-L${last}`;
      return { text: quotation.trim(), ref: `${attachmentPath(name)}#${lines}` };
    }
  }
  return undefined;
}

/** The first line on which a word, or a longer one that begins with it, stands in a document. */
export function findWord(word: string, documents: readonly Document[]): string | undefined {
  const wanted = plainWords(word);
  if (wanted.length === 0) return undefined;
  for (const { name, text } of documents) {
    const words = wordsOf(text);
    const at = words.findIndex((_, from) =>
      wanted.every((part, index) => words[from + index]?.word.startsWith(part)),
    );
    if (at >= 0) return `${attachmentPath(name)}#L${words[at]?.line}`;
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

/**
 * Searches in documents and tool results: quotations, words, and sequences of words. Readings and
 * `validate` use the same rule for quotations.
 */
import { type Part, rangeLabel } from '../../../text/documents/parts.ts';
import { textLines } from '../../../text/lines.ts';
import { linesOfQuotation, plainWords, wordsWithLines } from '../../../text/words/quotation.ts';
import { attachmentPath } from './layout.ts';
import type { Quotation } from './types.ts';

/** A text by which claims can be decided: an attachment or a tool result. */
export interface Document {
  readonly name: string;
  readonly text: string;
  /** The number of the first line of a tool result. Absent for an attachment. */
  readonly from?: number;
  /** The pages, slides or sheets into which the text is divided. */
  readonly parts?: readonly Part[] | undefined;
}

/**
 * Returns the citation of a document's lines, which are counted from 1 in its text: `attachments/plan.md#L3`,
 * `attachments/report.pdf#p3L10`, `S-3#L10-L12`.
 */
function refTo({ name, from, parts }: Document, first: number, last = first): string {
  const before = (from ?? 1) - 1;
  const lines = rangeLabel(first + before, last + before, parts);
  return `${from === undefined ? attachmentPath(name) : name}#${lines}`;
}

const RUNS = new WeakMap<Document, ReadonlySet<string>>();

/**
 * Finds a quotation in the documents. Returns the lines of the first document that contains its
 * words without gaps, or undefined if there is none or the quotation is too short.
 */
export function findQuotation(
  quotation: string,
  documents: readonly Document[],
): Quotation | undefined {
  for (const document of documents) {
    const found = linesOfQuotation(quotation, document);
    if (found === undefined) continue;
    return { text: quotation.trim(), ref: refTo(document, ...found) };
  }
  return undefined;
}

/**
 * Returns the whole lines in which a quotation stands, from the first document that contains it.
 * Returns an empty text if there is none.
 */
export function readQuotedLines(quotation: string, documents: readonly Document[]): string {
  for (const document of documents) {
    const found = linesOfQuotation(quotation, document);
    if (found === undefined) continue;
    const [first, last] = found;
    return textLines(document.text)
      .slice(first - 1, last)
      .join('\n');
  }
  return '';
}

/** The most words that are searched for together. Of a longer text, only the first words are searched for. */
const MOST_WORDS = 8;

/**
 * Returns the citation of the first line that contains a word, or a longer word that begins with
 * it. Several words must stand side by side. Returns undefined if there is no such line.
 */
export function findWord(word: string, documents: readonly Document[]): string | undefined {
  const wanted = plainWords(word).slice(0, MOST_WORDS);
  if (wanted.length === 0) return undefined;
  for (const document of documents) {
    const words = wordsWithLines(document);
    const at = words.findIndex((_, from) =>
      wanted.every((part, index) => words[from + index]?.word.startsWith(part)),
    );
    if (at >= 0) return refTo(document, words[at]?.line ?? 1);
  }
  return undefined;
}

/** Returns all sequences of three neighboring words in a text. */
export function collectWordTriples(text: string): Set<string> {
  const words = plainWords(text);
  return new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(' ')));
}

/**
 * Returns the share of a text's three-word sequences that are in a given set, from 0 to 1.
 * @param runs the sequences to compare with, from `collectWordTriples`
 */
export function computeTripleShare(text: string, runs: ReadonlySet<string>): number {
  const own = collectWordTriples(text);
  if (own.size === 0) return 0;
  return [...own].filter((run) => runs.has(run)).length / own.size;
}

/**
 * Returns the share of a text's three-word sequences that occur in any of the documents, from 0 to
 * 1.
 */
export function computeQuotedShare(text: string, documents: readonly Document[]): number {
  const own = [...collectWordTriples(text)];
  if (own.length === 0) return 0;
  return (
    own.filter((run) => documents.some((document) => runsIn(document).has(run))).length / own.length
  );
}

function runsIn(document: Document): ReadonlySet<string> {
  const known = RUNS.get(document);
  if (known !== undefined) return known;
  const runs = collectWordTriples(document.text);
  RUNS.set(document, runs);
  return runs;
}

/** Returns a list with one citation, which covers all lines of an attachment. The list is empty if it has no lines. */
export function getAllLines({ name, text, parts = [] }: Document): string[] {
  const last = textLines(text).length;
  if (last === 0) return [];
  return [
    `${attachmentPath(name)}#${parts.length === 0 ? `L1-L${last}` : rangeLabel(1, last, parts)}`,
  ];
}

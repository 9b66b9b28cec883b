/**
 * Finds sentences that no other sentence of the documents contradicts, because only such sentences
 * can be controls. If one line allows 40 orders a minute and another line 20, a careful reader
 * would call both lines contradictory, and this right answer would count as an error. Code does not
 * understand sentences, so it rejects more of them than necessary.
 */
import { textLines } from '../../../text/lines.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import {
  findMeaningfulWords,
  findNumbers,
  hasNegation,
  stemOf,
} from '../../../text/words/telling.ts';
import type { Document } from '../records/documents.ts';

/** The number of shared meaningful words from which two sentences may have the same subject. */
const SHARED = 2;
/** The number of words after a number that may name what it counts: "40 orders", "20 a minute". */
const NEAR = 4;

interface Said {
  readonly words: string;
  readonly stems: ReadonlySet<string>;
  readonly counted: ReadonlySet<string>;
  readonly figures: ReadonlySet<string>;
  readonly denies: boolean;
}

/**
 * Returns a function that is true for a sentence if every other sentence of the documents is compatible with it. A
 * sentence on the same subject counts as incompatible if it has a number that the given sentence lacks, or if only
 * one of the two has a negation.
 */
export function createDistinctnessCheck(
  documents: readonly Document[],
): (sentence: string) => boolean {
  const all = documents.flatMap(({ text }) => sentencesIn(text)).map(readSaid);
  return (sentence) => {
    const own = readSaid(sentence);
    return all.every(
      (other) => other.words === own.words || !isAtOdds(own, other) || !isNear(own, other),
    );
  };
}

function isAtOdds(own: Said, other: Said): boolean {
  return (
    own.denies !== other.denies || [...other.figures].some((figure) => !own.figures.has(figure))
  );
}

function isNear(own: Said, other: Said): boolean {
  return (
    [...own.stems].filter((stem) => other.stems.has(stem)).length >= SHARED ||
    [...own.counted].some((stem) => other.counted.has(stem))
  );
}

function readSaid(sentence: string): Said {
  const words = plainWords(sentence);
  const figures = new Set(findNumbers(sentence));
  const telling = new Set(findMeaningfulWords(sentence).filter((word) => !figures.has(word)));
  const counted = words.flatMap((word, at) =>
    figures.has(word)
      ? words.slice(at + 1, at + 1 + NEAR).filter((nextWord) => telling.has(nextWord))
      : [],
  );
  return {
    words: words.join(' '),
    stems: new Set([...telling].map(stemOf)),
    counted: new Set(counted.map(stemOf)),
    figures,
    denies: hasNegation(sentence),
  };
}

/**
 * Returns all sentences, including headings, list items and table cells. A line that continues on
 * the next is joined with it.
 */
function sentencesIn(text: string): string[] {
  const runs: string[] = [];
  for (const line of textLines(text)) {
    const before = runs.at(-1) ?? '';
    const goesOn = /[^.!?:\s]\s*$/.test(before) && /^\s*[\p{Ll}\d]/u.test(line);
    runs[goesOn ? runs.length - 1 : runs.length] = goesOn ? `${before} ${line}` : line;
  }
  return runs
    .flatMap((run) => run.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.trim() !== '');
}

/**
 * Which sentences of the documents are contradicted by no other. Where one line lets 40 a minute through
 * and another 20, a careful reader says of either that the text is at odds with itself, and would be
 * counted wrong. Code cannot tell what a sentence means, so it leaves out more than it had to.
 */
import { textLines } from '../../../text/lines.ts';
import { plainWords } from '../../../text/words/quotation.ts';
import { findNumbers, hasNegation, stemOf, tellingWords } from '../../../text/words/telling.ts';
import type { Document } from '../records/documents.ts';

/** Two sentences that share so many words that carry meaning may speak of the same thing. */
const SHARED = 2;
/** What a figure counts stands so near behind it: "40 orders", "20 a minute". */
const NEAR = 4;

interface Said {
  readonly words: string;
  readonly stems: ReadonlySet<string>;
  readonly counted: ReadonlySet<string>;
  readonly figures: ReadonlySet<string>;
  readonly denies: boolean;
}

/**
 * Returns a function that checks sentences of the documents: true if no other sentence on the same
 * subject has another number or a negation.
 */
export function beyondDoubt(documents: readonly Document[]): (sentence: string) => boolean {
  const all = documents.flatMap(({ text }) => sentencesIn(text)).map(readSaid);
  return (sentence) => {
    const own = readSaid(sentence);
    return all.every((one) => one.words === own.words || !isAtOdds(own, one) || !isNear(own, one));
  };
}

function isAtOdds(own: Said, other: Said): boolean {
  return own.denies !== other.denies || [...other.figures].some((one) => !own.figures.has(one));
}

function isNear(own: Said, other: Said): boolean {
  return (
    [...own.stems].filter((one) => other.stems.has(one)).length >= SHARED ||
    [...own.counted].some((one) => other.counted.has(one))
  );
}

function readSaid(sentence: string): Said {
  const words = plainWords(sentence);
  const figures = new Set(findNumbers(sentence));
  const telling = new Set(tellingWords(sentence).filter((word) => !figures.has(word)));
  const counted = words.flatMap((word, at) =>
    figures.has(word) ? words.slice(at + 1, at + 1 + NEAR).filter((one) => telling.has(one)) : [],
  );
  return {
    words: words.join(' '),
    stems: new Set([...telling].map(stemOf)),
    counted: new Set(counted.map(stemOf)),
    figures,
    denies: hasNegation(sentence),
  };
}

/** All that is said, in headings, lists and tables as well; a line that goes on in the next is one with it. */
function sentencesIn(text: string): string[] {
  const runs: string[] = [];
  for (const line of textLines(text)) {
    const before = runs.at(-1) ?? '';
    const goesOn = /[^.!?:\s]\s*$/.test(before) && /^\s*[\p{Ll}\d]/u.test(line);
    runs[goesOn ? runs.length - 1 : runs.length] = goesOn ? `${before} ${line}` : line;
  }
  return runs.flatMap((run) => run.split(/(?<=[.!?])\s+/)).filter((one) => one.trim() !== '');
}

/**
 * Checks whether quoted code or prose occurs in a text. Punctuation counts, since `a < b` is not `a > b`.
 */
import { joinLines } from '../../../text/line.ts';

/** The fewest characters of a quotation. A shorter one could occur in any file, so it proves nothing. */
const LEAST = 8;

/**
 * Returns whether a quotation occurs in a text. Line ends, indentation and the line numbers that a tool
 * prints are ignored. A quotation of fewer than 8 characters never counts as found.
 */
export function isQuotedFrom(quote: string, text: string): boolean {
  const within = toComparable(text);
  return [quote, quote.replace(/^\s*\d+\s*[:|\t]/gm, '')].some((words) => {
    const wanted = toComparable(words);
    return wanted.length >= LEAST && within.includes(wanted);
  });
}

/** Joins lines and normalizes letters, so that composed and decomposed accents compare as equal. */
function toComparable(text: string): string {
  return joinLines(text.normalize('NFC'));
}

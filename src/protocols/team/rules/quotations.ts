/** Whether quoted code or prose stands in a text: marks count, since `a < b` is not `a > b`. */
import { joinLines } from '../../../text/line.ts';

/** Fewer characters stand in every file and show nothing. */
const LEAST = 8;

/** Line ends and indentation make no difference, nor do the line numbers that a tool shows beside a text. */
export function stands(quote: string, text: string): boolean {
  const within = comparable(text);
  return [quote, quote.replace(/^\s*\d+\s*[:|\t]/gm, '')].some((words) => {
    const wanted = comparable(words);
    return wanted.length >= LEAST && within.includes(wanted);
  });
}

/** Letters that are composed in one and not in the other are the same. */
function comparable(text: string): string {
  return joinLines(text.normalize('NFC'));
}

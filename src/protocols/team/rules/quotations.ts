/** Whether quoted code or prose stands in a text: marks count, since `a < b` is not `a > b`. */

/** Fewer characters stand in every file and show nothing. */
const LEAST = 8;

/** Line ends and indentation make no difference, nor do the line numbers that a tool shows beside a text. */
export function stands(quote: string, text: string): boolean {
  const within = oneLine(text);
  return [quote, quote.replace(/^\s*\d+\s*[:|\t]/gm, '')].some((words) => {
    const wanted = oneLine(words);
    return wanted.length >= LEAST && within.includes(wanted);
  });
}

function oneLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/**
 * Detects an answer that repeats itself without end, as small models do until their context is full. The
 * text is compared with itself, shifted by a period: once exactly, and once with every number replaced by
 * 0, so that "4. Yes. 5. Yes. 6. Yes." is found too. Tables and lists with different numbers are not
 * affected.
 */

/** Characters that must repeat before an answer is cut, about 500 tokens of English. */
const MIN_REPEATED = 2_000;
/** How often the same piece must follow itself. */
const MIN_TIMES = 5;
/** Characters at the end of an answer that are searched; a repeated piece of up to 2,400 can be found. */
export const WINDOW = 12_000;
/** The fewest letters of a piece that repeats only without its numbers. */
const MIN_LETTERS = 10;

/**
 * Returns whether the end of the text is one piece repeated over and over. Takes time linear in `WINDOW`.
 *
 * @param isForm whether the text is JSON: its lists may hold the same entry many times, and only a repetition
 *   within one string counts
 */
export function endsInRepetition(text: string, isForm = false): boolean {
  const tail = text.slice(-WINDOW);
  const counts = (piece: string): boolean => !isForm || !piece.includes('"');
  const exact = repeatedPiece(tail);
  if (exact !== undefined) return counts(exact);
  const piece = repeatedPiece(tail.replace(/\d+/g, '0'));
  if (piece === undefined || !counts(piece)) return false;
  return (piece.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS;
}

/**
 * Returns the shortest piece that fills a long enough end of the text, or undefined if there is none. The
 * text is read backwards by the prefix function of Knuth, Morris and Pratt: for each length of the end it
 * gives the longest part that is both its beginning and its end, and so the shortest period.
 */
function repeatedPiece(text: string): string | undefined {
  const { length } = text;
  const charAt = (index: number): number => text.charCodeAt(length - 1 - index);
  const borders = new Uint16Array(length);
  for (let end = 1, border = 0; end < length; end += 1) {
    while (border > 0 && charAt(end) !== charAt(border)) border = borders[border - 1] ?? 0;
    if (charAt(end) === charAt(border)) border += 1;
    borders[end] = border;
    const size = end + 1;
    const period = size - border;
    if (size >= MIN_REPEATED && size >= MIN_TIMES * period) return text.slice(-period);
  }
  return undefined;
}

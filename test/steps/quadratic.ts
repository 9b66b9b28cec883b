/**
 * Functions whose number of steps is known. Each quadratic one is slow in another way, which the counter has
 * to notice.
 */

/**
 * Goes over a text once and returns its number of spaces. The steps grow linearly with the length of the
 * text.
 */
export function scanOnce(text: string): number {
  let spaces = 0;
  for (const character of text) if (character === ' ') spaces += 1;
  return spaces;
}

/**
 * Goes over the text `before`, and returns a function that counts the spaces of `text`. A counter of steps must
 * count only those of the returned function.
 */
export function countPrepared(before: string, text: string): () => number {
  scanOnce(before);
  return () => scanOnce(text);
}

/** Compares every character of a text with every other in two nested loops: a sample of quadratic cost. */
export function byLoops(text: string): void {
  for (let one = 0; one < text.length; one += 1)
    for (let other = 0; other < text.length; other += 1)
      if (text[one] === '\u0000' && text[other] === '\u0000') return;
}

/**
 * Starts a search with `indexOf` at every character of a text, each of which goes to the text's end: a sample
 * of quadratic cost. The results are not used.
 */
export function bySearches(text: string): void {
  for (let at = 0; at < text.length; at += 1) text.indexOf('\u0000', at);
}

/**
 * Starts a search with a regular expression at every character of a text, each of which goes to the text's
 * end: a sample of quadratic cost. The results are not used.
 */
export function byExpressions(text: string): void {
  const wanted = /\u0000/g;
  for (let at = 0; at < text.length; at += 1) {
    wanted.lastIndex = at;
    wanted.test(text);
  }
}

/** Adds every character of a text to a list, and copies the list each time: a sample of quadratic cost. */
export function byCopies(text: string): void {
  let list: string[] = [];
  for (const character of text) list = list.concat(character);
}

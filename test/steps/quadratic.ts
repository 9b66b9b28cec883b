/**
 * Functions whose number of steps is known. Each quadratic one is slow in another way, which the counter has
 * to notice.
 */

/** Goes over a text once and returns its number of spaces. */
export function scanOnce(text: string): number {
  let spaces = 0;
  for (const character of text) if (character === ' ') spaces += 1;
  return spaces;
}

/**
 * Goes over a text, and returns a function that goes over another one. Only the steps of the returned
 * function are to be counted.
 */
export function countPrepared(before: string, text: string): () => number {
  scanOnce(before);
  return () => scanOnce(text);
}

/** Compares every character with every other in two nested loops. */
export function byLoops(text: string): void {
  for (let one = 0; one < text.length; one += 1)
    for (let other = 0; other < text.length; other += 1)
      if (text[one] === '\u0000' && text[other] === '\u0000') return;
}

/** Searches the rest of the text from every character on. */
export function bySearches(text: string): void {
  for (let at = 0; at < text.length; at += 1) text.indexOf('\u0000', at);
}

/** Searches the rest of the text from every character on by a regular expression. */
export function byExpressions(text: string): void {
  const wanted = /\u0000/g;
  for (let at = 0; at < text.length; at += 1) {
    wanted.lastIndex = at;
    wanted.test(text);
  }
}

/** Copies a list for every character that is added to it. */
export function byCopies(text: string): void {
  let list: string[] = [];
  for (const character of text) list = list.concat(character);
}

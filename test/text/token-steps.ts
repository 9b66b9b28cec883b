/** A column of streamed text whose steps are counted. */
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';

const TOKEN = 4;

/**
 * Fills a column, and returns what adds more to it token by token, with a look at its rows after each.
 *
 * @param before What the column holds already.
 * @param more What is added by the function that is returned.
 */
export function tokensAfter(before: string, more: string): () => void {
  const buffer = new ColumnBuffer(50);
  buffer.push(before);
  return () => {
    for (let at = 0; at < more.length; at += TOKEN) {
      buffer.push(more.slice(at, at + TOKEN));
      if (buffer.length < 0) throw new Error('a column has no fewer than 0 rows');
    }
  };
}

/** Lays out a whole text of a column of that width. */
export function layOutAll(text: string): void {
  const buffer = new ColumnBuffer(40);
  buffer.push(text);
  buffer.end();
  if (buffer.length < 0) throw new Error('a column has no fewer than 0 rows');
}

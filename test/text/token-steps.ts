/** Functions that stream text into a column, for tests that count their steps. */
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';

const TOKEN = 4;

/**
 * Fills a column, and returns a function that adds more text to it token by token and looks at its rows after
 * each token.
 *
 * @param before The text that the column already holds.
 * @param more The text that the returned function adds.
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

/** Lays out a whole text in a column 40 cells wide. Tests count the steps; the rows are not returned. */
export function layOutAll(text: string): void {
  const buffer = new ColumnBuffer(40);
  buffer.push(text);
  buffer.end();
  if (buffer.length < 0) throw new Error('a column has no fewer than 0 rows');
}

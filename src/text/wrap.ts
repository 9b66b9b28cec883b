/** Wraps text that is not Markdown: help, notes, errors. */

import { plainGlyphs } from './plain-glyphs.ts';
import { prefixOf } from './rows/prefix.ts';
import { PLAIN_STYLE, rowText } from './rows/row.ts';
import { RowWriter } from './rows/row-writer.ts';

/**
 * Wraps `text` into rows of at most `width` terminal cells. A word that is wider than a row is
 * split. A line's indentation is repeated on all its rows, shortened if the rows are narrow, and blank lines
 * stay.
 */
export function wrapPlain(text: string, width: number): string[] {
  const rows: string[] = [];
  const sink = { add: (row: Parameters<typeof rowText>[0]) => rows.push(rowText(row)) };
  for (const line of plainGlyphs(text).split('\n')) {
    const words = line.trimStart();
    const indent = line.length - words.length;
    const writer = new RowWriter(sink, width, prefixOf(0, 0, words === '' ? 0 : indent, width));
    writer.write(words, PLAIN_STYLE);
    writer.finish(true);
  }
  return rows;
}

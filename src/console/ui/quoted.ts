/**
 * Finds a quoted passage in a laid-out text by its letters and digits alone, because the layout breaks lines
 * and hides Markdown's marks.
 */
import type { ColumnBuffer } from '../../text/rows/column-buffer.ts';
import { rowText } from '../../text/rows/row.ts';

/** A range of rows. */
export interface RowRange {
  /** The first row. */
  readonly from: number;
  /** The last row, included. */
  readonly to: number;
}

/**
 * Finds the rows of a text that contain a quotation, by its letters and digits alone. Returns undefined
 * if the text does not contain the quotation, or if the quotation has no letter or digit.
 */
export function findQuotedRows(text: ColumnBuffer, quote: string): RowRange | undefined {
  const wanted = toLetters(quote);
  if (wanted === '') return undefined;
  const rows = text.slice(0, text.length).map((row) => toLetters(rowText(row)));
  const start = rows.join('').indexOf(wanted);
  if (start < 0) return undefined;
  const end = start + wanted.length;
  let from = -1;
  let seen = 0;
  for (const [index, row] of rows.entries()) {
    seen += row.length;
    if (from < 0 && seen > start) from = index;
    if (seen >= end) return { from, to: index };
  }
  return undefined;
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

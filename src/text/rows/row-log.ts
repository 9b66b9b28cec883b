/**
 * The rows of a column in order, with what a search needs to know about each: where its text begins and how
 * it ends. The last rows can be removed, as they may be tentative.
 */
import { type Row, rowText } from './row.ts';
import { AT_SPACE, LINE_END, type RowEnd, type RowSink } from './row-writer.ts';

/** Stores the rows of a text that was laid out for the screen, and searches them. */
export class RowLog implements RowSink {
  readonly rows: Row[] = [];
  /** `lead * 4 + end` for each row, in one number to save memory. */
  readonly #shapes: number[] = [];

  /** Adds a row. `lead` is the number of characters of its prefix; `end` is how the row ends. */
  add(row: Row, lead: number, end: RowEnd): void {
    this.rows.push(row);
    this.#shapes.push(lead * 4 + end);
  }

  /** Removes all rows from index `length` on. */
  truncate(length: number): void {
    this.rows.length = length;
    this.#shapes.length = length;
  }

  /**
   * Returns the indexes of the rows on which a match of `query` begins, ignoring case. Rows that
   * were wrapped from one source line are searched as one line.
   */
  find(query: string): number[] {
    const wanted = query.toLowerCase();
    const found: number[] = [];
    if (wanted === '') return found;
    // `line` joins the rows that were wrapped from one source line. For each of these rows, `starts` has the index
    // in `line` at which the row begins.
    let line = '';
    let starts: number[] = [];
    for (const [index, row] of this.rows.entries()) {
      const shape = this.#shapes[index] ?? 0;
      const end = shape & 3;
      starts.push(line.length);
      line += rowText(row)
        .slice(shape >> 2)
        .toLowerCase();
      if (end === AT_SPACE) line += ' ';
      if (end !== LINE_END && index < this.rows.length - 1) continue;
      addMatches(line, wanted, starts, index - starts.length + 1, found);
      line = '';
      starts = [];
    }
    return found;
  }
}

/** Adds the rows on which a match begins to `found`; `first` is the line's first row. */
function addMatches(
  line: string,
  wanted: string,
  starts: readonly number[],
  first: number,
  found: number[],
): void {
  let row = 0;
  for (let at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, at + 1)) {
    while (row + 1 < starts.length && (starts[row + 1] as number) <= at) row += 1;
    if (found[found.length - 1] !== first + row) found.push(first + row);
    // Continue the search in the next row, so that a row with several matches is listed once.
    const next = starts[row + 1];
    if (next === undefined) break;
    at = Math.max(at, next - 1);
  }
}

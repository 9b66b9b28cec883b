/**
 * Cuts rows that are wider than the screen. A terminal would wrap such a row, which moves everything below, so
 * that later drawing hits the wrong rows. Screens fit their rows themselves; this catches mistakes.
 */
import { textWidth, truncateLine } from '../../text/width.ts';

/** Colors and styles, which take no cells; rows contain nothing else besides text. */
const STYLE = new RegExp(`(${'\u001b'}\\[[\\d;]*m)`);

/**
 * Cuts rows to the width of the screen. Remembers the results, so that unchanged rows are not
 * measured again.
 */
export class FittedRows {
  #columns = 0;
  #before: readonly string[] = [];
  #fitted: readonly string[] = [];

  /** Returns the rows, cut to `columns` cells. */
  of(rows: readonly string[], columns: number): readonly string[] {
    const isSame = columns === this.#columns;
    const fitted = rows.map((row, index) =>
      isSame && row === this.#before[index] ? (this.#fitted[index] ?? row) : cutRow(row, columns),
    );
    this.#columns = columns;
    this.#before = rows;
    this.#fitted = fitted;
    return fitted;
  }
}

/** Returns a row with its styles, cut to `columns` cells. */
export function cutRow(row: string, columns: number): string {
  const parts = row.split(STYLE);
  if (textWidth(parts.filter((_, index) => index % 2 === 0).join('')) <= columns) return row;
  // Leave one cell for the ellipsis.
  let room = columns - 1;
  let isCut = false;
  return parts
    .map((part, index) => {
      // Keep the escape sequences after the cut, because they end styles that began before it.
      if (index % 2 === 1) return part;
      if (isCut) return '';
      const cells = textWidth(part);
      isCut = cells > room;
      room -= cells;
      return isCut ? truncateLine(`${part}…`, room + cells + 1) : part;
    })
    .join('');
}

/**
 * No row is wider than the screen: a terminal breaks one that is, everything below moves, and what is
 * drawn afterwards lands in the wrong rows. Screens fit their rows themselves; this is for the one that
 * they forgot.
 */
import { textWidth, truncate } from '../../text/width.ts';

/** Colors and styles, which take no cells: all that rows hold beside text. */
const STYLE = new RegExp(`(${'\u001b'}\\[[\\d;]*m)`);

/** A screen's rows fitted to its width; those that are as they were before are not measured again. */
export class FittedRows {
  #columns = 0;
  #before: readonly string[] = [];
  #fitted: readonly string[] = [];

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

/** A row with its styles, cut where it does not fit. */
export function cutRow(row: string, columns: number): string {
  const parts = row.split(STYLE);
  if (textWidth(parts.filter((_, index) => index % 2 === 0).join('')) <= columns) return row;
  // One cell is for the mark.
  let room = columns - 1;
  let isCut = false;
  return parts
    .map((part, index) => {
      // Styles behind the cut end what began before it.
      if (index % 2 === 1) return part;
      if (isCut) return '';
      const cells = textWidth(part);
      isCut = cells > room;
      room -= cells;
      return isCut ? truncate(`${part}…`, room + cells + 1) : part;
    })
    .join('');
}

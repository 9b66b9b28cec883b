/** Rows of text as columns that line up. */
import { padEnd, textWidth } from '../text/width.ts';

/** Two spaces between columns, none at a line's end. Cells are clean, one line each. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
  return rows.map((row) =>
    row
      .map((cell, at) => padEnd(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

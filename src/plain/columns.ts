/** Formats rows of text as aligned columns. */
import { padEnd, textWidth } from '../text/width.ts';

/** Aligns columns with two spaces between them and none at a line's end. Expects clean cells of one line. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
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

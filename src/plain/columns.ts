/** Formats rows of text as aligned columns. */
import { padEnd, textWidth } from '../text/width.ts';

/**
 * Formats rows of cells as lines with aligned columns, two spaces apart. Expects cells of one line
 * without control characters.
 */
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

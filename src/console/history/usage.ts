/** Draws the usage page: a table of tokens and costs with its total, and below it what has no price. */
import { formatUnpriced, usageCells, usageHead } from '../../text/usage-table.ts';
import { padEnd, textWidth, truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import type { Theme } from '../terminal/theme.ts';
import { markRow, windowRows } from '../ui/list.ts';
import type { UsageMode } from './state.ts';

interface UsageLook {
  readonly theme: Theme;
  readonly columns: number;
}

const APART = '  ';
/** The least width of the first column, in cells. */
const LEAST = 12;
/** The columns that are dropped if there is no room, in this order: time, tokens out, tokens in, calls. */
const GIVEN_UP = [4, 3, 2, 1] as const;

/** Draws the heading of the page of tokens and costs. */
export function usageTitle({ by }: UsageMode, { theme, columns }: UsageLook): string {
  const about = truncateLine(`by ${by}, of all runs; rehearsals are left out`, columns - 21);
  return `${theme.bold(' deliberate')}  usage  ${theme.dim(about)}`;
}

/** Draws the table of tokens and costs in at most `height` rows. */
export function usageTable(
  { by, at, sums, failure }: UsageMode,
  { theme, columns }: UsageLook,
  height: number,
): string[] {
  if (sums === undefined && failure !== undefined)
    return wrapPlain(`It cannot be read: ${failure}`, columns - 2).map((row) => ` ${row}`);
  if (sums === undefined) return [theme.dim(' …')];
  const { rows, total } = sums;
  if (rows.length === 0) return [' No calls yet.'];
  const cells = [usageHead(by), ...rows.map(usageCells), usageCells(total)];
  const lineUp = alignCells(cells, columns - 2);
  const unpriced = wrapPlain(formatUnpriced(total) ?? '', columns - 2).filter((row) => row !== '');
  const foot = [
    theme.rule(columns, false),
    theme.bold(`  ${lineUp(cells.at(-1) ?? [])}`),
    ...unpriced.map((row) => theme.dim(`  ${row}`)),
  ];
  const window = { at, count: rows.length, width: columns, height: height - 1 - foot.length };
  return [
    theme.dim(`  ${lineUp(cells[0] ?? [])}`),
    ...windowRows({ ...window, theme }, (index) =>
      markRow(padEnd(` ${lineUp(cells[index + 1] ?? [])}`, columns - 1), index === at, theme),
    ),
    ...foot,
  ];
}

/**
 * Returns a function that lays out one row of cells in `room` cells: the first column to the left, figures to
 * the right.
 */
function alignCells(
  rows: readonly (readonly string[])[],
  room: number,
): (cells: readonly string[]) => string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => textWidth(cells[column] ?? ''))),
  );
  const shown = new Set(widths.keys());
  const measureRoom = (): number =>
    [...shown].reduce((rest, at) => rest - (at === 0 ? 0 : (widths[at] ?? 0) + APART.length), room);
  for (const column of GIVEN_UP)
    if (measureRoom() < Math.min(LEAST, widths[0] ?? 0)) shown.delete(column);
  const first = Math.max(1, Math.min(widths[0] ?? 0, measureRoom()));
  return (cells) => {
    const parts = [...shown].map((at) => {
      const cell = cells[at] ?? '';
      if (at === 0) return padEnd(truncateLine(cell, first), first);
      return ' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(cell))) + cell;
    });
    return truncateLine(parts.join(APART), room);
  };
}

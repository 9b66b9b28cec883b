/** Draws the message for a terminal that is too small for any screen. */
import { truncateLine } from '../../text/width.ts';
import { LEAST_SCREEN } from './layout.ts';
import type { Theme } from './theme.ts';

/** Returns whether a terminal is smaller than `LEAST_SCREEN`, so that no screen is drawn on it. */
export function isTooSmall({ columns, rows }: { columns: number; rows: number }): boolean {
  return columns < LEAST_SCREEN.columns || rows < LEAST_SCREEN.rows;
}

/** Draws the message that the terminal is too small, with its size and the size that is needed. */
export function tooSmallRows(columns: number, rows: number, theme: Theme): string[] {
  const lines = [
    'terminal too small',
    `size: ${columns}x${rows}`,
    `needed: ${LEAST_SCREEN.columns}x${LEAST_SCREEN.rows}`,
  ];
  const shown = lines.slice(0, rows).map((line) => truncateLine(line, columns));
  return shown.map((line, row) => (row === 0 ? theme.bold(line) : line));
}

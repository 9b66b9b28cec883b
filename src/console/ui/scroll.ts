/**
 * The scroll position of a pane. A pane follows its end or is held at a row. While it follows a growing text it
 * moves in jumps: scrolling by one row redraws every row of the column for each new line, a jump of ten rows
 * redraws them once for ten lines (measured: a third of the bytes).
 */
import type { Command } from '../keys/keymap.ts';

/** How many rows a following pane jumps; fewer if the pane is low. */
const JUMP = 10;

/** A scroll position: the row held at the top, or `FOLLOW`. */
export type Hold = number;
export const FOLLOW: Hold = Number.POSITIVE_INFINITY;

/** The visible part of a text of `length` rows in `height` rows. */
export interface Window {
  readonly top: number;
  /** How many rows of text are shown; one fewer if the hint takes the last row. */
  readonly rows: number;
  /** How many rows are below the window while it is held; shown as a hint. */
  readonly below: number;
}

export function windowOf(hold: Hold, length: number, height: number, growing: boolean): Window {
  const end = Math.max(0, length - height);
  if (hold === FOLLOW) {
    const jump = Math.max(1, Math.min(JUMP, Math.floor(height / 3)));
    return { top: growing ? Math.ceil(end / jump) * jump : end, rows: height, below: 0 };
  }
  const top = Math.max(0, Math.min(hold, end));
  if (top === end) return { top, rows: height, below: 0 };
  const rows = Math.max(1, height - 1);
  return { top, rows, below: length - top - rows };
}

/** Returns the position after moving by `by` rows. Past the end the pane follows again. */
export function scrollBy(
  hold: Hold,
  by: number,
  window: Window,
  length: number,
  height: number,
): Hold {
  const end = Math.max(0, length - height);
  // A following pane may show blank rows past the end for text to come.
  const top = Math.min(window.top, end) + by;
  if (by > 0 && (hold === FOLLOW || top >= end)) return FOLLOW;
  return Math.max(0, top);
}

/** Returns a held position after its text was laid out again: at the same proportion as before. */
export function rescale(hold: Hold, before: number, after: number): Hold {
  return before === 0 ? hold : Math.round((hold * after) / before);
}

/** The commands that move in a text. */
export type Move = 'top' | 'bottom' | `${'half-' | 'page-' | ''}${'down' | 'up'}`;

export function isMove(command: string): command is Move {
  return /^(top|bottom|((half|page)-)?(down|up))$/.test(command);
}

/** Returns the row after a movement, from 0 to `end`. */
export function rowAfterMove(
  from: number,
  command: Command | undefined,
  end: number,
  height: number,
): number {
  if (command === 'top') return 0;
  const to = command === 'bottom' ? end : from + pageStep(command, height);
  return Math.max(0, Math.min(to, end));
}

/** Returns by how many rows a scrolling key moves in `height` rows; 0 for other keys. */
export function pageStep(command: Command | undefined, height: number): number {
  switch (command) {
    case 'down':
      return 1;
    case 'up':
      return -1;
    case 'half-down':
      return height >> 1;
    case 'half-up':
      return -(height >> 1);
    case 'page-down':
      return Math.max(1, height - 2);
    case 'page-up':
      return -Math.max(1, height - 2);
    default:
      return 0;
  }
}

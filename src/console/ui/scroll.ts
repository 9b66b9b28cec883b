/**
 * The scroll position of a pane. A pane follows its end or is held at a row. While it follows a growing text it
 * moves in jumps: scrolling by one row redraws every row of the column for each new line, a jump of ten rows
 * redraws them once for ten lines (measured: a third of the bytes).
 */
import type { Command } from '../keys/keymap.ts';

/** How many rows a following pane jumps; fewer if the pane is low. */
const JUMP = 10;

/** A scroll position: the number of the row at the top, or `FOLLOW` to stay at the end. */
export type ScrollPosition = number;
/** The scroll position of a text that stays at its end while it grows. */
export const FOLLOW: ScrollPosition = Number.POSITIVE_INFINITY;

/** The visible part of a text. */
export interface Window {
  /** The number of the first visible row. */
  readonly top: number;
  /** How many rows there are for the text: the height, or one less if the last row shows a hint. */
  readonly rows: number;
  /** How many rows are below the visible part; 0 while the text stays at its end. */
  readonly below: number;
}

/**
 * Computes which part of a text of `length` rows is visible in `height` rows.
 * @param growing whether the text still grows; a growing text moves several rows at a time
 */
export function windowOf(
  hold: ScrollPosition,
  length: number,
  height: number,
  growing: boolean,
): Window {
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

/**
 * Returns the scroll position after moving by `by` rows, down if `by` is positive. Returns `FOLLOW` if
 * the move down reaches the end.
 *
 * @param window the visible part before
 * @param length the number of rows of the text
 * @param height the height of the pane in rows
 */
export function scrollBy(
  hold: ScrollPosition,
  by: number,
  window: Window,
  length: number,
  height: number,
): ScrollPosition {
  const end = Math.max(0, length - height);
  // `window.top` is greater than `end` while a pane shows blank rows below a growing text.
  const top = Math.min(window.top, end) + by;
  if (by > 0 && (hold === FOLLOW || top >= end)) return FOLLOW;
  return Math.max(0, top);
}

/**
 * Returns the scroll position after a text was wrapped to another width. The share of the text that
 * is above the position stays the same.
 *
 * @param before the number of rows before
 * @param after the number of rows now
 */
export function rescaleScroll(hold: ScrollPosition, before: number, after: number): ScrollPosition {
  return before === 0 ? hold : Math.round((hold * after) / before);
}

/** The commands that move in a text. */
export type Move = 'top' | 'bottom' | `${'half-' | 'page-' | ''}${'down' | 'up'}`;

/** Returns whether a command moves in a text. */
export function isMove(command: string): command is Move {
  return /^(top|bottom|((half|page)-)?(down|up))$/.test(command);
}

/** Returns the row to which a scrolling key moves from the row `from`, within 0 to `end`. */
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

/** Returns by how many rows a scrolling key moves; 0 for other keys. */
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

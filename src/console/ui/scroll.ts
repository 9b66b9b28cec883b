/**
 * Where a pane stands in its text. A pane follows the end or is held at a row. While it follows a
 * text that grows, it moves by jumps: scrolling by one row redraws every row of the column for each
 * line said, a jump of ten redraws them once for ten lines (measured: a third of the bytes).
 */
import type { Command } from '../keys/keymap.ts';

/** Rows a following pane jumps by; less where the pane is low. */
const JUMP = 10;

/** How a pane stands: the row that is held at its top, or `FOLLOW`. */
export type Hold = number;
export const FOLLOW: Hold = Number.POSITIVE_INFINITY;

/** What of a text of `length` rows is seen through `height` rows. */
export interface Window {
  readonly top: number;
  /** Rows of text shown; one fewer than there is room for where the hint stands in the last. */
  readonly rows: number;
  /** Rows below the window while it is held: shown as a hint. */
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

/** How the pane stands after moving by `by` rows. Past the end it follows again. */
export function scrollBy(
  hold: Hold,
  by: number,
  window: Window,
  length: number,
  height: number,
): Hold {
  const end = Math.max(0, length - height);
  // A pane that follows may stand past the end, with room below for what comes.
  const top = Math.min(window.top, end) + by;
  if (by > 0 && (hold === FOLLOW || top >= end)) return FOLLOW;
  return Math.max(0, top);
}

/** How a held pane stands after its text was laid out anew: as far through it as before. */
export function rescale(hold: Hold, before: number, after: number): Hold {
  return before === 0 ? hold : Math.round((hold * after) / before);
}

/** The commands that move in a text. */
export type Move = 'top' | 'bottom' | `${'half-' | 'page-' | ''}${'down' | 'up'}`;

export function isMove(command: string): command is Move {
  return /^(top|bottom|((half|page)-)?(down|up))$/.test(command);
}

/** Where a row stands after such a key, from 0 to `end`. */
export function movedTo(
  from: number,
  command: Command | undefined,
  end: number,
  height: number,
): number {
  if (command === 'top') return 0;
  const to = command === 'bottom' ? end : from + pageStep(command, height);
  return Math.max(0, Math.min(to, end));
}

/** How far a scrolling key moves a page of `height` rows; 0 for other keys. */
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

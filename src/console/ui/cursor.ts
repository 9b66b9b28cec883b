/** A cursor in a list of which only a window is drawn. If more rows are below, one row is left for the hint. */
import type { Command } from '../keys/keymap.ts';
import { rowAfterMove } from './scroll.ts';

/** The cursor in a list, and which part of the list is visible. */
export class Cursor {
  /** The index of the cursor's row. */
  at = 0;
  #top = 0;

  /** Moves after a scrolling key in a list of `length` rows, of which `height` are visible. */
  move(command: Command, length: number, height: number): void {
    this.at = rowAfterMove(this.at, command, length - 1, height);
  }

  /**
   * Returns the index of the first visible row of a list. The visible part moves only as far as
   * needed to show the cursor.
   */
  top(length: number, height: number): number {
    const at = Math.max(0, Math.min(this.at, length - 1));
    this.#top = Math.max(Math.min(this.#top, at), at - height + 1);
    this.#top = Math.max(0, Math.min(this.#top, length - height));
    return this.#top;
  }
}

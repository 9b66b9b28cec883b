/** A place in a list of which only a window is drawn; where there is more below, a row is left to say so. */
import type { Command } from '../keys/keymap.ts';
import { movedTo } from './scroll.ts';

export class Cursor {
  /** The row the person stands on. */
  at = 0;
  #top = 0;

  /** After a scrolling key in a list of `length` rows, of which `height` are seen. */
  move(command: Command, length: number, height: number): void {
    this.at = movedTo(this.at, command, length - 1, height);
  }

  /** The first row that is drawn, so that the cursor is seen and the window moves as little as it can. */
  top(length: number, height: number): number {
    const at = Math.max(0, Math.min(this.at, length - 1));
    this.#top = Math.max(Math.min(this.#top, at), at - height + 1);
    this.#top = Math.max(0, Math.min(this.#top, length - height));
    return this.#top;
  }
}

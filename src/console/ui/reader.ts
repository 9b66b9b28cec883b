/** A window in which a Markdown text is read, with a search. */
import { ColumnBuffer } from '../../text/rows/column-buffer.ts';
import { truncateLine } from '../../text/width.ts';
import { keyOf } from '../keys/key-lookup.ts';
import type { Command, Keymap } from '../keys/keymap.ts';
import { READING_WIDTH } from '../terminal/layout.ts';
import { type Painter, padPainted } from '../terminal/paint.ts';
import type { Theme } from '../terminal/theme.ts';
import { formatMoreBelow } from './below.ts';
import { rowAfterMove, windowOf } from './scroll.ts';

interface ReaderLook {
  readonly painter: Painter;
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly cells: number;
  readonly height: number;
}

/** Shows a long text with scrolling and search. */
export class Reader {
  readonly #text = new ColumnBuffer(80);
  #key = '';
  #top = 0;
  /** The row of the current match; near the end it may be below the top row. */
  #match = -1;
  #query = '';

  /** The searched words; empty without a search. */
  get query(): string {
    return this.#query;
  }

  /**
   * Shows a text. With another key than before, the text is shown from its beginning; with the same
   * key, the position stays.
   *
   * @param key identifies the text
   */
  show(key: string, markdown: string): void {
    if (key !== this.#key) this.#top = 0;
    this.#key = key;
    if (this.#text.text === markdown) return;
    this.#text.clear();
    this.#text.push(markdown);
    this.#text.end();
  }

  /** Handles a scrolling key. */
  move(command: Command, height: number): void {
    const end = Math.max(0, this.#text.length - height);
    this.#top = rowAfterMove(this.#top, command, end, height);
  }

  /**
   * Goes to the next row on which a match of the query begins, from the top visible row on, or else from
   * the beginning. If there is no match, ends the search and returns false. An empty query ends the
   * search and returns true.
   */
  find(query: string): boolean {
    this.#match = this.#top - 1;
    this.#query = query;
    const found = query === '' || this.#goTo(1);
    if (!found) this.#query = '';
    return found;
  }

  /** Ends the search. Returns false if there was none. */
  endSearch(): boolean {
    return this.#query !== '' && this.find('');
  }

  /**
   * Goes to the next or previous row on which a match begins; after the last comes the first.
   * Absent without a search.
   */
  get match(): ((by: 1 | -1) => void) | undefined {
    return this.#query === '' ? undefined : (by) => void this.#goTo(by);
  }

  #goTo(by: 1 | -1): boolean {
    const rows = this.#text.find(this.#query);
    const next =
      by === 1
        ? (rows.find((row) => row > this.#match) ?? rows[0])
        : (rows.findLast((row) => row < this.#match) ?? rows.at(-1));
    if (next === undefined) return false;
    this.#match = next;
    this.#top = next;
    return true;
  }

  /**
   * Formats the status of the search: `match 3 of 17 for "cost" · n next · Esc ends the search`.
   * Returns undefined without a search.
   */
  searchWords(keymap: Keymap): string | undefined {
    if (this.#query === '') return undefined;
    const rows = this.#text.find(this.#query);
    const place = `match ${rows.indexOf(this.#match) + 1} of ${rows.length}`;
    return `${place} for "${this.#query}" · ${keyOf(keymap, 'next-match')} next · ${keyOf(keymap, 'back')} ends the search`;
  }

  /** Returns the width of the text if rows have `cells` cells. */
  static textCells(cells: number): number {
    return Math.min(READING_WIDTH, cells - 2);
  }

  /** Draws the visible part of the text as `height` rows of `cells` each. */
  rows({ painter, theme, keymap, cells, height }: ReaderLook): string[] {
    this.#text.resize(Reader.textCells(cells));
    const window = windowOf(this.#top, this.#text.length, height, false);
    const rows = this.#text
      .slice(window.top, window.top + window.rows)
      .map((row) => painter.cell(row, cells, this.#query));
    while (rows.length < height) rows.push(' '.repeat(cells));
    if (window.below > 0) {
      const hint = ` ${truncateLine(formatMoreBelow(window.below, keymap), cells - 3)} `;
      rows[height - 1] = padPainted(theme.inverse(hint), hint, cells);
    }
    return rows;
  }
}

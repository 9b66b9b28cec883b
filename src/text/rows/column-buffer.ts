/**
 * The text of one column while it streams in, as rows ready to be drawn. Redrawing a column reads only the
 * visible rows, and a token costs the same after fifty thousand others as after none, since finished rows
 * are never laid out again. Only the source line being written and an unfinished table may still change.
 * They are laid out tentatively when they are read, at most once per change, and their size is limited by
 * `MAX_LINE` and by the size at which tables freeze.
 *
 * The rows after `end()` do not depend on how the text was cut into pieces.
 */
import { MarkdownLayout } from '../markdown/markdown.ts';
import { plainGlyphs } from '../plain-glyphs.ts';
import type { Row } from './row.ts';
import { RowLog } from './row-log.ts';

/**
 * A source line with more characters is laid out in parts. Emphasis, code and links of up to half of it
 * (some 180 words) are then still recognised; the marks of longer ones are shown.
 */
const MAX_LINE = 2048;

const NO_ROW: Row = [];

/** Lays out a growing text as rows of one column. */
export class ColumnBuffer {
  #width: number;
  #source = '';
  /** The incomplete last line of `#source`, which is only laid out tentatively. */
  #tail = '';
  #log = new RowLog();
  #layout: MarkdownLayout;
  /** The number of final rows. Later rows are tentative. */
  #settled = 0;
  #isStale = false;
  #isEnded = false;
  #version = 0;

  /** `width` is in terminal cells, 1 or more. */
  constructor(width: number) {
    this.#width = Math.max(1, Math.floor(width));
    this.#layout = new MarkdownLayout(this.#width, this.#log);
  }

  /** Appends sanitised text. After `end()`, the text begins a new line. */
  push(text: string): void {
    if (text === '') return;
    this.#version += 1;
    if (this.#isEnded) {
      this.#isEnded = false;
      this.#source += this.#source.endsWith('\n') ? text : `\n${text}`;
      this.#layOutAll();
    } else {
      this.#source += text;
      this.#take(text);
    }
  }

  /** Ends the text. Markdown marks that were never closed are then shown literally. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#version += 1;
    this.#settleEnd();
  }

  /** Lays all text out again for another width, in terminal cells. */
  resize(width: number): void {
    const cells = Math.max(1, Math.floor(width));
    if (cells === this.#width) return;
    this.#width = cells;
    this.#version += 1;
    this.#layOutAll();
  }

  /**
   * Replaces the whole text. If the new text differs, `end()` has to be called again. If `text` begins with the old
   * text, which has not ended, only the addition is laid out.
   */
  turnInto(text: string): void {
    if (text === this.#source) return;
    if (!this.#isEnded && text.startsWith(this.#source)) {
      this.push(text.slice(this.#source.length));
      return;
    }
    this.#source = text;
    this.#isEnded = false;
    this.#version += 1;
    this.#layOutAll();
  }

  /** Removes all text. */
  clear(): void {
    this.#source = '';
    this.#isEnded = false;
    this.#version += 1;
    this.#layOutAll();
  }

  /** The width in terminal cells. */
  get width(): number {
    return this.#width;
  }

  /** The number of rows so far. */
  get length(): number {
    return this.#current().rows.length;
  }

  /**
   * Returns the row with this index; an empty row beyond the end. An unchanged row is the same
   * object each time.
   */
  row(index: number): Row {
    return this.#current().rows[index] ?? NO_ROW;
  }

  /**
   * Returns the rows from `from` up to but not including `to`. Rows beyond the end are left out.
   */
  slice(from: number, to: number): Row[] {
    return this.#current().rows.slice(Math.max(0, from), Math.max(0, to));
  }

  /** Returns the indexes of the rows on which a match of `query` begins, ignoring case. */
  find(query: string): number[] {
    return this.#current().find(plainGlyphs(query));
  }

  /** The whole source text. */
  get text(): string {
    return this.#source;
  }

  /** A number that changes whenever rows may have changed. */
  get version(): number {
    return this.#version;
  }

  #take(text: string): void {
    this.#unsettle();
    let start = 0;
    for (;;) {
      const newline = text.indexOf('\n', start);
      const piece = text.slice(start, newline < 0 ? text.length : newline);
      this.#tail = this.#tail === '' ? piece : this.#tail + piece;
      while (this.#tail.length > MAX_LINE) {
        const taken = this.#layout.part(this.#tail.slice(0, MAX_LINE));
        this.#tail = this.#tail.slice(taken);
      }
      if (newline < 0) break;
      this.#layout.line(this.#tail, 'ended');
      this.#tail = '';
      start = newline + 1;
    }
    this.#settled = this.#log.rows.length;
  }

  #settleEnd(): void {
    this.#unsettle();
    if (this.#tail !== '' || this.#layout.isInLine) this.#layout.line(this.#tail, 'last');
    this.#tail = '';
    this.#layout.finish();
    this.#settled = this.#log.rows.length;
    this.#isStale = false;
  }

  #layOutAll(): void {
    this.#log = new RowLog();
    this.#layout = new MarkdownLayout(this.#width, this.#log);
    this.#settled = 0;
    this.#tail = '';
    this.#take(this.#source);
    if (this.#isEnded) this.#settleEnd();
  }

  /** Removes the tentative rows. */
  #unsettle(): void {
    this.#log.truncate(this.#settled);
    this.#isStale = true;
  }

  /** Returns the rows, with the tentative ones at the end. */
  #current(): RowLog {
    if (this.#isStale) {
      this.#isStale = false;
      const tentative = this.#layout.fork(this.#log);
      if (this.#tail !== '' || tentative.isInLine) tentative.line(this.#tail, 'unfinished');
      tentative.finish();
    }
    return this.#log;
  }
}

/**
 * The text of one column while it streams in, as rows ready to draw. Redrawing a column asks only
 * for the rows it shows, and a token costs the same after fifty thousand others as after none: rows
 * that are finished are never laid out again. What may still change is the source line being
 * written and a table that has not ended; they are laid out tentatively when somebody looks, at most
 * once a change, and bounded by `MAX_LINE` and by the size at which tables freeze.
 *
 * The rows after `end()` do not depend on how the text was cut into pieces.
 */
import { MarkdownLayout } from './markdown/markdown.ts';
import { plainGlyphs } from './plain-glyphs.ts';
import type { Row } from './row.ts';
import { RowLog } from './row-log.ts';

/**
 * A source line longer than this is laid out in parts. Emphasis, code and links of up to half of it
 * (some 180 words) are then still recognised; the marks of longer ones are shown.
 */
const MAX_LINE = 2048;

const NO_ROW: Row = [];

export class ColumnBuffer {
  #width: number;
  #source = '';
  /** The end of `#source` that is not laid out for good: a part of a line. */
  #tail = '';
  #log = new RowLog();
  #layout: MarkdownLayout;
  /** How many rows are final. Those after them are tentative. */
  #settled = 0;
  #isStale = false;
  #isEnded = false;
  #version = 0;

  /** `width` in cells, 1 or more. */
  constructor(width: number) {
    this.#width = Math.max(1, Math.floor(width));
    this.#layout = new MarkdownLayout(this.#width, this.#log);
  }

  /** Appends sanitised text. After `end()` it goes on in a new line. */
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

  /** No more text will come: marks that were never closed are shown as they are. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#version += 1;
    this.#settleEnd();
  }

  /** Lays everything out again for another width. */
  resize(width: number): void {
    const cells = Math.max(1, Math.floor(width));
    if (cells === this.#width) return;
    this.#width = cells;
    this.#version += 1;
    this.#layOutAll();
  }

  /** Makes `text` all there is: where it only goes on, nothing of before is laid out again. */
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

  clear(): void {
    this.#source = '';
    this.#isEnded = false;
    this.#version += 1;
    this.#layOutAll();
  }

  /** Cells that no row exceeds. */
  get width(): number {
    return this.#width;
  }

  /** Rows so far. */
  get length(): number {
    return this.#current().rows.length;
  }

  /** A row, empty beyond the end. The same object each time, unless the row has changed. */
  row(index: number): Row {
    return this.#current().rows[index] ?? NO_ROW;
  }

  /** Rows `from` up to but not including `to`, clipped to those that exist. */
  slice(from: number, to: number): Row[] {
    return this.#current().rows.slice(Math.max(0, from), Math.max(0, to));
  }

  /** Indexes of the rows on which `query` begins, whatever its case. Reads all rows. */
  find(query: string): number[] {
    return this.#current().find(plainGlyphs(query));
  }

  /** Everything pushed since `clear()`. */
  get text(): string {
    return this.#source;
  }

  /** Another number whenever the rows may have changed. */
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

  /** Takes the tentative rows back. */
  #unsettle(): void {
    this.#log.truncate(this.#settled);
    this.#isStale = true;
  }

  /** The rows with the tentative ones at their end. */
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

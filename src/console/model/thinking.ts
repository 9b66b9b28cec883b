/**
 * The thinking of a call, before and during its answer. It is shown above the answer, dimmed, and folded to one
 * line until the person opens it. While folded, it is only a growing string and a word count; nothing is laid
 * out.
 */
import { ColumnBuffer } from '../../text/rows/column-buffer.ts';
import { DIM_STYLE, type Row } from '../../text/rows/row.ts';
import { truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';

/** How many of the latest rows are shown of thinking that is under way and folded. */
const LIVE_ROWS = 3;
/** How many characters from the end are laid out for these rows. */
const LIVE_CHARS = 600;
const BLANK: Row = [];

/**
 * The thinking of a call: the text that a model writes before its answer. The console shows the
 * thinking folded to one line until a person unfolds it.
 */
export class Thinking {
  #text = '';
  #words = 0;
  #inWord = false;
  /** When its first and last part arrived; undefined if it was read from the log. */
  #heard: { readonly from: number; to: number } | undefined;
  /** The layout; only while unfolded. */
  #laidOut: ColumnBuffer | undefined;

  /** How many words the thinking has so far. */
  get words(): number {
    return this.#words;
  }

  /** Whether the thinking is unfolded. */
  get open(): boolean {
    return this.#laidOut !== undefined;
  }

  /** Adds text as it arrives. `now` is in milliseconds of the console's clock. */
  push(text: string, now: number): void {
    this.#heard ??= { from: now, to: now };
    this.#heard.to = now;
    this.#add(text);
  }

  /** Replaces the text that arrived by the recorded text, at the end of the call. */
  settle(text: string): void {
    if (text === this.#text) {
      this.#laidOut?.end();
      return;
    }
    const { open } = this;
    const width = this.#laidOut?.width ?? 0;
    const heard = this.#heard;
    this.clear();
    this.#heard = heard;
    this.#add(text);
    if (open) this.unfold(width);
  }

  /** Removes the text. */
  clear(): void {
    this.#text = '';
    this.#words = 0;
    this.#inWord = false;
    this.#heard = undefined;
    this.#laidOut?.clear();
  }

  /** Unfolds the text, in rows of `width` cells. */
  unfold(width: number): void {
    this.#laidOut = new ColumnBuffer(Math.max(1, width));
    this.#laidOut.push(this.#text);
  }

  /** Folds the text to one line. */
  fold(): void {
    this.#laidOut = undefined;
  }

  /** Returns whether the text is laid out for this width, or is folded and needs no layout. */
  fits(width: number): boolean {
    return this.#laidOut === undefined || this.#laidOut.width === width;
  }

  /** Lays the text out for another width, if it is unfolded. */
  resize(width: number): void {
    this.#laidOut?.resize(width);
  }

  /** How many rows the thinking takes above the answer, with a blank row at the end; 0 if there is none. */
  get length(): number {
    if (this.#words === 0) return 0;
    return this.#laidOut === undefined ? 2 : this.#laidOut.length + 3;
  }

  /**
   * Returns the rows from `from` up to but not including `to`. `key` is the name of the key that folds
   * and unfolds.
   */
  slice(from: number, to: number, width: number, key: string): Row[] {
    const { length } = this;
    const rows: Row[] = [];
    for (let at = Math.max(0, from); at < Math.min(to, length); at += 1) {
      if (at === 0) rows.push(toDimRow(truncateLine(this.heading(key), width)));
      else if (at === length - 1 || this.#laidOut === undefined) rows.push(BLANK);
      else if (at === length - 2) rows.push(toDimRow(truncateLine('-- end of thinking --', width)));
      else rows.push(this.#laidOut.row(at - 1).map(({ text }) => ({ text, style: DIM_STYLE })));
    }
    return rows;
  }

  /** Returns the indexes of the rows on which a match of `query` begins; none while folded. */
  find(query: string): number[] {
    return (this.#laidOut?.find(query) ?? []).map((row) => row + 1);
  }

  /** Returns the heading: `thought for 12 s, 340 words · T opens`. */
  heading(key: string): string {
    const seconds = this.#heard && Math.round((this.#heard.to - this.#heard.from) / 1000);
    const time = seconds === undefined || seconds === 0 ? '' : ` for ${seconds} s,`;
    const words = this.#words === 1 ? '1 word' : `${this.#words} words`;
    return `thought${time || ':'} ${words} · ${key} ${this.open ? 'folds' : 'opens'}`;
  }

  /** Returns the last three rows that are not blank, to be shown while the thinking arrives folded. */
  tail(width: number): string[] {
    const end = this.#text.slice(-LIVE_CHARS).trim();
    const lines = end.split('\n').flatMap((line) => wrapPlain(line, width));
    return lines.filter((line) => line.trim() !== '').slice(-LIVE_ROWS);
  }

  #add(text: string): void {
    for (const character of text) {
      const space = character === ' ' || character === '\n' || character === '\t';
      if (!space && !this.#inWord) this.#words += 1;
      this.#inWord = !space;
    }
    this.#text += text;
    this.#laidOut?.push(text);
  }
}

function toDimRow(text: string): Row {
  return [{ text, style: DIM_STYLE }];
}

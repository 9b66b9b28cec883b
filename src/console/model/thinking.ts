/**
 * What a call thought before and while it spoke. It stands above the answer, dimmed and apart, and is
 * folded to one line until somebody wants to read it: folded, it is a string that grows and a count of
 * words, and nothing of it is ever laid out.
 */
import { ColumnBuffer } from '../../text/column-buffer.ts';
import { DIM_STYLE, type Row } from '../../text/row.ts';
import { truncate } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';

/** Of thinking that goes on, the rows of its end that are seen while it is folded. */
const LIVE_ROWS = 3;
/** How much of it is looked at for them. */
const LIVE_CHARS = 600;
const BLANK: Row = [];

export class Thinking {
  #text = '';
  #words = 0;
  #inWord = false;
  /** When the first and the last of it were heard; undefined where it was read from the log. */
  #heard: { readonly from: number; to: number } | undefined;
  /** Only while it is unfolded. */
  #laidOut: ColumnBuffer | undefined;

  get words(): number {
    return this.#words;
  }

  get open(): boolean {
    return this.#laidOut !== undefined;
  }

  /** Clean text, as it comes; `now` in milliseconds of the console's clock. */
  push(text: string, now: number): void {
    this.#heard ??= { from: now, to: now };
    this.#heard.to = now;
    this.#add(text);
  }

  /** The whole of it, as the log has it. */
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

  clear(): void {
    this.#text = '';
    this.#words = 0;
    this.#inWord = false;
    this.#heard = undefined;
    this.#laidOut?.clear();
  }

  /** Lays it out, in rows of `width` cells. */
  unfold(width: number): void {
    this.#laidOut = new ColumnBuffer(Math.max(1, width));
    this.#laidOut.push(this.#text);
  }

  fold(): void {
    this.#laidOut = undefined;
  }

  fits(width: number): boolean {
    return this.#laidOut === undefined || this.#laidOut.width === width;
  }

  resize(width: number): void {
    this.#laidOut?.resize(width);
  }

  /** Rows it takes above the answer, the blank one below it included. */
  get length(): number {
    if (this.#words === 0) return 0;
    return this.#laidOut === undefined ? 2 : this.#laidOut.length + 3;
  }

  /** Some of those rows. `key`: the one that folds and unfolds it. */
  slice(from: number, to: number, width: number, key: string): Row[] {
    const { length } = this;
    const rows: Row[] = [];
    for (let at = Math.max(0, from); at < Math.min(to, length); at += 1) {
      if (at === 0) rows.push(dim(truncate(this.heading(key), width)));
      else if (at === length - 1 || this.#laidOut === undefined) rows.push(BLANK);
      else if (at === length - 2) rows.push(dim(truncate('-- end of thinking --', width)));
      else rows.push(this.#laidOut.row(at - 1).map(({ text }) => ({ text, style: DIM_STYLE })));
    }
    return rows;
  }

  /** Of those rows, the ones with the words in them; none while it is folded. */
  find(query: string): number[] {
    return (this.#laidOut?.find(query) ?? []).map((row) => row + 1);
  }

  /** `thought for 12 s, 340 words · T opens` */
  heading(key: string): string {
    const seconds = this.#heard && Math.round((this.#heard.to - this.#heard.from) / 1000);
    const time = seconds === undefined || seconds === 0 ? '' : ` for ${seconds} s,`;
    const words = this.#words === 1 ? '1 word' : `${this.#words} words`;
    return `thought${time || ':'} ${words} · ${key} ${this.open ? 'folds' : 'opens'}`;
  }

  /** Its last rows, while it goes on and is folded. */
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

function dim(text: string): Row {
  return [{ text, style: DIM_STYLE }];
}

/**
 * The text of a fence that names its language, and which rows show which part of it: what colors code reads
 * the block as a whole, and what draws asks row by row. It is put together from the rows themselves, so that
 * their text cannot become another by being colored.
 */
import { type Row, rowText } from '../row.ts';
import { LINE_END, type RowEnd } from '../row-writer.ts';

/** Beyond these a block is not kept: it stays in one color. */
const MOST_LINES = 200;
const MOST_CHARACTERS = 20_000;
/** In a line. On longer ones, grammars take the square of its length. */
const MOST_IN_LINE = 1000;

/** What a row shows of a block. */
export interface CodePlace {
  readonly block: CodeBlock;
  /** Where the row's code begins in the block's text, and in the row's own text. */
  readonly from: number;
  readonly lead: number;
}

const places = new WeakMap<Row, CodePlace>();

/** Undefined for a row outside of code, and for code whose language is not named. */
export function placeInCode(row: Row): CodePlace | undefined {
  return places.get(row);
}

export class CodeBlock {
  /** As it stands behind the fence, in lower case. */
  readonly language: string;
  #text = '';
  #lines = 0;
  #lineStart = 0;
  #isWhole = false;
  #isTooLong = false;

  constructor(language: string) {
    this.language = language.toLowerCase();
  }

  /** The whole text; undefined while its end has not come, and where it is too long. */
  get text(): string | undefined {
    return this.#isWhole && !this.#isTooLong ? this.#text : undefined;
  }

  add(row: Row, lead: number, end: RowEnd): void {
    if (this.#isTooLong) return;
    places.set(row, { block: this, from: this.#text.length, lead });
    this.#text += rowText(row).slice(lead);
    this.#isTooLong = this.#text.length - this.#lineStart > MOST_IN_LINE;
    if (end === LINE_END) {
      this.#text += '\n';
      this.#lines += 1;
      this.#lineStart = this.#text.length;
    }
    this.#isTooLong ||= this.#lines > MOST_LINES || this.#text.length > MOST_CHARACTERS;
    if (this.#isTooLong) this.#text = '';
  }

  /** Nothing will be added. */
  close(): void {
    this.#isWhole = true;
  }
}

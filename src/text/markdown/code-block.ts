/**
 * The text of a code block with a named language, and which rows show which part of it. Syntax highlighting
 * reads the block as a whole, drawing goes row by row. The text is assembled from the rows, so highlighting
 * cannot change it.
 */
import { type Row, rowText } from '../rows/row.ts';
import { LINE_END, type RowEnd } from '../rows/row-writer.ts';

/** Limits of a block; larger ones are not highlighted. */
const MOST_LINES = 200;
const MOST_CHARACTERS = 20_000;
/** The most characters of a line, as grammars take quadratic time. */
const MOST_IN_LINE = 1000;

/** The part of a code block that one row shows. */
export interface CodePlace {
  readonly block: CodeBlock;
  /** The index of the row's code within the text of the block. */
  readonly from: number;
  /** The index of the code within the row's own text. */
  readonly lead: number;
}

const places = new WeakMap<Row, CodePlace>();

/**
 * Returns the part of a code block that a row shows; undefined outside of code, in a diff, and for code without
 * a named language.
 */
export function placeInCode(row: Row): CodePlace | undefined {
  return places.get(row);
}

/** Collects the text of one code block, for syntax coloring. */
export class CodeBlock {
  /** The language that is named where the block begins, in lower case. */
  readonly language: string;
  #text = '';
  #lines = 0;
  #lineStart = 0;
  #isWhole = false;
  #isTooLong = false;

  constructor(language: string) {
    this.language = language.toLowerCase();
  }

  /**
   * The text of the block; undefined until the block has ended. Also undefined if the text is too
   * long to be colored: more than 200 lines, 20,000 characters, or 1,000 characters in a line.
   */
  get text(): string | undefined {
    return this.#isWhole && !this.#isTooLong ? this.#text : undefined;
  }

  /**
   * Adds a row of the block. `lead` is the number of characters of the row before the code; `end`
   * is how the row ends.
   */
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

  /** Ends the block. */
  close(): void {
    this.#isWhole = true;
  }
}

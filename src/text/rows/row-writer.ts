/**
 * Wraps one source line into rows, word by word, as it is written. The writer holds no more than one row
 * and one word, so a line may be endless and may arrive in pieces. It can be copied, so that the incomplete
 * end of a stream can be drawn tentatively and removed.
 *
 * Every row is at most `width` cells wide, for any width from 1.
 */
import { cellWidth } from '../characters.ts';
import { graphemeEnd, textWidth } from '../width.ts';
import { leadOf, NO_PREFIX, type Prefix } from './prefix.ts';
import type { Row, Style } from './row.ts';

/** The kind of a row's end (`RowEnd`) where the line of the source text ends with the row. */
export const LINE_END = 0;
/** The kind of a row's end (`RowEnd`) where a line was wrapped at a space, which is not drawn. */
export const AT_SPACE = 1;
const IN_WORD = 2;
/** How a row ends: with its line of the source text, at a space, or inside a word. */
export type RowEnd = typeof LINE_END | typeof AT_SPACE | typeof IN_WORD;

/** Receives rows once they are complete. */
export interface RowSink {
  /**
   * Receives a row. `lead` is the number of characters of the row's prefix (indentation and quote
   * bars); `end` is how the row ends.
   */
  add(row: Row, lead: number, end: RowEnd): void;
}

/** Drawn instead of a wide character in a row that is too narrow for it. */
const STAND_IN = '?';
/** The base for a mark without one, so that the mark cannot be drawn on the neighbouring column. */
const DOTTED_CIRCLE = '◌';

const TAB_STOP = 4;

/**
 * Characters that must not begin a row: East Asian text breaks between any two wide characters except
 * before these, and after those of `NEVER_LAST`.
 */
const NEVER_FIRST =
  /^[、。，．・：；！？）」』】〕〉》”’…々ー〜ぁぃぅぇぉっゃゅょァィゥェォッャュョ％.,:;!?)\]}%'"]/;
const NEVER_LAST = /^[（「『【〔〈《“‘([{]/;

interface OpenSpan {
  text: string;
  readonly style: Style;
}

/** Wraps one line of text into rows. */
export class RowWriter {
  readonly #sink: RowSink;
  readonly #width: number;
  readonly #rest: Prefix;
  /** The widest word that is moved to the next row as a whole. */
  readonly #room: number;

  #row: OpenSpan[];
  #prefixSpans: number;
  #lead: number;
  #used: number;
  #empty = true;

  #word: OpenSpan[] = [];
  #wordCells = 0;
  /** The style of the space before the word, if the word stays in this row. */
  #gap: Style | undefined;
  /** Whether the word is wider than a row, so that its cells go directly to rows. */
  #breaking = false;
  /** Whether the last character was wide. */
  #afterWide = false;
  /** Cells since the line began, for tab stops in verbatim text. */
  #column = 0;

  /**
   * `first` is the prefix of the first row, and `rest` that of the further rows. `width` is in
   * terminal cells.
   */
  constructor(sink: RowSink, width: number, first: Prefix, rest: Prefix = first) {
    this.#sink = sink;
    this.#width = width;
    this.#rest = rest;
    this.#room = width - rest.cells;
    this.#row = [...first.spans];
    this.#prefixSpans = first.spans.length;
    this.#lead = leadOf(first);
    this.#used = first.cells;
  }

  /** Returns an independent copy that writes to `sink`. */
  fork(sink: RowSink): RowWriter {
    const copy = new RowWriter(sink, this.#width, NO_PREFIX, this.#rest);
    copy.#row = this.#row.map((span) => ({ ...span }));
    copy.#prefixSpans = this.#prefixSpans;
    copy.#lead = this.#lead;
    copy.#used = this.#used;
    copy.#empty = this.#empty;
    copy.#word = this.#word.map((span) => ({ ...span }));
    copy.#wordCells = this.#wordCells;
    copy.#gap = this.#gap;
    copy.#breaking = this.#breaking;
    copy.#afterWide = this.#afterWide;
    copy.#column = this.#column;
    return copy;
  }

  /** Adds prose. White space of any length counts as one space, at which a row may end. */
  write(text: string, style: Style): void {
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) {
        this.#space(style);
        at += 1;
        continue;
      }
      let end = at;
      let ascii = true;
      for (let next = code; end < text.length && !isSpace(next); next = text.charCodeAt(end)) {
        if (next > 0x7e || next < 0x20) ascii = false;
        end += 1;
      }
      const word = at === 0 && end === text.length ? text : text.slice(at, end);
      if (ascii) this.#ascii(word, style);
      else this.#mixed(word, style);
      at = end;
    }
  }

  /** Adds a word that is not split at its spaces, such as a list marker. */
  word(text: string, style: Style): void {
    this.#ascii(text, style);
  }

  /**
   * Adds text unchanged, white space included, except that a tab becomes spaces up to the next
   * multiple of four cells. A row ends only when it is full.
   */
  verbatim(text: string, style: Style): void {
    this.#breaking = true;
    let at = 0;
    for (let tab = text.indexOf('\t'); tab >= 0; tab = text.indexOf('\t', at)) {
      this.#cells(text.slice(at, tab), style);
      this.#cells(' '.repeat(TAB_STOP - (this.#column % TAB_STOP)), style);
      at = tab + 1;
    }
    this.#cells(at === 0 ? text : text.slice(at), style);
  }

  /** Ends the line. An empty line makes a row only if `evenIfEmpty` is set. */
  finish(evenIfEmpty = false): void {
    this.#flushWord();
    if (!this.#empty || evenIfEmpty) this.#endRow(LINE_END);
  }

  #space(style: Style): void {
    this.#flushWord();
    if (!this.#empty) this.#gap = style;
  }

  #ascii(text: string, style: Style): void {
    if (this.#afterWide) {
      this.#breakBefore(text);
      this.#afterWide = false;
    }
    if (this.#breaking || this.#wordCells + text.length > this.#room) this.#cells(text, style);
    else this.#extendWord(text, text.length, style);
  }

  #mixed(text: string, style: Style): void {
    let at = 0;
    while (at < text.length) {
      const end = graphemeEnd(text, at);
      const grapheme = text.slice(at, end);
      const cells = textWidth(grapheme);
      const isWide = cellWidth(text.codePointAt(at) as number) === 2;
      if (isWide || this.#afterWide) this.#breakBefore(grapheme);
      this.#afterWide = isWide;
      if (this.#breaking || this.#wordCells + cells > this.#room) this.#cells(grapheme, style);
      else if (cells === 0 && this.#wordCells === 0) this.#orphan(grapheme, style);
      else this.#extendWord(grapheme, cells, style);
      if (grapheme === '—') this.#flushWord(); // A row may end after a dash between words.
      at = end;
    }
  }

  /** Ends the word if a wide character follows or precedes, where no space is needed. */
  #breakBefore(next: string): void {
    const last = this.#word[this.#word.length - 1]?.text.at(-1) ?? '';
    if (!NEVER_FIRST.test(next) && !NEVER_LAST.test(last)) this.#flushWord();
  }

  /** Adds a mark without a base in its span: the text before it can be the base, the prefix cannot. */
  #orphan(mark: string, style: Style): void {
    if (this.#empty || this.#gap !== undefined) this.#extendWord(DOTTED_CIRCLE + mark, 1, style);
    else this.#append(mark, style);
  }

  #extendWord(text: string, cells: number, style: Style): void {
    const last = this.#word[this.#word.length - 1];
    if (last !== undefined && last.style === style) last.text += text;
    else this.#word.push({ text, style });
    this.#wordCells += cells;
  }

  /** Adds the word and the space before it to the row, or the word to the next row. */
  #flushWord(): void {
    this.#breaking = false;
    this.#afterWide = false;
    if (this.#wordCells === 0) return;
    this.#makeRoom();
    for (const span of this.#word) this.#append(span.text, span.style);
    this.#used += this.#wordCells;
    this.#column += this.#wordCells;
    this.#word = [];
    this.#wordCells = 0;
  }

  /** Makes the word fit: begins a new row if needed, otherwise writes the space before it. */
  #makeRoom(): void {
    const gap = this.#gap;
    this.#gap = undefined;
    if (this.#empty) {
      if (this.#used + this.#wordCells > this.#width) this.#nextRow(IN_WORD);
      return;
    }
    const need = this.#wordCells + (gap === undefined ? 0 : 1);
    if (this.#used + need > this.#width) this.#nextRow(gap === undefined ? IN_WORD : AT_SPACE);
    else if (gap !== undefined) {
      this.#append(' ', gap);
      this.#used += 1;
      this.#column += 1;
    }
  }

  /** Fills rows cell by cell with a word that is wider than a row. */
  #cells(text: string, style: Style): void {
    if (!this.#breaking) {
      // Begin a word that is wider than a row on a new row, like any other word that does not fit into the
      // current row.
      const held = this.#word;
      this.#word = [];
      this.#wordCells = 0;
      if (!this.#empty) this.#nextRow(this.#gap === undefined ? IN_WORD : AT_SPACE);
      this.#gap = undefined;
      this.#breaking = true;
      for (const span of held) this.#cells(span.text, span.style);
    }
    let at = 0;
    while (at < text.length) {
      const ascii = asciiEnd(text, at, at + Math.max(0, this.#width - this.#used));
      if (ascii > at) {
        this.#append(text.slice(at, ascii), style);
        this.#advance(ascii - at);
        at = ascii;
        continue;
      }
      const end = graphemeEnd(text, at);
      this.#cell(text.slice(at, end), style);
      at = end;
    }
  }

  #cell(grapheme: string, style: Style): void {
    const cells = textWidth(grapheme);
    if (cells > this.#room) {
      const chars = [...grapheme];
      if (chars.length === 1) this.#cell(STAND_IN, style);
      else for (const char of chars) this.#cell(char, style);
      return;
    }
    if (this.#used + cells > this.#width) this.#nextRow(IN_WORD);
    if (cells === 0 && this.#empty) this.#cell(DOTTED_CIRCLE, style);
    this.#append(grapheme, style);
    this.#advance(cells);
  }

  #advance(cells: number): void {
    this.#used += cells;
    this.#column += cells;
  }

  #append(text: string, style: Style): void {
    const row = this.#row;
    const last = row[row.length - 1];
    if (last !== undefined && last.style === style && row.length > this.#prefixSpans) {
      last.text += text;
    } else row.push({ text, style });
    this.#empty = false;
  }

  #nextRow(end: RowEnd): void {
    this.#endRow(end);
    this.#row = [...this.#rest.spans];
    this.#prefixSpans = this.#rest.spans.length;
    this.#lead = leadOf(this.#rest);
    this.#used = this.#rest.cells;
    this.#empty = true;
  }

  #endRow(end: RowEnd): void {
    this.#sink.add(this.#row, this.#lead, end);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a;
}

/**
 * Returns the end of the printable ASCII from `at` on, at most `limit`; the last character is excluded if a
 * mark may follow it.
 */
function asciiEnd(text: string, at: number, limit: number): number {
  const most = Math.min(limit, text.length);
  let end = at;
  while (end < most) {
    const code = text.charCodeAt(end);
    if (code < 0x20 || code > 0x7e) break;
    end += 1;
  }
  const next = end < text.length ? text.charCodeAt(end) : 0;
  return next >= 0x300 && end > at ? end - 1 : end;
}

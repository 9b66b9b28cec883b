/**
 * Lays out the blocks of streamed Markdown: takes source lines one by one and lays each out at once.
 * Nothing that is laid out is read again, so the cost of a line does not depend on earlier ones. Only two
 * things wait: a line that may be the header of a table waits for one more line, and a table waits for its
 * end or until it freezes (table.ts).
 *
 * Differences from CommonMark, for what models write:
 * - a newline ends a row, as in chat windows; lines are not joined into paragraphs;
 * - `---` under text is a rule, not a heading; the numbers of lists are shown as written;
 * - a list nests at two spaces of indentation, whatever the width of the marker above.
 */

import { plainGlyphs } from '../plain-glyphs.ts';
import type { Prefix } from '../rows/prefix.ts';
import {
  ADDED,
  CODE,
  DIM_STYLE,
  HEADING,
  PLAIN_STYLE,
  REMOVED,
  type Row,
  styleOf,
} from '../rows/row.ts';
import { LINE_END, type RowEnd, type RowSink, RowWriter } from '../rows/row-writer.ts';
import { findSafeCut } from '../width.ts';
import { BlockPosition } from './block-position.ts';
import {
  closesFence,
  type FenceOpening,
  isRule,
  type Marker,
  type QuotedLine,
  readFence,
  readHeading,
  readIndent,
  readMarkers,
  readQuote,
  startsBlock,
  withoutClosingHashes,
  withoutIndent,
  withoutLineEnd,
} from './block-syntax.ts';
import { CodeBlock } from './code-block.ts';
import { findCut, parseInline } from './inline.ts';
import { delimiterRow, readHeader, splitCells, Table } from './table.ts';

/**
 * The state of a line that is passed in: its newline has arrived, it is the last line of the text, or it is
 * incomplete and drawn tentatively.
 */
type LineState = 'ended' | 'last' | 'unfinished';

const CODE_INDENT = 2;
/** Cells by which the further rows of a wrapped line of code are indented. */
const HANG = 2;

interface Fence extends FenceOpening {
  /** Spaces before the fence; as many are removed from each line of code. */
  readonly columns: number;
  /** Collects the rows of code. Absent without a language, and in a copy by `fork`, whose rows may still change. */
  readonly block: CodeBlock | undefined;
}

/** A line of text, its markers and prefixes. */
interface TextLine {
  readonly body: string;
  readonly markers: readonly Marker[];
  readonly first: Prefix;
  readonly rest: Prefix;
}

/** Lays out a stream of Markdown as rows. */
export class MarkdownLayout implements RowSink {
  readonly #width: number;
  readonly #sink: RowSink;
  #place = BlockPosition.start;
  #fence: Fence | undefined;
  #table: Table | undefined;
  /** A line that the next one may turn into a table's header. */
  #held: TextLine | undefined;
  /** A long line that is laid out in parts, and its style bits. */
  #long: RowWriter | undefined;
  #longBits = 0;
  /** The depth of quotation of the pending blank row before the next row; -1 if none. */
  #blank = -1;
  /** The depth of quotation of the last row; -1 before the first. */
  #lastDepth = -1;
  /** Whether the last line was text, so that indentation does not make the next one code. */
  #afterText = false;

  /**
   * Each row is passed to `sink` as soon as later text cannot change it. `width` is in terminal
   * cells.
   */
  constructor(width: number, sink: RowSink) {
    this.#width = width;
    this.#sink = sink;
  }

  /**
   * Returns a copy that continues from this point and writes to `sink`, to lay out the incomplete
   * end of a stream.
   */
  fork(sink: RowSink): MarkdownLayout {
    const copy = new MarkdownLayout(this.#width, sink);
    copy.#place = this.#place;
    copy.#fence = this.#fence && { ...this.#fence, block: undefined };
    copy.#table = this.#table?.fork();
    copy.#held = this.#held;
    copy.#long = this.#long?.fork(copy);
    copy.#longBits = this.#longBits;
    copy.#blank = this.#blank;
    copy.#lastDepth = this.#lastDepth;
    copy.#afterText = this.#afterText;
    return copy;
  }

  /** Whether `part` has added the beginning of a line, and the line's end is still missing. */
  get isInLine(): boolean {
    return this.#long !== undefined;
  }

  /** Adds a line without its line end, or the rest of a line that `part` began. */
  line(source: string, state: LineState): void {
    const text = plainGlyphs(source);
    if (this.#long !== undefined) {
      const isCode = (this.#longBits & CODE) !== 0;
      const end = isCode ? text : withoutLineEnd(text, state === 'last');
      this.#extendLong(this.#long, end, state);
      this.#long.finish();
      this.#long = undefined;
      return;
    }
    const line = this.#enter(text);
    if (this.#fence !== undefined) this.#codeLine(line.rest, this.#fence, state);
    else if (line.rest.trim() === '') this.#blankLine(line.depth);
    else this.#contentLine(line, state);
  }

  /**
   * Adds the next part of a line that is too long to wait for. Returns the number of characters
   * that were used, at least one; the caller passes the others again.
   */
  part(source: string): number {
    const body = this.#long === undefined ? this.#beginLong(source) : source;
    const settled = (this.#longBits & CODE) !== 0 ? body.length : findCut(body);
    const end = settled < body.length ? settled : findSafeCut(body);
    if (this.#long !== undefined) {
      this.#extendLong(this.#long, plainGlyphs(body.slice(0, end)), 'ended');
    }
    return source.length - body.length + end;
  }

  /** Ends the text: lays out the line or table that was waiting for another line, and ends a code block. */
  finish(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#write(held, 0, 'ended');
    const table = this.#table;
    this.#table = undefined;
    table?.close(this);
    this.#fence?.block?.close();
  }

  /** Adds a row, and before it the blank row that may be due. */
  add(row: Row, lead: number, end: RowEnd): void {
    if (this.#blank >= 0 && this.#lastDepth >= 0) {
      const depth = Math.min(this.#blank, this.#lastDepth);
      const { spans, cells } = this.#place.prefixOfBlank(this.#width, depth);
      this.#sink.add(spans, cells, LINE_END);
    }
    this.#blank = -1;
    this.#lastDepth = this.#place.depth;
    this.#fence?.block?.add(row, lead, end);
    this.#sink.add(row, lead, end);
  }

  /** Removes the quote marks from a line. A fence ends with the quote in which it was opened. */
  #enter(text: string): QuotedLine {
    if (this.#fence !== undefined) {
      const inside = readQuote(text, this.#place.depth, true);
      if (inside.depth === this.#place.depth) return inside;
      this.#closeFence(this.#fence);
    }
    return readQuote(text, Number.POSITIVE_INFINITY, this.#place.isInList);
  }

  #blankLine(depth: number): void {
    this.finish();
    this.#blank = this.#blank < 0 ? depth : Math.min(this.#blank, depth);
    this.#afterText = false;
  }

  #contentLine(line: QuotedLine, state: LineState): void {
    const { columns, start } = readIndent(line.rest);
    const body = line.rest.slice(start);
    if (this.#continuesTable(body, line.depth, state)) return;
    this.finish();
    const text = this.#placeText(line, body, columns);
    const plain = text.markers.length === 0;
    if (plain && columns >= 4 && !this.#afterText && !this.#place.isInList) {
      this.#writeCode(withoutIndent(line.rest, 4));
      return;
    }
    this.#afterText = true;
    const fence = readFence(text.body);
    const heading = readHeading(text.body);
    if (fence !== undefined) this.#openFence(fence, text, columns + body.length);
    else if (heading !== undefined) {
      this.#beforeHeading(plain);
      this.#write({ ...text, body: withoutClosingHashes(heading) }, HEADING, state);
    } else if (plain && isRule(body)) this.#writeRule(text.first);
    else if (plain && body.includes('|') && state === 'ended') this.#held = text;
    else this.#write(text, 0, state);
  }

  /** Returns whether the line is part of a table: its second line, or a further row. */
  #continuesTable(body: string, depth: number, state: LineState): boolean {
    if (!body.includes('|') || depth !== this.#place.depth) return false;
    if (this.#table !== undefined && !startsBlock(body)) {
      this.#table.add(body, this, state === 'unfinished');
      return true;
    }
    const header = this.#held;
    const aligns = header === undefined ? undefined : delimiterRow(body);
    if (header === undefined || aligns?.length !== splitCells(header.body).length) return false;
    this.#held = undefined;
    this.#table = new Table(readHeader(header.body), aligns, header.first, this.#width);
    return true;
  }

  /** Reads the list markers of a line and determines its position. */
  #placeText(line: QuotedLine, body: string, columns: number): TextLine {
    const { markers, rest } = readMarkers(body);
    let place = this.#place.quoted(line.depth, line.indent);
    let first: Prefix | undefined;
    let task = 0;
    for (const { shown, column, isTask } of markers) {
      if (isTask) task = shown.length + 1;
      else {
        place = place.item(columns + column, shown.length + 1);
        first ??= place.prefixOfItem(this.#width);
      }
    }
    if (first === undefined) place = place.continued(columns);
    this.#place = place;
    const after = place.prefix(this.#width, task);
    return { body: rest, markers, first: first ?? after, rest: after };
  }

  #beforeHeading(isAlone: boolean): void {
    if (isAlone && this.#blank < 0) this.#blank = this.#place.depth;
  }

  #write(text: TextLine, bits: number, state: LineState): void {
    const writer = this.#beginWriter(text);
    const body = withoutLineEnd(text.body, state === 'last');
    for (const segment of parseInline(body, bits, state === 'unfinished')) {
      writer.write(segment.text, styleOf(segment.bits));
    }
    writer.finish(text.markers.length > 0);
  }

  #beginWriter(text: TextLine): RowWriter {
    const writer = new RowWriter(this, this.#width, text.first, text.rest);
    for (const marker of text.markers) {
      writer.word(marker.shown, PLAIN_STYLE);
      writer.write(' ', PLAIN_STYLE);
    }
    return writer;
  }

  #writeRule(prefix: Prefix): void {
    const rule = { text: '-'.repeat(this.#width - prefix.cells), style: DIM_STYLE };
    this.add([...prefix.spans, rule], prefix.cells, LINE_END);
  }

  /** `end`: the column in which the line ends. */
  #openFence(opening: FenceOpening, text: TextLine, end: number): void {
    if (text.markers.length > 0) this.#write({ ...text, body: '' }, 0, 'ended');
    if (opening.note !== '') this.#writeCode(opening.note);
    const { language, isDiff } = opening;
    const block = language === '' || isDiff ? undefined : new CodeBlock(language);
    this.#fence = { ...opening, columns: end - text.body.length, block };
  }

  #closeFence({ block }: Fence): void {
    block?.close();
    this.#fence = undefined;
  }

  #codeLine(rest: string, fence: Fence, state: LineState): void {
    if (closesFence(rest, fence)) this.#closeFence(fence);
    else if (state !== 'unfinished' || !/^\s*[`~]{1,2}$/.test(rest)) {
      const code = withoutIndent(rest, fence.columns);
      this.#writeCode(code, bitsOf(code, fence));
    }
  }

  #writeCode(code: string, bits = CODE): void {
    const writer = this.#beginCode();
    writer.verbatim(code, styleOf(bits));
    writer.finish(true);
  }

  #beginCode(): RowWriter {
    const first = this.#place.prefix(this.#width, CODE_INDENT);
    const rest = this.#place.prefix(this.#width, CODE_INDENT + HANG);
    return new RowWriter(this, this.#width, first, rest);
  }

  /** Lays out the prefix of a long line; returns the line's text. */
  #beginLong(source: string): string {
    const line = this.#enter(source);
    if (this.#fence !== undefined) {
      const code = withoutIndent(line.rest, this.#fence.columns);
      this.#long = this.#beginCode();
      this.#longBits = bitsOf(code, this.#fence);
      return code;
    }
    this.finish();
    const { columns, start } = readIndent(line.rest);
    const text = this.#placeText(line, line.rest.slice(start), columns);
    const heading = readHeading(text.body);
    if (heading !== undefined) this.#beforeHeading(text.markers.length === 0);
    this.#long = this.#beginWriter(text);
    this.#longBits = heading === undefined ? 0 : HEADING;
    this.#afterText = true;
    return heading ?? text.body;
  }

  #extendLong(writer: RowWriter, text: string, state: LineState): void {
    if ((this.#longBits & CODE) !== 0) {
      writer.verbatim(text, styleOf(this.#longBits));
      return;
    }
    for (const segment of parseInline(text, this.#longBits, state === 'unfinished')) {
      writer.write(segment.text, styleOf(segment.bits));
    }
  }
}

/**
 * Returns the style of a line of code. In a diff it depends on the first character, except for the lines
 * with file names.
 */
function bitsOf(code: string, { isDiff }: Fence): number {
  if (!isDiff || /^(\+\+\+|---) /.test(code)) return CODE;
  return CODE | (code.startsWith('+') ? ADDED : code.startsWith('-') ? REMOVED : 0);
}

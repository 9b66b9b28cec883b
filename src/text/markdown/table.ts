/**
 * Lays out tables. Column widths depend on every row, so a table is laid out again while rows arrive, but
 * only up to a size. Then what is drawn stays, and later rows are laid out one by one (columns may still
 * become wider for them), so that an endless table costs no more than endless text.
 *
 * A table that fits is aligned; one that is slightly too wide wraps inside its cells; one whose columns
 * would become too narrow is shown as one `header: value` line per cell.
 */

import { leadOf, NO_PREFIX, type Prefix } from '../rows/prefix.ts';
import {
  BOLD,
  DIM_STYLE,
  PLAIN_STYLE,
  type Row,
  rowText,
  type Span,
  styleOf,
} from '../rows/row.ts';
import { LINE_END, type RowSink, RowWriter } from '../rows/row-writer.ts';
import { textWidth } from '../width.ts';
import { parseInline } from './inline.ts';

/**
 * The most rows of a table that are laid out again when a row is added, which takes about a
 * millisecond. In a longer table, rows that are drawn stay as they are.
 */
const MAX_ROWS = 100;
/** The most characters of a table that are laid out again, as `MAX_ROWS` for rows. */
const MAX_CHARACTERS = 8_192;
/** The most columns of a table; each costs time for every row. */
const MAX_COLUMNS = 50;

/** The smallest width of a column in cells. */
const MIN_COLUMN = 8;
const SEPARATOR = ' | ';
const RULE = '-+-';

type Align = 'left' | 'right' | 'center';

/** A cell's text with its styles, and its width on one line. */
interface Cell {
  readonly spans: Row;
  readonly cells: number;
}

type TableRow = readonly Cell[];

/** The column widths, or `records` if each cell gets a line of its own. */
type Layout = readonly number[] | 'records';

const EMPTY_CELL: Cell = { spans: [], cells: 0 };

/** Lays out one Markdown table. */
export class Table {
  readonly #header: TableRow;
  readonly #aligns: readonly Align[];
  readonly #prefix: Prefix;
  readonly #width: number;
  #rows: TableRow[] = [];
  #characters = 0;
  /** The widest cell of each column so far. */
  #widest: readonly number[];
  /** Whether the table is too long to lay out again, and all its rows are drawn. */
  #isFrozen = false;

  /** `width`: the width of a whole row, `prefix` included. */
  constructor(header: TableRow, aligns: readonly Align[], prefix: Prefix, width: number) {
    this.#header = header;
    this.#aligns = aligns;
    this.#prefix = prefix;
    this.#width = width;
    this.#widest = header.map((cell) => Math.max(1, cell.cells));
  }

  /**
   * Returns a copy to which rows can be added without changing this table. Only the rows that are
   * not drawn yet are copied, which are fewer than `MAX_ROWS`.
   */
  fork(): Table {
    const copy = new Table(this.#header, this.#aligns, this.#prefix, this.#width);
    copy.#rows = [...this.#rows];
    copy.#characters = this.#characters;
    copy.#widest = this.#widest;
    copy.#isFrozen = this.#isFrozen;
    return copy;
  }

  /**
   * Adds a row of the table. Rows are drawn when the table is closed, or has `MAX_ROWS` rows or
   * `MAX_CHARACTERS` characters; every further row is drawn at once. With `unfinished`, the end of
   * `line` has not arrived yet.
   */
  add(line: string, sink: RowSink, unfinished: boolean): void {
    const row = this.#readRow(line, unfinished);
    const widest = this.#widest.map((cells, column) => Math.max(cells, row[column]?.cells ?? 0));
    if (this.#isFrozen) {
      const layout = this.#layout(widest);
      this.#drawRow(row, layout, true, sink);
      // The layout `records` draws a row that is too wide for columns, with one line per cell. Such a row must not
      // widen the columns for later rows.
      if (layout !== 'records') this.#widest = widest;
      return;
    }
    this.#rows.push(row);
    this.#widest = widest;
    this.#characters += line.length;
    if (this.#rows.length < MAX_ROWS && this.#characters < MAX_CHARACTERS) return;
    this.close(sink);
    this.#rows = [];
    this.#isFrozen = true;
  }

  /** Draws the header and all rows, unless the table has drawn them already. */
  close(sink: RowSink): void {
    if (this.#isFrozen) return;
    const layout = this.#layout(this.#widest);
    if (layout === 'records') {
      if (this.#rows.length === 0) this.#drawHeaderAlone(sink);
    } else {
      this.#drawCells(this.#header, layout, sink);
      this.#add([{ text: layout.map((w) => '-'.repeat(w)).join(RULE), style: DIM_STYLE }], sink);
    }
    for (const [index, row] of this.#rows.entries()) this.#drawRow(row, layout, index > 0, sink);
  }

  /** Reads a row. Cells beyond the header's are joined to the last column, so that nothing is lost. */
  #readRow(line: string, unfinished: boolean): TableRow {
    const texts = splitCells(line);
    const last = this.#header.length - 1;
    if (texts.length > last + 1) {
      texts.splice(last, texts.length, texts.slice(last).join(SEPARATOR));
    }
    return texts.map((text, column) =>
      readCell(text, 0, unfinished && column === texts.length - 1),
    );
  }

  /**
   * Chooses the widths: columns that need no more than an equal share get what they need, and the others
   * share the rest.
   */
  #layout(widest: readonly number[]): Layout {
    const { length } = widest;
    let room = this.#width - this.#prefix.cells - SEPARATOR.length * (length - 1);
    let sharing = length;
    const widths = new Array<number>(length).fill(0);
    const narrowFirst = [...widest.entries()].sort((a, b) => a[1] - b[1]);
    for (const [column, cells] of narrowFirst) {
      const width = Math.min(cells, Math.floor(room / sharing));
      if (width < Math.min(cells, MIN_COLUMN)) return 'records';
      widths[column] = width;
      room -= width;
      sharing -= 1;
    }
    return widths;
  }

  #drawRow(row: TableRow, layout: Layout, follows: boolean, sink: RowSink): void {
    if (layout === 'records') this.#drawRecord(row, follows, sink);
    else this.#drawCells(row, layout, sink);
  }

  #drawCells(row: TableRow, widths: readonly number[], sink: RowSink): void {
    const columns = widths.map((width, column) => wrapCell(row[column] ?? EMPTY_CELL, width));
    const height = Math.max(...columns.map((lines) => lines.length));
    for (let line = 0; line < height; line += 1) {
      const spans: Span[] = [];
      for (const [column, width] of widths.entries()) {
        if (column > 0) spans.push({ text: SEPARATOR, style: DIM_STYLE });
        const cell = columns[column]?.[line] ?? EMPTY_CELL;
        const spare = width - cell.cells;
        const align = this.#aligns[column];
        const before = align === 'right' ? spare : align === 'center' ? spare >> 1 : 0;
        const after = column === widths.length - 1 ? 0 : spare - before;
        if (before > 0) spans.push({ text: ' '.repeat(before), style: PLAIN_STYLE });
        spans.push(...cell.spans);
        if (after > 0) spans.push({ text: ' '.repeat(after), style: PLAIN_STYLE });
      }
      this.#add(spans, sink);
    }
  }

  #drawRecord(row: TableRow, follows: boolean, sink: RowSink): void {
    if (row.every((cell) => cell.cells === 0)) return;
    if (follows) this.#add([], sink);
    const indent = this.#width - this.#prefix.cells > 2 * MIN_COLUMN ? 2 : 0;
    const rest: Prefix = {
      spans: [...this.#prefix.spans, { text: ' '.repeat(indent), style: PLAIN_STYLE }],
      cells: this.#prefix.cells + indent,
    };
    for (const [column, cell] of row.entries()) {
      if (cell.cells === 0) continue;
      const writer = new RowWriter(sink, this.#width, this.#prefix, rest);
      const header = this.#header[column]?.spans ?? [];
      for (const span of header) writer.write(span.text, span.style);
      if (header.length > 0) writer.write(': ', styleOf(BOLD));
      for (const span of cell.spans) writer.write(span.text, span.style);
      writer.finish();
    }
  }

  #drawHeaderAlone(sink: RowSink): void {
    const writer = new RowWriter(sink, this.#width, this.#prefix);
    for (const [column, cell] of this.#header.entries()) {
      if (column > 0) writer.write(SEPARATOR, DIM_STYLE);
      for (const span of cell.spans) writer.write(span.text, span.style);
    }
    writer.finish();
  }

  #add(spans: Row, sink: RowSink): void {
    const lead = leadOf(this.#prefix);
    sink.add(lead === 0 ? spans : [...this.#prefix.spans, ...spans], lead, LINE_END);
  }
}

/** Reads the header of a table from its first line. */
export function readHeader(line: string): TableRow {
  return splitCells(line).map((text) => readCell(text, BOLD, false));
}

function readCell(text: string, bits: number, unfinished: boolean): Cell {
  const spans = parseInline(text, bits, unfinished).map((segment) => ({
    text: segment.text,
    style: styleOf(segment.bits),
  }));
  return { spans, cells: widthOf(spans) };
}

/** Wraps a cell to a column of `width` cells. */
function wrapCell(cell: Cell, width: number): readonly Cell[] {
  if (cell.cells <= width) return [cell];
  const lines: Cell[] = [];
  const collect: RowSink = { add: (row) => lines.push({ spans: row, cells: widthOf(row) }) };
  const writer = new RowWriter(collect, width, NO_PREFIX);
  for (const span of cell.spans) writer.write(span.text, span.style);
  writer.finish();
  return lines;
}

function widthOf(row: Row): number {
  return textWidth(rowText(row));
}

/** Splits a row into the source texts of its cells. `\|` is a bar inside a cell. */
export function splitCells(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && line.charAt(at + 1) === '|') {
      cell += '|';
      at += 1;
    } else if (char === '|') {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  cells.push(cell);
  if (cells.length > 1 && cells[0]?.trim() === '') cells.shift();
  if (cells.length > 1 && cells[cells.length - 1]?.trim() === '') cells.pop();
  return cells.map((text) => text.trim().replace(/\s+/g, ' '));
}

/**
 * Returns the alignments of columns that a line such as `|:--|--:|` specifies. Returns
 * undefined for any other line, and for more than 50 columns.
 */
export function delimiterRow(line: string): Align[] | undefined {
  if (!/^[\s|:-]+$/.test(line) || !line.includes('-')) return undefined;
  const aligns: Align[] = [];
  for (const cell of splitCells(line)) {
    if (!/^:?-+:?$/.test(cell)) return undefined;
    const left = cell.startsWith(':');
    aligns.push(!cell.endsWith(':') ? 'left' : left ? 'center' : 'right');
  }
  return aligns.length <= MAX_COLUMNS ? aligns : undefined;
}

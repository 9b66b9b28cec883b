/**
 * Converts laid-out rows to strings with SGR codes, padded to a column's width. Painted rows are cached by
 * identity: a row object stays the same as long as its text does.
 */

import { placeInCode } from '../../text/markdown/code-block.ts';
import { ColumnBuffer } from '../../text/rows/column-buffer.ts';
import { type Row, rowText, type Style } from '../../text/rows/row.ts';
import { textWidth } from '../../text/width.ts';
import { piecesOf } from './syntax/pieces.ts';
import { Syntax } from './syntax/syntax.ts';
import type { Theme } from './theme.ts';

type Marks = Uint8Array | undefined;

interface Piece {
  readonly text: string;
  readonly look: (text: string) => string;
}

/** Converts rows of formatted text to text with the escape sequences for its colors and styles. */
export class Painter {
  readonly #theme: Theme;
  readonly #syntax: Syntax | undefined;
  readonly #spans = new WeakMap<Style, (text: string) => string>();
  /** Painted rows, each with the width and the marks of code that it was painted with. */
  readonly #rows = new WeakMap<Row, { cells: number; text: string; marks: Marks }>();

  /**
   * Creates a painter.
   *
   * @param changed called when a row would be painted differently, because its code now has colors;
   *   without this function, code stays in one color
   * @param patienceMs milliseconds that the coloring of a block of code may take
   */
  constructor(theme: Theme, changed?: () => void, patienceMs?: number) {
    this.#theme = theme;
    if (changed !== undefined && theme.depth > 0) this.#syntax = new Syntax(changed, patienceMs);
  }

  /**
   * Paints a row, one blank to the left and blanks to the right, in `cells` cells.
   *
   * @param query words to highlight
   */
  cell(row: Row, cells: number, query = ''): string {
    if (query !== '' && rowText(row).toLowerCase().includes(query.toLowerCase()))
      return padPainted(this.#highlighted(row, query), rowText(row), cells);
    const known = this.#rows.get(row);
    const marks = this.#marks(row);
    if (known?.cells === cells && known.marks === marks) return known.text;
    const text = padPainted(this.#painted(row), rowText(row), cells);
    this.#rows.set(row, { cells, text, marks });
    return text;
  }

  #marks(row: Row): Marks {
    const place = this.#syntax && placeInCode(row);
    return place && this.#syntax?.marks(place.block);
  }

  #painted(row: Row): string {
    return this.#pieces(row)
      .map(({ text, look }) => look(text))
      .join('');
  }

  /** Returns the row's text, divided where its style changes. */
  #pieces(row: Row): Piece[] {
    const marks = this.#marks(row);
    const place = placeInCode(row);
    if (marks === undefined || place === undefined)
      return row.map(({ text, style }) => ({ text, look: this.#look(style) }));
    return piecesOf(row, place, marks).map(({ text, style, kind }) => ({
      text,
      look: kind === undefined ? this.#look(style) : (code) => this.#theme.code(kind, code),
    }));
  }

  #look(style: Style): (text: string) => string {
    const known = this.#spans.get(style);
    if (known !== undefined) return known;
    const theme = this.#theme;
    const looks: ((text: string) => string)[] = [];
    if (style.dim) looks.push((text) => theme.dim(text));
    if (style.bold || style.heading) looks.push((text) => theme.bold(text));
    if (style.italic) looks.push((text) => theme.italic(text));
    if (style.strike) looks.push((text) => theme.strike(text));
    if (style.code) {
      const tone = style.added ? 'green' : style.removed ? 'red' : 'cyan';
      looks.push((text) => theme.tone(tone, text));
    }
    const applyLooks = (text: string): string =>
      looks.reduce((painted, look) => look(painted), text);
    this.#spans.set(style, applyLooks);
    return applyLooks;
  }

  /** Returns the row with every match of the query inverted, across the borders of its spans. */
  #highlighted(row: Row, query: string): string {
    const text = rowText(row).toLowerCase();
    const wanted = query.toLowerCase();
    // Some letters become two when they are changed to lower case. Then the positions in `text` do not fit
    // the row, so mark no match.
    if (text.length !== rowText(row).length) return this.#painted(row);
    const hit = new Uint8Array(text.length);
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
      hit.fill(1, at, at + wanted.length);
    let painted = '';
    let offset = 0;
    for (const { text: part, look } of this.#pieces(row)) {
      let from = 0;
      for (let to = 1; to <= part.length; to += 1) {
        if (to < part.length && hit[offset + to] === hit[offset + from]) continue;
        const piece = look(part.slice(from, to));
        painted += hit[offset + from] === 1 ? this.#theme.inverse(piece) : piece;
        from = to;
      }
      offset += part.length;
    }
    return painted;
  }
}

/**
 * Adds a blank before a painted text, and blanks after it up to a width of `cells` cells.
 *
 * @param plain the same text without colors, to measure the width
 */
export function padPainted(painted: string, plain: string, cells: number): string {
  return ` ${painted}${' '.repeat(Math.max(0, cells - 1 - textWidth(plain)))}`;
}

/** Wraps a text to `cells` cells, paints it, and returns its first `height` rows. Code stays in one color. */
export function layOut(text: string, theme: Theme, cells: number, height: number): string[] {
  const buffer = new ColumnBuffer(cells);
  buffer.push(text);
  buffer.end();
  const painter = new Painter(theme);
  return buffer.slice(0, height).map((row) => painter.cell(row, cells + 1).slice(1));
}

/**
 * Computes how many cells text takes, and where it may be cut. All functions expect text from
 * `plainGlyphs`, on whose width terminals agree.
 */
import {
  cellWidth,
  classOf,
  isLinker,
  isRegional,
  isSkinTone,
  isSpacingMark,
  JOINER,
} from './characters.ts';
import { plainGlyphs } from './plain-glyphs.ts';

/** A grapheme and its cells: 0 only for a mark without a base. */
interface Grapheme {
  readonly text: string;
  readonly cells: number;
}

const ASCII = /^[\x20-\x7e]*$/;

/** Characters to look back for the start of a grapheme; no emoji sequence or pointed letter is longer. */
const LOOK_BACK = 64;

/**
 * Returns the width of one line in terminal cells, as the sum of the widths of its characters. A
 * terminal may draw a text with another width, unless the text comes from `plainGlyphs`.
 */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) as number;
    if (point > 0xffff) at += 1;
    cells += cellWidth(point);
  }
  return cells;
}

/**
 * Returns the index after the grapheme that begins at index `at`. A grapheme includes marks without
 * width and up to three vowel signs; a consonant after a virama begins a new grapheme.
 */
export function graphemeEnd(text: string, at: number): number {
  let end = at + (isPair(text, at) ? 2 : 1);
  let spacing = 0;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 0x300) break;
    const point = text.codePointAt(end) as number;
    if (cellWidth(point) > 0) {
      if (spacing === 3 || !isSpacingMark(point)) break;
      spacing += 1;
    }
    end += point > 0xffff ? 2 : 1;
  }
  return end;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) as number) > 0xffff;
}

/**
 * Returns the last index before the end at which a text can be cut without splitting a grapheme, an
 * emoji sequence or a flag, even if the text goes on. If the last 64 characters have no such index,
 * the end of the text is returned. The index is never 0, unless `text` is empty.
 */
export function findSafeCut(text: string): number {
  for (let at = text.length - 1; at > Math.max(0, text.length - LOOK_BACK); at -= 1) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) continue;
    const point = text.codePointAt(at) as number;
    if (cellWidth(point) === 0 || isSkinTone(point) || isSpacingMark(point)) continue;
    if (isRegional(point)) continue;
    const before = text.codePointAt(at - (isLow(text.charCodeAt(at - 1)) ? 2 : 1)) as number;
    if (classOf(before) !== JOINER && !isLinker(before)) return at;
  }
  const cutsPair = text.length > 1 && isHigh(text.charCodeAt(text.length - 1));
  return cutsPair ? text.length - 1 : text.length;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Yields the graphemes of a text from `plainGlyphs`, from left to right. */
export function* splitGraphemes(text: string): Generator<Grapheme, void> {
  let at = 0;
  while (at < text.length) {
    const end = graphemeEnd(text, at);
    const grapheme = text.slice(at, end);
    yield { text: grapheme, cells: textWidth(grapheme) };
    at = end;
  }
}

/**
 * Shortens a text to one line of at most `cells` terminal cells. Line ends and tabs become spaces.
 * A part that does not fit is replaced by `ellipsis`, if there is room for the ellipsis.
 */
export function truncateLine(text: string, cells: number, ellipsis = '…'): string {
  const line = flattenText(text);
  if (textWidth(line) <= cells) return line;
  const mark = textWidth(ellipsis) <= cells ? ellipsis : '';
  let room = cells - textWidth(mark);
  let end = 0;
  for (const grapheme of splitGraphemes(line)) {
    if (grapheme.cells > room) break;
    room -= grapheme.cells;
    end += grapheme.text.length;
  }
  return line.slice(0, end) + mark;
}

/**
 * Returns the text on one line, padded with spaces to `cells` terminal cells. A longer text is
 * returned without padding.
 */
export function padEnd(text: string, cells: number): string {
  const line = flattenText(text);
  return line + ' '.repeat(Math.max(0, cells - textWidth(line)));
}

function flattenText(text: string): string {
  const plain = plainGlyphs(text);
  return plain.replace(/[\t\n]+/g, ' ');
}

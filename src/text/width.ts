/**
 * How many cells text takes. Terminals disagree about some graphemes: an emoji joined of four is
 * two cells in one terminal and eight in the next, and Ink counts after a third rule. One wrong
 * guess shifts every column to its right. So text is first brought to `plainGlyphs`, whose width
 * all of them agree on, and only then measured and wrapped.
 */
import {
  BREAK,
  CONTROL,
  cellWidth,
  classOf,
  DRAWN,
  HIDDEN,
  isLinker,
  isPictograph,
  isSkinTone,
  isSpacingMark,
  JOINER,
  SELECTOR,
  ZWJ,
  ZWNJ,
} from './characters.ts';

/** What is drawn as one unit, and the cells it takes: 0 only for a mark without a base. */
export interface Grapheme {
  readonly text: string;
  readonly cells: number;
}

const ASCII = /^[\x20-\x7e]*$/;

/**
 * Text that needs no rewriting: ASCII, Latin, Greek, Cyrillic, most punctuation, arrows, box
 * drawing, kana, Han and Hangul, less the few code points in there that draw nothing or combine.
 */
const ALREADY_PLAIN =
  /^[\t\n\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u202f-\u205e\u2070-\u20cf\u2190-\u2319\u2500-\u259f\u3000-\u3029\u3030-\u3098\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/;

const REGIONAL_A = 0x1f1e6;
const REGIONAL_Z = 0x1f1ff;
const KEYCAP = 0x20e3;
/** Longer than any emoji sequence or pointed letter in use. */
const LOOK_BACK = 64;

/**
 * The same text in glyphs whose width is not in dispute, for display only:
 * a ZWJ sequence becomes its first emoji, a flag its two letters, a keycap its digit; variation
 * selectors, skin tones, controls and invisible characters go. Two things that Intl.Segmenter joins
 * but cell-based terminals do not are taken apart: THAI/LAO AM into its two halves (looks the
 * same), and Indic conjuncts by a ZWNJ after the virama (the virama shows; columns stay straight).
 */
export function plainGlyphs(text: string): string {
  if (ALREADY_PLAIN.test(text)) return text;
  let out = '';
  let last = 0; // the last code point of `text` that is not a mark or a selector
  let joined = false; // a ZWJ has come since `last`
  let linked = false; // `out` ends with a virama
  for (const char of text) {
    const point = char.codePointAt(0) as number;
    switch (classOf(point)) {
      case JOINER:
        if (point === ZWJ) joined = true;
        else if (!linked) out += char;
        continue;
      case BREAK:
        out += ' ';
        break;
      case CONTROL:
        if (point !== 0x09 && point !== 0x0a) continue;
        out += char;
        break;
      case HIDDEN:
      case SELECTOR:
        continue;
      case DRAWN: {
        if (isSkinTone(point)) continue;
        if (joined && isPictograph(point) && isPictograph(last)) {
          joined = false; // the next emoji of the sequence hangs on this one
          continue;
        }
        if (linked && point >= 0x900 && !isSpacingMark(point)) out += String.fromCodePoint(ZWNJ);
        if (point >= REGIONAL_A && point <= REGIONAL_Z) {
          out += String.fromCharCode(point - REGIONAL_A + 0x41);
        } else if (point === 0x0e33) out += '\u0e4d\u0e32';
        else if (point === 0x0eb3) out += '\u0ecd\u0eb2';
        else out += char;
        break;
      }
      default: // MARK
        if (point === KEYCAP && /[0-9#*]$/.test(out.slice(-1))) continue;
        out += char;
        if (isLinker(point)) linked = true;
        continue;
    }
    last = point;
    joined = false;
    linked = isLinker(point);
  }
  return out;
}

/** Cells that plain text takes on one line. For other text: the sum over its code points. */
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
 * Where the grapheme that begins at `at` ends. A base takes along its zero-width marks and up to
 * three vowel signs that have cells of their own; a virama's consonant begins a new one.
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
 * Where text that has to be cut near its end may be cut: not inside a grapheme, an emoji sequence
 * or a flag, as far as the last `LOOK_BACK` characters tell. Never 0, unless `text` is empty.
 */
export function safeCut(text: string): number {
  for (let at = text.length - 1; at > Math.max(0, text.length - LOOK_BACK); at -= 1) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) continue;
    const point = text.codePointAt(at) as number;
    if (cellWidth(point) === 0 || isSkinTone(point) || isSpacingMark(point)) continue;
    if (point >= REGIONAL_A && point <= REGIONAL_Z) continue;
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

/** The graphemes of plain text from left to right. */
export function* graphemes(text: string): Generator<Grapheme, void> {
  let at = 0;
  while (at < text.length) {
    const end = graphemeEnd(text, at);
    const grapheme = text.slice(at, end);
    yield { text: grapheme, cells: textWidth(grapheme) };
    at = end;
  }
}

/**
 * One line of at most `cells` cells: line ends and tabs become spaces, and what does not fit is
 * replaced by `ellipsis` (left out where even that does not fit).
 */
export function truncate(text: string, cells: number, ellipsis = '…'): string {
  const line = oneLine(text);
  if (textWidth(line) <= cells) return line;
  const mark = textWidth(ellipsis) <= cells ? ellipsis : '';
  let room = cells - textWidth(mark);
  let end = 0;
  for (const grapheme of graphemes(line)) {
    if (grapheme.cells > room) break;
    room -= grapheme.cells;
    end += grapheme.text.length;
  }
  return line.slice(0, end) + mark;
}

/** `text` on one line, filled up with spaces to `cells`; left as it is if longer. */
export function padEnd(text: string, cells: number): string {
  const line = oneLine(text);
  return line + ' '.repeat(Math.max(0, cells - textWidth(line)));
}

function oneLine(text: string): string {
  const plain = plainGlyphs(text);
  return plain.replace(/[\t\n]+/g, ' ');
}

/**
 * Builds the lines of a PDF page from the pieces of text that pdf.js finds. The pieces stay in the order of
 * the file, which is the reading order in what word processors and TeX write, columns included. Pieces at
 * the same height form one line, even if a formula's exponents lie between them.
 */

/** A piece of text as pdf.js returns it. Marks of a page's structure have no `str`. */
export interface PageItem {
  readonly str?: string;
  readonly dir?: string;
  /** The transformation matrix. Its last two numbers are x and y of the left end; y grows upwards. */
  readonly transform?: readonly number[];
  readonly width?: number;
  readonly height?: number;
  readonly hasEOL?: boolean;
}

interface Line {
  text: string;
  /** The baseline of the last piece that is no exponent. */
  y: number;
  /** The height of that piece. */
  height: number;
  /** The x of the line's left end. */
  left: number;
  /** The x of the line's right end. */
  right: number;
  rtl: boolean;
  /** Whether pdf.js reports that the line ends after its last piece. */
  ended: boolean;
}

/** Minimum gap between two cells of a table's row, in heights of the line. */
const CELL_GAP = 1.6;
/** Maximum distance between the baselines of two pieces of one line, in heights of the higher piece. */
const SAME_LINE = 0.55;
/** Maximum gap between the end of a line and its next piece, in heights. */
const NEXT_WITHIN = 1.2;
const CELLS = '   ';

/**
 * Joins the pieces of text on a page of a PDF into lines, in the order in which the file contains
 * them.
 */
export function linesOfPage(items: readonly PageItem[]): string[] {
  const lines: string[] = [];
  let line: Line | undefined;
  const closeLine = (): void => {
    if (line !== undefined) lines.push(line.text);
    line = undefined;
  };
  for (const { str, transform, width = 0, height = 0, dir, hasEOL = false } of items) {
    if (str === undefined || transform === undefined) continue;
    const [a = 0, b = 0, , , x = 0, y = 0] = transform;
    if (str.trim() === '') {
      if (line !== undefined) {
        if (str !== '') line.text = `${line.text} `;
        line.ended ||= hasEOL;
      }
      continue;
    }
    const rtl = dir === 'rtl';
    const size = height || Math.hypot(a, b) || 1;
    // Rotated text continues a line only if pdf.js says that the line goes on.
    const turned = Math.abs(b) > Math.abs(a);
    if (line !== undefined && isNextIn(line, { x, y, width, size, turned })) {
      const gap = rtl ? line.left - (x + width) : x - line.right;
      const apart =
        gap > CELL_GAP * Math.max(size, line.height)
          ? CELLS
          : gap > 0.2 * size || isFootnoteNumber(line, size)
            ? ' '
            : '';
      line.text = `${apart === CELLS ? line.text.trimEnd() : line.text}${needsNoSpace(line.text) && apart !== CELLS ? '' : apart}${str}`;
    } else {
      closeLine();
      line = { text: str, y, height: size, left: x, right: x, rtl, ended: false };
    }
    const current: Line = line;
    // Exponents and other small pieces of text do not move the line's baseline.
    if (size >= current.height * 0.8) {
      current.y = y;
      current.height = size;
    }
    current.left = Math.min(x, current.left);
    current.right = turned ? x : Math.max(x + width, rtl ? current.right : 0);
    current.rtl = rtl;
    current.ended = hasEOL;
  }
  closeLine();
  return lines;
}

/** Returns whether a line is only the number of a footnote so far: digits that are smaller than the next piece. */
function isFootnoteNumber({ text, height }: Line, nextSize: number): boolean {
  return height < 0.8 * nextSize && /^\s*\d{1,3}$/.test(text);
}

function needsNoSpace(before: string): boolean {
  return before === '' || before.endsWith(' ');
}

function isNextIn(
  line: Line,
  {
    x,
    y,
    width,
    size,
    turned,
  }: { x: number; y: number; width: number; size: number; turned: boolean },
): boolean {
  if (!line.ended) return true;
  if (turned) return false;
  const higher = Math.max(size, line.height);
  if (Math.abs(y - line.y) > SAME_LINE * higher) return false;
  const gap = line.rtl ? line.left - (x + width) : x - line.right;
  // A piece of text after the line's end on the same baseline is the next word or table cell, however large
  // the gap is.
  if (Math.abs(y - line.y) < 0.05 * higher) return gap > -0.3 * higher;
  return gap > -0.5 * higher && gap < NEXT_WITHIN * higher;
}

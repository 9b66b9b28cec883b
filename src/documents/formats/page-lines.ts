/**
 * The lines of a PDF's page from the pieces that pdf.js finds on it. They stay in the order in which the
 * file writes them, which is the order of reading in what word processors and TeX make, columns included.
 * Pieces on one height belong to one line, also where a formula's exponents lie between them.
 */

/** A piece of text as pdf.js tells it; marks of a page's structure have no `str`. */
export interface PageItem {
  readonly str?: string;
  readonly dir?: string;
  /** The last two are the place of its left end on the page, upwards from the bottom. */
  readonly transform?: readonly number[];
  readonly width?: number;
  readonly height?: number;
  readonly hasEOL?: boolean;
}

interface Line {
  text: string;
  /** Where its last piece stands: its base, its height, and both of its ends. */
  y: number;
  height: number;
  left: number;
  right: number;
  rtl: boolean;
  /** Whether pdf.js says that it is over. */
  ended: boolean;
}

/** A gap of more than so many times the height is one between cells of a table. */
const CELL_GAP = 1.6;
/** How far apart the bases of two pieces of one line may be, in heights of the higher one. */
const SAME_LINE = 0.55;
/** How far a next piece may lie from the end of the line, in heights. */
const NEXT_WITHIN = 1.2;
const CELLS = '   ';

export function linesOfPage(items: readonly PageItem[]): string[] {
  const lines: string[] = [];
  let line: Line | undefined;
  const close = (): void => {
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
    // Text that is turned has no place in a line but in the one that pdf.js sees.
    const turned = Math.abs(b) > Math.abs(a);
    if (line !== undefined && isNextIn(line, { x, y, width, size, turned })) {
      const gap = rtl ? line.left - (x + width) : x - line.right;
      const apart =
        gap > CELL_GAP * Math.max(size, line.height) ? CELLS : gap > 0.2 * size ? ' ' : '';
      line.text = `${apart === CELLS ? line.text.trimEnd() : line.text}${needsNone(line.text) && apart !== CELLS ? '' : apart}${str}`;
    } else {
      close();
      line = { text: str, y, height: size, left: x, right: x, rtl, ended: false };
    }
    const current: Line = line;
    // An exponent does not lift the line.
    if (size >= current.height * 0.8) {
      current.y = y;
      current.height = size;
    }
    current.left = Math.min(x, current.left);
    current.right = turned ? x : Math.max(x + width, rtl ? current.right : 0);
    current.rtl = rtl;
    current.ended = hasEOL;
  }
  close();
  return lines;
}

function needsNone(before: string): boolean {
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
  // On the very same base it is a cell of the same row, or the next word, however far.
  if (Math.abs(y - line.y) < 0.05 * higher) return gap > -0.3 * higher;
  return gap > -0.5 * higher && gap < NEXT_WITHIN * higher;
}

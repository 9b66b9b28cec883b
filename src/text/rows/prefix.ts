/** The prefix of every row of a line: quote bars and indentation. */
import { DIM_STYLE, PLAIN_STYLE, type Span } from './row.ts';

/** The beginning of a row: indentation and quote bars. */
export interface Prefix {
  readonly spans: readonly Span[];
  /** The width in terminal cells. */
  readonly cells: number;
}

/** The prefix of a row that is not nested. */
export const NO_PREFIX: Prefix = { spans: [], cells: 0 };

const BAR = '| ';

/**
 * Returns a prefix of `outer` spaces, `bars` quote bars and `indent` spaces. The prefix is cut to
 * half of `width`, so that deeply nested text keeps enough room.
 */
export function prefixOf(outer: number, bars: number, indent: number, width: number): Prefix {
  if (outer + bars + indent === 0) return NO_PREFIX;
  // Leave at least two cells for the text where the width allows it, since a wide character needs two.
  const most = Math.max(0, Math.min(width >> 1, width - 2));
  const outerCells = Math.min(outer, most);
  const barCells = Math.min(bars, (most - outerCells) >> 1) * BAR.length;
  const indentCells = Math.min(indent, most - outerCells - barCells);
  const spans: Span[] = [];
  if (outerCells > 0) spans.push({ text: ' '.repeat(outerCells), style: PLAIN_STYLE });
  if (barCells > 0) spans.push({ text: BAR.repeat(barCells / BAR.length), style: DIM_STYLE });
  if (indentCells > 0) spans.push({ text: ' '.repeat(indentCells), style: PLAIN_STYLE });
  return { spans, cells: outerCells + barCells + indentCells };
}

/** Returns the number of characters (UTF-16 units) of a prefix. */
export function leadOf(prefix: Prefix): number {
  let lead = 0;
  for (const span of prefix.spans) lead += span.text.length;
  return lead;
}

/**
 * Pages, slides and sheets of a document, and how its lines are named by them: line 57 of the text may be
 * `p3L10`, the tenth line of page 3. A document without parts has its lines named `L57`.
 */

/** A page, slide or sheet. */
export interface Part {
  /** How citations name it: `p3`, `s2`, `Sheet1`; without spaces, `#` or brackets, unique in its document. */
  readonly name: string;
  /** The number of its first line in the whole text, counted from 1. It ends where the next part begins. */
  readonly from: number;
}

/** A line of the whole text as a part and the line within it, both as people cite them. */
interface PartLine {
  readonly part: Part;
  /** Counted from 1. */
  readonly line: number;
}

/** The part that a line of the text lies in; undefined where the document has none, or none so early. */
export function partOf(line: number, parts: readonly Part[]): PartLine | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.from ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  const part = parts[low - 1];
  return part === undefined ? undefined : { part, line: line - part.from + 1 };
}

/** `L57`, or `p3L10` in a document with parts. */
export function lineLabel(line: number, parts: readonly Part[] = []): string {
  const found = partOf(line, parts);
  return found === undefined ? `L${line}` : `${found.part.name}L${found.line}`;
}

/** `L57`, `L57-L60`, `p3L10-L12`, `p3L40-p4L2`: lines of the whole text as citations name them. */
export function rangeLabel(from: number, to: number, parts: readonly Part[] = []): string {
  const first = lineLabel(from, parts);
  if (from === to) return first;
  const begin = partOf(from, parts);
  const end = partOf(to, parts);
  const same = begin?.part === end?.part;
  return `${first}-${same && end !== undefined ? `L${end.line}` : lineLabel(to, parts)}`;
}

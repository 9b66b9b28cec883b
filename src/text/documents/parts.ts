/**
 * Names the lines of a document by its pages, slides or sheets: line 57 of the text may be `p3L10`, the
 * tenth line of page 3. The lines of a document without such parts are named like `L57`.
 */

/** A page, slide or sheet of a document. */
export interface Part {
  /** The name in citations: `p3`, `s2`, `Sheet1`; see `partName`. */
  readonly name: string;
  /**
   * The number of the part's first line in the whole text, from 1. The part ends where the next
   * part begins.
   */
  readonly from: number;
}

/**
 * Returns a name for a part that citations can contain: letters, digits and `_`, without an `L`
 * before a digit.
 *
 * @param written the name in the document
 * @param taken the names of other parts in lower case; the result differs from all of them
 */
export function partName(written: string, taken: ReadonlySet<string>): string {
  const plain = written
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '_')
    .replace(/l(?=\p{N})/giu, '$&_')
    .slice(0, 60);
  const base = plain === '' ? '_' : plain;
  let name = base;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base}_${number}`;
  return name;
}

/**
 * Formats the number of a line for a citation: `L57`, or `p3L10` in a document with parts. `line`
 * counts through the whole text.
 */
export function lineLabel(line: number, parts: readonly Part[] = []): string {
  const part = partOf(line, parts);
  return part === undefined ? `L${line}` : `${part.name}L${line - part.from + 1}`;
}

/** Formats a range of lines of the whole text for a citation: `L57`, `L57-L60`, `p3L10-L12`, `p3L40-p4L2`. */
export function rangeLabel(from: number, to: number, parts: readonly Part[] = []): string {
  const first = lineLabel(from, parts);
  if (from === to) return first;
  const part = partOf(to, parts);
  const last = lineLabel(to, parts);
  return `${first}-${part !== undefined && part === partOf(from, parts) ? last.slice(part.name.length) : last}`;
}

/**
 * Returns the page, slide or sheet that contains a line of the whole text, counted from 1. Returns
 * undefined if the line comes before the first part, or if there are no parts.
 */
export function partOf(line: number, parts: readonly Part[]): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.from ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}

/**
 * Returns the pages, slides or sheets that contain at least one of the lines `from` to `to`, and empty
 * ones between these lines. The lines are counted from 1 through the whole text.
 */
export function partsWithin(from: number, to: number, parts: readonly Part[]): Part[] {
  return parts.filter(
    (part, at) => part.from <= to && (parts[at + 1]?.from ?? Number.POSITIVE_INFINITY) > from,
  );
}

/** A range in a document with parts: `p3L10`, `p3L10-L12`, `p3L10-12`, `p3L40-p4L2`, or `p3` for a page. */
const IN_PARTS =
  /^([\p{L}\p{N}\p{M}_]{1,70}?)(?:L(\d{1,9})(?:\s?[-–—]\s?(?:([\p{L}\p{N}\p{M}_]{1,70}?)(?=L\d))?L?(\d{1,9}))?)?$/iu;

/**
 * Returns the first and the last line that a cited range such as `p3L10-L12` names in a document
 * with parts. Both lines are counted from 1 through the whole text. If the range is invalid, returns
 * the reason.
 *
 * @param lines the number of lines of the whole text
 */
export function linesInParts(
  range: string,
  parts: readonly Part[],
  lines: number,
): readonly [number, number] | { readonly why: string } {
  const [, name = '', first, other, last] = IN_PARTS.exec(range) ?? [];
  const example = `${parts[0]?.name ?? 'p1'}L1`;
  if (name === '' || /^l\d/i.test(range))
    return { why: `its lines are cited with their page or sheet, like ${example}` };
  const findLine = (part: string, line: number): number | { readonly why: string } => {
    const at = parts.findIndex((candidate) => candidate.name.toLowerCase() === part.toLowerCase());
    const found = parts[at];
    if (found === undefined) return { why: `there is no ${part} in it` };
    const count = (parts[at + 1]?.from ?? lines + 1) - found.from;
    if (count === 0) return { why: `${found.name} has no text` };
    if (line < 1) return { why: 'lines are counted from 1' };
    if (line > count)
      return { why: `${found.name} has ${count} ${count === 1 ? 'line' : 'lines'}` };
    return found.from + line - 1;
  };
  const from = findLine(name, Number(first ?? 1));
  if (typeof from !== 'number') return from;
  const to =
    first === undefined
      ? endOfPart(from, parts, lines)
      : last === undefined
        ? from
        : findLine(other ?? name, Number(last));
  if (typeof to !== 'number') return to;
  return to < from ? { why: 'the range ends before it begins' } : [from, to];
}

function endOfPart(from: number, parts: readonly Part[], lines: number): number {
  return (parts.find((part) => part.from > from)?.from ?? lines + 1) - 1;
}

/** The lines and parts of a document, on which its citations depend. */
interface Citable {
  readonly name: string;
  readonly parts?: readonly Part[] | undefined;
}

/**
 * Returns examples of citations for a prompt, one for each way in which the texts number their
 * lines: through the whole text, by page, by slide or by sheet. If no text has parts, there is a
 * single example.
 * @param lines the range in an example without parts, such as `L10-L12`
 * @param called the name of the attachment in the single example; if absent, the name of the first
 * text
 */
export function exampleCitations(
  texts: readonly Citable[],
  lines: string,
  called?: string,
): string {
  const [first] = texts;
  const plain = texts.find(({ parts = [] }) => parts.length === 0);
  const inParts = ['p', 's', ''].flatMap((kind) => {
    const text = texts.find(({ parts = [] }) => parts.length > 0 && kindOf(parts) === kind);
    const [part] = text?.parts?.slice(2) ?? text?.parts ?? [];
    const name = part ?? text?.parts?.[0];
    return text === undefined || name === undefined
      ? []
      : [`attachments/${text.name}#${name.name}L10-L12`];
  });
  if (first === undefined || inParts.length === 0)
    return `attachments/${called ?? first?.name}#${lines}`;
  return [...(plain === undefined ? [] : [`attachments/${plain.name}#${lines}`]), ...inParts].join(
    ' or ',
  );
}

function kindOf([first]: readonly Part[]): string {
  return /^([ps])\d+$/.exec(first?.name ?? '')?.[1] ?? '';
}

/**
 * Formats the name of a part in words: `page 3` for `p3`, `slide 2` for `s2`. The name of a sheet
 * stays.
 */
export function formatPartName(name: string): string {
  const [, kind, number] = /^([ps])(\d+)$/.exec(name) ?? [];
  if (number === undefined) return name;
  return `${kind === 'p' ? 'page' : 'slide'} ${number}`;
}

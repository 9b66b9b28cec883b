/**
 * Decides which runs of `*`, `_` and `~` are emphasis: CommonMark's flanking rules and its pairing of
 * openers with closers, for one line.
 */
import { cellWidth } from '../characters.ts';
import { BOLD, ITALIC, STRIKE } from '../rows/row.ts';

/** A range of indexes in a line of Markdown source; `to` is exclusive. */
export type Range = readonly [from: number, to: number];

/** A sequence of equal marks `*`, `_` or `~` in Markdown, and what the marks can do. */
export interface MarkRun {
  /** The character of the marks. */
  readonly mark: string;
  /** The index of the first mark in the text. */
  readonly at: number;
  readonly length: number;
  /** Whether the marks can begin a style. */
  readonly canOpen: boolean;
  /** Whether the marks can end a style. */
  readonly canClose: boolean;
  /** The number of marks that neither begin nor end a style so far. Such marks are shown as text. */
  left: number;
  /** The styles that begin at these marks: the bits `BOLD`, `ITALIC` and `STRIKE`. */
  readonly opens: number[];
  /** The styles that end at these marks, as the same bits. */
  readonly closes: number[];
}

const WHITE = /\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const DIGIT = /[0-9]/;

/**
 * Reads the sequence of marks that begins at index `at`, and decides by the characters around it
 * what the marks can do. There are three differences from CommonMark: (1) a wide (CJK) character
 * counts as a word boundary, because Chinese and Japanese put no space around `**…。**`; (2) an
 * asterisk between two digits is a multiplication; (3) only a double tilde strikes text through,
 * since a single one means "about".
 */
export function readMarkRun(text: string, at: number): MarkRun {
  const mark = text.charAt(at);
  let length = 1;
  while (text.charAt(at + length) === mark) length += 1;
  const before = charBefore(text, at);
  const after = charAt(text, at + length);
  const spaceBefore = WHITE.test(before);
  const spaceAfter = WHITE.test(after);
  const pointBefore = PUNCTUATION.test(before);
  const pointAfter = PUNCTUATION.test(after);
  const left = !spaceAfter && (!pointAfter || spaceBefore || pointBefore || isWide(before));
  const right = !spaceBefore && (!pointBefore || spaceAfter || pointAfter || isWide(after));
  let canOpen = left;
  let canClose = right;
  if (mark === '_') {
    canOpen = left && (!right || pointBefore);
    canClose = right && (!left || pointAfter);
  } else if (mark === '~') {
    canOpen = left && length === 2;
    canClose = right && length === 2;
  } else if (DIGIT.test(before) && DIGIT.test(after)) {
    canOpen = false;
    canClose = false;
  }
  return { mark, at, length, canOpen, canClose, left: length, opens: [], closes: [] };
}

/**
 * Pairs closing marks with earlier marks that can open a style, the innermost first, and adds the
 * styled ranges to `ranges`.
 * @param run the closing marks
 * @param openers earlier marks, in the order of the text. Marks that are used up or can no longer
 *   be paired are removed from the list.
 * @param floor the index in `openers` of the first marks that may be paired with `run`
 */
export function closeMarkRun(
  run: MarkRun,
  openers: MarkRun[],
  floor: number,
  ranges: Range[],
): void {
  let top = openers.length - 1;
  while (run.left > 0 && top >= floor) {
    const opener = openers[top] as MarkRun;
    if (opener.mark !== run.mark || isOddMatch(opener, run)) {
      top -= 1;
      continue;
    }
    // Marks between the opener and the closer can no longer open emphasis, so they stay as they are written.
    openers.length = top + 1;
    const used = opener.left >= 2 && run.left >= 2 ? 2 : 1;
    const bit = run.mark === '~' ? STRIKE : used === 2 ? BOLD : ITALIC;
    opener.opens.push(bit);
    run.closes.push(bit);
    opener.left -= used;
    run.left -= used;
    ranges.push([opener.at, run.at + run.length]);
    if (opener.left === 0) {
      openers.pop();
      top -= 1;
    }
  }
}

/** Returns whether CommonMark's rule of three forbids a pair: `*a**b*` is not `<em>a</em><em>b</em>`. */
function isOddMatch(opener: MarkRun, closer: MarkRun): boolean {
  if (!opener.canClose && !closer.canOpen) return false;
  if ((opener.length + closer.length) % 3 !== 0) return false;
  return opener.length % 3 !== 0 || closer.length % 3 !== 0;
}

/** Makes marks that nothing has closed begin their style, which then lasts to the end of the text. */
export function openToEnd(run: MarkRun): void {
  if (run.mark === '~') run.opens.push(STRIKE);
  else {
    if (run.left >= 2) run.opens.push(BOLD);
    if (run.left % 2 === 1) run.opens.push(ITALIC);
  }
  run.left = 0;
}

function isWide(char: string): boolean {
  return char !== '' && cellWidth(char.codePointAt(0) as number) === 2;
}

/** Returns the character before `at`; a space at the start of the line. */
function charBefore(text: string, at: number): string {
  if (at === 0) return ' ';
  const last = text.charCodeAt(at - 1);
  const isLow = last >= 0xdc00 && last <= 0xdfff && at > 1;
  return isLow ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function charAt(text: string, at: number): string {
  return at >= text.length ? ' ' : String.fromCodePoint(text.codePointAt(at) as number);
}

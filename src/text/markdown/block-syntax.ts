/** Recognises how a line of Markdown begins: quote marks, list markers, fences, headings, rules. */

/** The most markers of one line, as in `- 1. [x] `. */
const MAX_MARKERS = 4;

/** List markers; models write typographic bullets too. */
const ITEM = /^([-*+•]|\d{1,9}[.)])(?:[ \t]+|$)/;
const TASK = /^(\[[ xX]\])(?:[ \t]+|$)/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HEADING = /^#{1,6}(?:[ \t]+|$)/;
const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
/** An info string that is only the name of a language; any other is shown as text. */
const LANGUAGE = /^(?:[\w.+#-]{1,30}|\{[^{}]{0,80}\})?$/;

/** A line of Markdown without its quote marks: the characters `>` of a block quote. */
export interface QuotedLine {
  /** The number of quote marks that were removed. */
  readonly depth: number;
  /** Spaces before the first quote mark. */
  readonly indent: number;
  /** The line after the quote marks. */
  readonly rest: string;
}

/**
 * Removes up to `most` quote marks, the characters `>` of a block quote, from the beginning of a
 * line. With `deep`, for lines in a list, the first mark may be indented by more than three spaces.
 */
export function readQuote(text: string, most: number, deep: boolean): QuotedLine {
  let depth = 0;
  let indent = 0;
  let start = 0;
  while (depth < most) {
    let at = start;
    while (text.charCodeAt(at) === 0x20) at += 1;
    if (text.charAt(at) !== '>' || (at - start > 3 && !(deep && depth === 0))) break;
    if (depth === 0) indent = at;
    start = text.charAt(at + 1) === ' ' ? at + 2 : at + 1;
    depth += 1;
  }
  return { depth, indent, rest: start === 0 ? text : text.slice(start) };
}

/**
 * Returns the width of a line's indentation in columns, and the index of the first character after
 * the indentation. A tab advances to the next multiple of four columns.
 */
export function readIndent(text: string): { columns: number; start: number } {
  let columns = 0;
  let start = 0;
  for (; start < text.length; start += 1) {
    const code = text.charCodeAt(start);
    if (code === 0x20) columns += 1;
    else if (code === 0x09) columns += 4 - (columns % 4);
    else break;
  }
  return { columns, start };
}

/** A marker at the beginning of a list item: a bullet, a number, or the checkbox of a task. */
export interface Marker {
  /** The marker as it is shown; every kind of bullet becomes `-`. */
  readonly shown: string;
  /** The number of characters between the first marker of the line and this one; 0 for the first. */
  readonly column: number;
  /** Whether the marker is a checkbox, `[ ]` or `[x]`, which follows a bullet or number. */
  readonly isTask: boolean;
}

/**
 * Returns the list markers that a line begins with, at most four, and the text after them. `body` is
 * the line without quote marks and indentation.
 */
export function readMarkers(body: string): { markers: readonly Marker[]; rest: string } {
  const first = body.charAt(0);
  const markers: Marker[] = [];
  let rest = body;
  if (!/[-*+•0-9]/.test(first)) return { markers, rest };
  while (markers.length < MAX_MARKERS && !isRule(rest)) {
    const column = body.length - rest.length;
    const item = ITEM.exec(rest);
    const task = item === null && markers.length > 0 ? TASK.exec(rest) : null;
    const found = item ?? task;
    if (found === null) break;
    const text = found[1] as string;
    const shown = /[*+•]/.test(text) ? '-' : text;
    markers.push({ shown, column, isTask: task !== null });
    rest = rest.slice(found[0].length);
    if (task !== null) break;
  }
  return { markers, rest };
}

/** Returns whether a line is a thematic break, such as `---`. */
export function isRule(body: string): boolean {
  return RULE.test(body);
}

/** Returns the text of a heading that begins with `#`; undefined if the line is no such heading. */
export function readHeading(body: string): string | undefined {
  if (body.charCodeAt(0) !== 0x23) return undefined;
  const hashes = HEADING.exec(body);
  return hashes === null ? undefined : body.slice(hashes[0].length);
}

/** Removes the `#` characters that may end a heading. */
export function withoutClosingHashes(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed.charAt(end - 1) === '#') end -= 1;
  const closes = end === 0 || /\s/.test(trimmed.charAt(end - 1));
  return closes ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** The line that opens a fenced code block. */
export interface FenceOpening {
  readonly mark: '`' | '~';
  /** The number of marks in a row. */
  readonly length: number;
  /** The text after the marks; empty if this text only names a language or is in braces. */
  readonly note: string;
  /** The language, if the text after the marks is only its name; otherwise empty. */
  readonly language: string;
  /** Whether the block contains a diff, whose lines begin with `+` or `-`. */
  readonly isDiff: boolean;
}

/** Parses a line that opens a Markdown code block with a code fence; undefined if the line does not. */
export function readFence(body: string): FenceOpening | undefined {
  const fence = FENCE.exec(body);
  if (fence === null) return undefined;
  const marks = (fence[1] ?? fence[3]) as string;
  const info = (fence[2] ?? fence[4] ?? '').trim();
  return {
    mark: marks.startsWith('~') ? '~' : '`',
    length: marks.length,
    note: LANGUAGE.test(info) ? '' : info,
    language: LANGUAGE.test(info) && !info.startsWith('{') ? info : '',
    isDiff: info === 'diff' || info === 'patch',
  };
}

/** Returns whether a line closes the code block that `opening` began. */
export function closesFence(body: string, opening: FenceOpening): boolean {
  const marks = body.trim();
  return marks.length >= opening.length && marks === opening.mark.repeat(marks.length);
}

/**
 * Returns whether a line begins a code block, a heading or a list item, and so ends a table before
 * it, even if the line contains a `|`.
 */
export function startsBlock(body: string): boolean {
  if (readFence(body) !== undefined || readHeading(body) !== undefined) return true;
  return readMarkers(body).markers.length > 0;
}

/** Removes up to `columns` spaces from the beginning of a line; a tab counts as four spaces. */
export function withoutIndent(text: string, columns: number): string {
  let left = columns;
  let start = 0;
  for (; left > 0; start += 1) {
    const code = text.charCodeAt(start);
    if (code === 0x20) left -= 1;
    else if (code === 0x09 && left >= 4) left -= 4;
    else break;
  }
  return text.slice(start);
}

/**
 * Removes trailing spaces, and the `\` of a hard line break unless the line is the last of its
 * paragraph.
 */
export function withoutLineEnd(body: string, isLast: boolean): string {
  const text = body.trimEnd();
  if (isLast || !text.endsWith('\\')) return text;
  let start = text.length;
  while (text.charAt(start - 1) === '\\') start -= 1;
  return (text.length - start) % 2 === 1 ? text.slice(0, -1).trimEnd() : text;
}

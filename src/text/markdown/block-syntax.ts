/** Recognises how a line of Markdown begins: quote marks, list markers, fences, headings, rules. */

/** Markers of one line, as `- 1. [x] `; more than a few are not structure but noise. */
const MAX_MARKERS = 4;

/** Models write typographic bullets, too. */
const ITEM = /^([-*+•]|\d{1,9}[.)])(?:[ \t]+|$)/;
const TASK = /^(\[[ xX]\])(?:[ \t]+|$)/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HEADING = /^#{1,6}(?:[ \t]+|$)/;
const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
/** An info string that is only the name of a language. Anything else is text somebody wrote. */
const LANGUAGE = /^(?:[\w.+#-]{1,30}|\{[^{}]{0,80}\})?$/;

export interface QuotedLine {
  readonly depth: number;
  /** Spaces before the first quote mark. */
  readonly indent: number;
  readonly rest: string;
}

/**
 * Takes up to `most` quote marks off a line. `deep`: the first may be indented by more than three
 * spaces, because it stands in a list.
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

/** Columns of indentation (a tab goes to the next multiple of four) and where the text begins. */
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

export interface Marker {
  /** As it is shown: every bullet is `-`. */
  readonly shown: string;
  /** Columns from the start of the line's text to the marker. */
  readonly column: number;
  readonly isTask: boolean;
}

/** The list markers that a line begins with, and what stands behind them. */
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

export function isRule(body: string): boolean {
  return RULE.test(body);
}

/** The text of an ATX heading, or undefined if the line is none. */
export function readHeading(body: string): string | undefined {
  if (body.charCodeAt(0) !== 0x23) return undefined;
  const hashes = HEADING.exec(body);
  return hashes === null ? undefined : body.slice(hashes[0].length);
}

/** A heading's text without the hashes that may close it. */
export function withoutClosingHashes(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed.charAt(end - 1) === '#') end -= 1;
  const closes = end === 0 || /\s/.test(trimmed.charAt(end - 1));
  return closes ? trimmed.slice(0, end).trimEnd() : trimmed;
}

export interface FenceOpening {
  readonly mark: '`' | '~';
  readonly length: number;
  /** What stands behind the fence, unless it only names a language. */
  readonly note: string;
  /** The language that it names; empty where there is none. */
  readonly language: string;
  /** It holds a diff: its lines begin with what becomes of them. */
  readonly isDiff: boolean;
}

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

/** Whether a line inside `opening` closes it. */
export function closesFence(body: string, opening: FenceOpening): boolean {
  const marks = body.trim();
  return marks.length >= opening.length && marks === opening.mark.repeat(marks.length);
}

/** Whether a line begins something that ends a table, although it may contain a bar. */
export function startsBlock(body: string): boolean {
  if (readFence(body) !== undefined || readHeading(body) !== undefined) return true;
  return readMarkers(body).markers.length > 0;
}

/** A line without up to `columns` spaces at its beginning; a tab counts as four. */
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

/** A line without what only separates it from the next: trailing space, the `\` of a hard break. */
export function withoutLineEnd(body: string, isLast: boolean): string {
  const text = body.trimEnd();
  if (isLast || !text.endsWith('\\')) return text;
  let start = text.length;
  while (text.charAt(start - 1) === '\\') start -= 1;
  return (text.length - start) % 2 === 1 ? text.slice(0, -1).trimEnd() : text;
}

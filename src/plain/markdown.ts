/**
 * Embeds other people's text in a Markdown page. The text cannot escape its place: it adds no heading above its
 * section, leaves no fence or comment open, and adds no cell to a table.
 */

import { sanitiseText } from '../text/sanitise.ts';

export { escapeLine, escapeText } from '../text/markdown/words.ts';

/** Matches the beginning of an HTML tag, a comment or a declaration, but not of `<https://…>` or `a < b`. */
const TAG = /<(?=[!?/]|[a-zA-Z][a-zA-Z0-9-]*(?:[\s/>]|$))/g;
const CODE_SPAN = /(`+)(?!`).*?(?<!`)\1(?!`)/g;
/**
 * Matches a heading, also within quotes and lists. Each blank can match in one place only, so that a hundred
 * nested quotes do not take exponential time.
 */
const HEADING = /^( {0,3}(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*)(#{1,6})(?=[ \t]|$)/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** Matches rows that an underline does not turn into a heading. */
const NO_PARAGRAPH =
  /^(?: {0,3}(?:#|>|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|[`~]{3})| {4}|\t|\s*$|.*\|)/;

/**
 * Formats a Markdown table. Cells may contain Markdown, so text of models must be escaped with
 * `escapeLine` first.
 *
 * @param head the column titles; a `>` at the beginning of a title aligns its column to the right
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    formatRow(head.map((cell) => cell.replace(/^>/, ''))),
    formatRow(head.map((cell) => (cell.startsWith('>') ? '---:' : '---'))),
    ...rows.map(formatRow),
  ].join('\n');
}

/** Formats a text as a Markdown quotation, with all its headings at the lowest level. */
export function formatQuotation(text: string): string {
  return nestHeadings(text, 6)
    .split('\n')
    .map((row) => `> ${row}`.trimEnd())
    .join('\n');
}

/** A heading in a text: what precedes it in its row, its level, and its text. */
interface Heading {
  readonly before: string;
  readonly own: number;
  readonly rest: string;
}

/**
 * Changes the levels of a text's headings, so that the highest becomes one level below `level`. Also makes the text
 * safe to embed: removes control characters, escapes HTML tags and closes an open code fence.
 */
export function nestHeadings(text: string, level = 2): string {
  const rows = rowsOf(text);
  const highest = Math.min(...rows.map((row) => (typeof row === 'string' ? 6 : row.own)));
  return rows
    .map((row) => {
      if (typeof row === 'string') return row;
      const marks = '#'.repeat(Math.min(6, level + 1 + row.own - highest));
      return `${row.before}${marks}${row.rest}`;
    })
    .join('\n');
}

function rowsOf(text: string): (string | Heading)[] {
  const rows: (string | Heading)[] = [];
  let fence: string | undefined;
  for (const row of sanitiseText(text).trim().split('\n')) {
    const mark = FENCE.exec(row)?.[1];
    const last = rows.at(-1);
    if (fence !== undefined) {
      const closes = mark?.startsWith(fence) === true && row.trim() === mark;
      rows.push(closes ? mark : row);
      if (closes) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      // Remove the spaces before the opening line of a code block. Otherwise the block could become part of a list
      // above it, and would end where the list ends, before its own closing line.
      rows.push(row.trimStart());
    } else if (UNDERLINE.test(row) && typeof last === 'string' && !NO_PARAGRAPH.test(last)) {
      rows.pop();
      rows.push('', { before: '', own: row.includes('=') ? 1 : 2, rest: ` ${last.trim()}` }, '');
    } else {
      const shown = withoutTags(row);
      const [all, before = '', marks = ''] = HEADING.exec(shown) ?? [];
      rows.push(
        all === undefined ? shown : { before, own: marks.length, rest: shown.slice(all.length) },
      );
    }
  }
  if (fence !== undefined) rows.push(fence);
  return rows;
}

/** Escapes HTML tags, except in code, where they are text already. */
function withoutTags(row: string): string {
  let from = 0;
  let text = '';
  for (const code of row.matchAll(CODE_SPAN)) {
    text += row.slice(from, code.index).replace(TAG, '\\<') + code[0];
    from = code.index + code[0].length;
  }
  return text + row.slice(from).replace(TAG, '\\<');
}

/**
 * Limits how long parsing Markdown takes. The parser's time grows with the cube of the nesting depth of
 * containers and with the square of the marks in a paragraph. What exceeds the limits is escaped, and so shown
 * as it was written.
 */

/** The deepest nesting of lists and quotes that is rendered. */
const DEEPEST = 12;
/** The largest indentation that is rendered, in columns. */
const FURTHEST = 48;
/** The most marks of emphasis and links between two blank lines. */
const MOST_MARKS = 1_000;

const MARKERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const MARKER = /[ \t]*(?:>|[-*+]|\d{1,9}[.)])/g;

/**
 * Escapes the parts of a Markdown text that would take too long to parse: very deep nesting, and
 * paragraphs with very many characters that Markdown uses as marks, such as `*`. Very deep indentation is
 * shortened.
 */
export function limitMarkdown(markdown: string): string {
  return markdown
    .split(/(\n[ \t]*\n)/)
    .map((block) => (countMarks(block) > MOST_MARKS ? block.replace(/[*_[\]]/g, '\\$&') : block))
    .join('')
    .split('\n')
    .map(escapeDeep)
    .join('\n');
}

function countMarks(block: string): number {
  let count = 0;
  for (const mark of block) if ('*_[]'.includes(mark)) count += 1;
  return count;
}

function escapeDeep(row: string): string {
  const indent = /^[ \t]*/.exec(row)?.[0] ?? '';
  const near =
    indent.length > FURTHEST ? indent.slice(0, FURTHEST) + row.slice(indent.length) : row;
  const markers = MARKERS.exec(near)?.[0] ?? '';
  const ends = [...markers.matchAll(MARKER)].map((match) => match.index + match[0].length);
  const end = ends[DEEPEST - 1];
  if (end === undefined || ends.length === DEEPEST) return near;
  const rest = near.slice(end).trimStart();
  // Below `DEEPEST` lists and quotations, escape the sign of a further one, such as `-` or `>`. In a numbered item
  // (`1.`), put the backslash after the digits.
  const escaped = rest.replace(/^(\d*)(?=.)/, '$1\\');
  return `${near.slice(0, end)} ${escaped}`;
}

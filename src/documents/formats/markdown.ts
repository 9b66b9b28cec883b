/** Converts HTML to Markdown whose lines can be cited: prose is wrapped, and each table row is one line. */
import TurndownService from 'turndown';
import type { Element } from './dom.ts';
import { tidyLines, wrapProse } from './words.ts';

const service = new TurndownService({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
});
// Do not escape: quotations are looked up in this text, and the document does not contain the backslashes.
service.escape = (text) => text;
service.addRule('table', {
  filter: 'table',
  replacement: (_, node) => `\n\n${tableRows(node as unknown as Element)}\n\n`,
});
service.addRule('picture', {
  filter: ['img', 'svg', 'video', 'audio', 'canvas', 'iframe', 'object'],
  replacement: (_, node) => formatPicture('alt' in node ? String(node.alt ?? '') : ''),
});
// Drop link targets: they are not part of what the document says.
service.addRule('link', { filter: 'a', replacement: (content) => content });

/**
 * Maximum length of a picture's alternative text, in characters. Descriptions that are written for readers
 * are shorter; those of formulas may be as long.
 */
const LONGEST_ALT = 300;

/**
 * Returns a picture's alternative text, marked as such because readers of the document see the picture
 * instead: `[picture: a lighthouse]`. Empty if the picture has none.
 */
function formatPicture(alt: string): string {
  const text = alt.replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  const signs = [...text];
  return `[picture: ${signs.length <= LONGEST_ALT ? text : `${signs.slice(0, LONGEST_ALT).join('').trimEnd()}…`}]`;
}

/** Converts an HTML element to Markdown. */
export function toMarkdown(element: Element): string {
  return wrapProse(service.turndown(element as never));
}

function tableRows(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children]
      .filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH')
      .map((cell) =>
        tidyLines([(cell.textContent ?? '').replace(/\s+/g, ' ')])
          .join(' ')
          .replaceAll('|', '/'),
      ),
  );
  return rows
    .filter((cells) => cells.length > 0)
    .flatMap((cells, at) => [
      `| ${cells.join(' | ')} |`,
      ...(at === 0 ? [`|${' --- |'.repeat(cells.length)}`] : []),
    ])
    .join('\n');
}

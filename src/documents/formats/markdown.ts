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
  filter: ['img', 'picture', 'svg', 'video', 'audio', 'canvas', 'iframe', 'object'],
  replacement: (_, node) => ('alt' in node && typeof node.alt === 'string' ? node.alt : ''),
});
// Drop link targets: they are not part of what the document says.
service.addRule('link', { filter: 'a', replacement: (content) => content });

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

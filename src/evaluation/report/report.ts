/** Makes the report of an evaluation, as Markdown and as an HTML page from the same parts. */

import { formatDocument } from '../../html-report/page-file.ts';
import type { Block, Cell, Table } from '../../html-report/parts.ts';
import { formatTable, words } from '../../plain/markdown.ts';
import { fenced } from '../../text/markdown/blocks.ts';
import type { Header } from '../header.ts';
import type { Outcome } from '../outcome.ts';
import { analyse } from '../statistics/analysis.ts';
import { openingOf } from './opening.ts';
import { sectionsOf } from './sections.ts';

/**
 * Makes the report as Markdown.
 * @throws Error if the outcomes cannot be in one report, because a model changed meanwhile
 */
export function markdownReport(header: Header, outcomes: readonly Outcome[]): string {
  const analysis = analyse(header, outcomes);
  const { title, first, why, lines } = openingOf(header, analysis);
  return [
    `# ${words(title)}`,
    `**${words(first)}**`,
    ...why.map(words),
    lines.map((one) => `- ${words(one)}`).join('\n'),
    ...sectionsOf(header, analysis).flatMap(({ title: heading, blocks }) => [
      `## ${words(heading)}`,
      ...blocks.map(inMarkdown),
    ]),
    '',
  ].join('\n\n');
}

/**
 * Makes the report as one HTML file without scripts or links to other files.
 * @throws Error under the same conditions as `markdownReport`
 */
export function htmlReport(header: Header, outcomes: readonly Outcome[]): string {
  const analysis = analyse(header, outcomes);
  const { title, first, why, lines, hasVerdict } = openingOf(header, analysis);
  return formatDocument({
    meta: ['evaluation', header.set, header.startedAt.slice(0, 10)],
    ...(!hasVerdict && { badge: 'No verdict' }),
    title,
    answers: [
      {
        title: 'Verdict',
        text: first,
        ...(hasVerdict ? { heard: [...why, ...lines] } : { warnings: why, heard: lines }),
      },
    ],
    sections: sectionsOf(header, analysis),
    footer:
      'Written by deliberate from the log of an evaluation. This file loads nothing and runs nothing.',
  });
}

/** Formats a block: this program's own text, tables, and names shown literally. */
function inMarkdown(block: Block): string {
  switch (block.kind) {
    case 'markdown':
      return block.text;
    case 'table':
      return tableInMarkdown(block.table);
    case 'verbatim':
      return fenced(block.text);
    case 'folded':
      return block.blocks.map(inMarkdown).join('\n\n');
    case 'vote':
    case 'graph':
      return '';
  }
}

function tableInMarkdown({ about, head, rows }: Table): string {
  const cell = (of: string | Cell): string =>
    typeof of === 'string' ? words(of) : [of.text, ...(of.below ?? [])].map(words).join('; ');
  return `${words(about)}\n\n${formatTable(
    head.map(words),
    rows.map(({ cells }) => cells.map(cell)),
  )}`;
}

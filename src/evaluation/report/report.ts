/** Makes the report of an evaluation, as Markdown and as an HTML page from the same parts. */

import { formatDocument } from '../../html-report/page-file.ts';
import { sectionsText } from '../../plain/blocks-text.ts';
import { escapeLine } from '../../plain/markdown.ts';
import type { Header } from '../header.ts';
import type { Outcome } from '../outcome.ts';
import { analyseEvaluation } from '../statistics/analysis.ts';
import { openingOf } from './opening.ts';
import { sectionsOf } from './sections.ts';

/**
 * Makes the report as Markdown.
 * @throws Error if a server put another model under a name meanwhile, or if an answer occurs twice
 */
export function markdownReport(header: Header, outcomes: readonly Outcome[]): string {
  const analysis = analyseEvaluation(header, outcomes);
  const { title, first, why, lines } = openingOf(header, analysis);
  return [
    `# ${escapeLine(title)}`,
    `**${escapeLine(first)}**`,
    ...why.map(escapeLine),
    lines.map((line) => `- ${escapeLine(line)}`).join('\n'),
    ...sectionsText(sectionsOf(header, analysis)),
    '',
  ].join('\n\n');
}

/**
 * Makes the report as one HTML file without scripts or links to other files.
 * @throws Error under the same conditions as `markdownReport`
 */
export function htmlReport(header: Header, outcomes: readonly Outcome[]): string {
  const analysis = analyseEvaluation(header, outcomes);
  const { title, first, why, lines, hasVerdict } = openingOf(header, analysis);
  return formatDocument({
    meta: ['evaluation', header.set, header.startedAt.slice(0, 10)],
    ...(!hasVerdict && { badge: 'No verdict' }),
    title,
    answers: [
      {
        title: 'Verdict',
        text: first,
        ...(hasVerdict ? { basisLines: [...why, ...lines] } : { warnings: why, basisLines: lines }),
      },
    ],
    sections: sectionsOf(header, analysis),
    footer:
      'Written by deliberate from the log of an evaluation. This file loads nothing and runs nothing.',
  });
}

/** Formats a run as Markdown, for `show` and `export`. */

import { ON_PLAN } from '../kernel/providers/spec.ts';
import { markInterrupted, type RunView, viewOf } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { questionTitle } from '../text/answers/first-sentence.ts';
import { formatMs, formatTokens, formatUsd } from '../text/numbers.ts';
import { makeSection, type RunReport } from './blocks.ts';
import { answersText, sectionsText } from './blocks-text.ts';
import { attachmentNames, citationSection } from './citations.ts';
import { formatCosts } from './costs.ts';
import { decisionSections } from './decisions.ts';
import { formatGaps } from './gaps.ts';
import { iterationBullets } from './iteration-log.ts';
import { lookupSection } from './lookups.ts';
import { escapeLine, formatQuotation, formatTable } from './markdown.ts';
import { findWarning } from './naming.ts';
import type { ProtocolReport } from './protocol-text.ts';

/**
 * Formats a run as a Markdown report.
 *
 * @param report builds the protocol's part
 * @param known the status from the database, which knows of interrupted runs; default: from the
 *   facts
 */
export function formatReport(
  facts: readonly AnyFact[],
  report: Pick<ProtocolReport, 'build'>,
  known?: string,
): string {
  const { view, status, answers, sections, meanings } = collectReport(facts, report, known);
  const warning = findWarning(view);
  const title = questionTitle(view.question);
  return `${[
    `# ${escapeLine(title)}`,
    ...(warning === undefined ? [] : [`**${warning}**`]),
    ...answersText(answers),
    ...(title === view.question.trim() ? [] : ['## Question', formatQuotation(view.question)]),
    formatHeader(view, status),
    formatPanel(view),
    ...sectionsText(sections, meanings),
  ].join('\n\n')}\n`;
}

/** The content of a run's report, in whichever form it is written. */
interface WholeReport extends Pick<RunReport, 'answers' | 'sections' | 'meanings'> {
  readonly view: RunView;
  readonly status: string;
}

/**
 * Collects the content of a run's report: the parts that its protocol builds, and what every run has, such as
 * decisions, citations and costs.
 *
 * @param report builds the protocol's part
 * @param known the status from the database, which knows of interrupted runs; default: from the
 *   facts
 */
export function collectReport(
  facts: readonly AnyFact[],
  report: Pick<ProtocolReport, 'build'>,
  known?: string,
): WholeReport {
  const rests = known === 'interrupted' || known === 'queued';
  const view = rests ? markInterrupted(viewOf(facts)) : viewOf(facts);
  const status = known ?? view.status;
  // The protocol adds nothing to the report of a run that never began.
  const { answers, sections, meanings, quoted, missing }: RunReport =
    view.seq === 0 ? { answers: [], sections: [], missing: [] } : report.build({ facts, view });
  return {
    view,
    status,
    answers,
    meanings,
    sections: [
      ...sections,
      ...decisionSections(facts, view),
      citationSection(view, quoted),
      lookupSection(facts, view),
      makeSection('What is missing', missing === undefined ? '' : formatGaps(missing, status)),
      makeSection('Iteration log', iterationBullets(view)),
      makeSection('Costs', formatCosts(facts, view)),
    ],
  };
}

/** Formats a table that describes the run: status, time, cost. */
export function formatHeader(view: RunView, status: string): string {
  const { usage, costUsd, unpriced } = view;
  const reason = view.reason === undefined ? '' : ` (${escapeLine(view.reason)})`;
  const took = Date.parse(view.endedAt ?? '') - Date.parse(view.attemptAt);
  const attachments = attachmentNames(view);
  const own = Object.values(view.calls).filter(({ inherited }) => inherited !== true);
  const price =
    own.length > 0 && own.every(({ onPlan }) => onPlan === true)
      ? ON_PLAN
      : unpriced > 0 && costUsd === 0
        ? 'price not known'
        : `${unpriced > 0 ? 'at least ' : ''}${formatUsd(costUsd, usage.estimated)}`;
  return formatTable(
    [`run`, view.id],
    [
      ['protocol', escapeLine(view.protocol)],
      ['started', `${view.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
      ['status', `${status}${reason}`],
      ...(Number.isNaN(took)
        ? []
        : [[view.attemptAt === view.startedAt ? 'took' : 'last attempt took', formatMs(took)]]),
      [
        'tokens',
        `${formatTokens(usage.input, usage.estimated)} in, ${formatTokens(usage.output, usage.estimated)} out, ${price}`,
      ],
      ...(attachments === '' ? [] : [['attachments', escapeLine(attachments)]]),
      ...(view.parent === undefined ? [] : [['forked from', escapeLine(view.parent)]]),
    ],
  );
}

/** Formats a table of the seats with their roles and models. */
export function formatPanel({ seats }: RunView): string {
  return formatTable(
    ['seat', 'role', 'model'],
    seats.map(({ title, role, model }) => [escapeLine(title), escapeLine(role), escapeLine(model)]),
  );
}

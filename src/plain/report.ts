/** Formats a run as Markdown, for `show` and `export`. */

import { ON_PLAN } from '../kernel/providers/spec.ts';
import { markInterrupted, type RunView, viewOf } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { questionTitle } from '../text/answers/first-sentence.ts';
import { formatMs, formatTokens, formatUsd } from '../text/numbers.ts';
import { attachmentNames, formatCitations } from './citations.ts';
import { formatCosts } from './costs.ts';
import { decisionSections } from './decisions.ts';
import { iterationBullets } from './iteration-log.ts';
import { formatLookups } from './lookups.ts';
import { formatQuotation, formatTable, words } from './markdown.ts';
import { findWarning } from './naming.ts';
import type { ProtocolText, Recorded, ReportParts } from './protocol-text.ts';

/**
 * Formats a run as a Markdown report.
 *
 * @param text the texts of the run's protocol
 * @param status the status from the database, which knows of interrupted runs; default: from the
 *   facts
 */
export function formatReport(
  facts: readonly AnyFact[],
  text: ProtocolText,
  status?: string,
): string {
  const rests = status === 'interrupted' || status === 'queued';
  const view = rests ? markInterrupted(viewOf(facts)) : viewOf(facts);
  const warning = findWarning(view);
  const {
    lead = [],
    sections,
    quoted: passages,
    missing,
    after = [],
  } = reportParts({ facts, view }, text);
  const title = questionTitle(view.question);
  return `${[
    `# ${words(title)}`,
    ...(warning === undefined ? [] : [`**${warning}**`]),
    ...lead,
    ...(title === view.question.trim() ? [] : ['## Question', formatQuotation(view.question)]),
    formatHeader(view, status ?? view.status),
    formatPanel(view),
    ...sections,
    ...decisionSections(facts, view),
    ...formatCitations(view, passages),
    ...formatLookups(facts, view),
    ...(missing === undefined
      ? []
      : ['## What is missing', formatGaps(missing, status ?? view.status)]),
    ...(view.iterations === undefined ? [] : ['## Iteration log', iterationBullets(view)]),
    '## Costs',
    formatCosts(facts, view),
    ...after,
  ].join('\n\n')}\n`;
}

/** Returns the parts of the report; for a run that never began, only that it is missing. */
function reportParts(run: Recorded, text: ProtocolText): ReportParts {
  return run.view.seq === 0 ? { sections: [], missing: [] } : text.report(run);
}

/** Formats a table that describes the run: status, time, cost. */
export function formatHeader(view: RunView, status: string): string {
  const { usage, costUsd, unpriced } = view;
  const reason = view.reason === undefined ? '' : ` (${words(view.reason)})`;
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
      ['protocol', words(view.protocol)],
      ['started', `${view.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
      ['status', `${status}${reason}`],
      ...(Number.isNaN(took)
        ? []
        : [[view.attemptAt === view.startedAt ? 'took' : 'last attempt took', formatMs(took)]]),
      [
        'tokens',
        `${formatTokens(usage.input, usage.estimated)} in, ${formatTokens(usage.output, usage.estimated)} out, ${price}`,
      ],
      ...(attachments === '' ? [] : [['attachments', words(attachments)]]),
      ...(view.parent === undefined ? [] : [['forked from', words(view.parent)]]),
    ],
  );
}

/** Formats a table of the seats and their models. */
export function formatPanel({ seats }: RunView): string {
  return formatTable(
    ['seat', 'role', 'model'],
    seats.map(({ title, role, model }) => [words(title), words(role), words(model)]),
  );
}

function describeEnd(status: string): string {
  return status === 'failed' ? 'The run failed' : `The run is ${status}`;
}

/**
 * Formats what the run lacks as a Markdown list; "Nothing." if nothing is missing.
 *
 * @param status the run's status: a run that is not `done` lacks its end
 */
export function formatGaps(missing: readonly string[], status: string): string {
  const ending =
    status === 'done' ? [] : [`${describeEnd(status)}; the report ends where it stopped.`];
  const all = [...ending, ...missing];
  return all.length === 0 ? 'Nothing.' : all.map((one) => `- ${one}`).join('\n');
}

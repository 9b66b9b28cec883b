/** A run as Markdown: what `show` prints and `export` writes, fit to send to a colleague. */

import { ON_PLAN } from '../kernel/providers/spec.ts';
import { markInterrupted, type RunView, viewOf } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { questionTitle } from '../text/answers/first-sentence.ts';
import { formatMs, formatTokens, formatUsd } from '../text/numbers.ts';
import { attachmentNames, citations } from './citations.ts';
import { costSection } from './costs.ts';
import { decisionSections } from './decisions.ts';
import { iterationBullets } from './iteration-log.ts';
import { lookups } from './lookups.ts';
import { quote, table, words } from './markdown.ts';
import { warningOf } from './naming.ts';
import type { ProtocolText, Recorded, ReportParts } from './protocol-text.ts';

/**
 * `text`: of the run's protocol. `status` says more than the log can: `interrupted` where the run's
 * process died.
 */
export function report(facts: readonly AnyFact[], text: ProtocolText, status?: string): string {
  const rests = status === 'interrupted' || status === 'queued';
  const view = rests ? markInterrupted(viewOf(facts)) : viewOf(facts);
  const warning = warningOf(view);
  const {
    lead = [],
    sections,
    quoted: passages,
    missing,
    after = [],
  } = partsOf({ facts, view }, text);
  const title = questionTitle(view.question);
  return `${[
    `# ${words(title)}`,
    ...(warning === undefined ? [] : [`**${warning}**`]),
    ...lead,
    ...(title === view.question.trim() ? [] : ['## Question', quote(view.question)]),
    header(view, status ?? view.status),
    panel(view),
    ...sections,
    ...decisionSections(facts, view),
    ...citations(view, passages),
    ...lookups(facts, view),
    ...(missing === undefined ? [] : ['## What is missing', gaps(missing, status ?? view.status)]),
    ...(view.iterations === undefined ? [] : ['## Iteration log', iterationBullets(view)]),
    '## Costs',
    costSection(facts, view),
    ...after,
  ].join('\n\n')}\n`;
}

/** Of a run that never began nothing can be said but that it is missing. */
function partsOf(run: Recorded, text: ProtocolText): ReportParts {
  return run.view.seq === 0 ? { sections: [], missing: [] } : text.report(run);
}

/** What the run was, as a table. */
export function header(view: RunView, status: string): string {
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
  return table(
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

/** Who sat on it, as a table. */
export function panel({ seats }: RunView): string {
  return table(
    ['seat', 'role', 'model'],
    seats.map(({ title, role, model }) => [words(title), words(role), words(model)]),
  );
}

/** What a reader would otherwise take to be there; above all, an ending. */
export function gaps(missing: readonly string[], status: string): string {
  const ending =
    status === 'done' ? [] : [`The run is ${status}; the report ends where it stopped.`];
  const all = [...ending, ...missing];
  return all.length === 0 ? 'Nothing.' : all.map((one) => `- ${one}`).join('\n');
}

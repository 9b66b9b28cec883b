/** Formats a run as one HTML file: what its protocol builds, and what every run has. */
import type { Prompt } from '../kernel/journal.ts';
import { shortId } from '../kernel/short-id.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { type Answer, makeSection } from '../plain/blocks.ts';
import { formatQuotation } from '../plain/markdown.ts';
import { findWarning } from '../plain/naming.ts';
import type { ProtocolReport } from '../plain/protocol-text.ts';
import { collectReport, formatHeader, formatPanel } from '../plain/report.ts';
import { questionTitle } from '../text/answers/first-sentence.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { formatDocument, type PageSection } from './page-file.ts';
import { formatPrompts } from './prompts.ts';

interface PageOptions {
  /** The status from the store; absent: from the facts. */
  readonly status?: string | undefined;
  /** The prompt of each attempt at a call; absent if it was not recorded. */
  readonly prompts?: ReadonlyMap<string, Prompt> | undefined;
}

/**
 * Formats a run as one HTML page.
 *
 * @param report builds the part of the page that depends on the run's protocol
 */
export function formatPage(
  facts: readonly AnyFact[],
  report: ProtocolReport,
  { status: known, prompts = new Map() }: PageOptions = {},
): string {
  const { view, status, answers, sections } = collectReport(facts, report, known);
  return documentOf(view, status, answers, [
    ...sections,
    makeSection('About this run', formatHeader(view, status), formatPanel(view)),
    { ...makeSection('Prompts', ...formatPrompts(facts, view, prompts)), isPrompts: true },
  ]);
}

function documentOf(
  view: RunView,
  status: string,
  answers: readonly Answer[],
  sections: readonly PageSection[],
): string {
  const title = questionTitle(view.question);
  const warning = findWarning(view);
  const isShortened = title !== view.question.trim();
  return formatDocument({
    meta: [view.protocol, `run ${shortId(view.id)}`, view.startedAt.slice(0, 10), status],
    title,
    ...withoutUndefined({ badge: warning }),
    ...(isShortened && {
      below: {
        title: 'The whole question',
        block: formatQuotation(view.question),
      },
    }),
    answers,
    sections,
    footer: `Written by deliberate from the record of run ${view.id}. This file loads nothing and runs nothing.`,
  });
}

/** Formats a run as one HTML file: what its protocol builds, and what every run has. */
import type { Prompt } from '../kernel/journal.ts';
import { shortId } from '../kernel/short-id.ts';
import { markInterrupted, type RunView, viewOf } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { formatCitations } from '../plain/citations.ts';
import { formatCosts } from '../plain/costs.ts';
import { iterationBullets } from '../plain/iteration-log.ts';
import { formatLookups } from '../plain/lookups.ts';
import { formatQuotation } from '../plain/markdown.ts';
import { findWarning } from '../plain/naming.ts';
import { formatGaps, formatHeader, formatPanel } from '../plain/report.ts';
import { questionTitle } from '../text/answers/first-sentence.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { decisionPageSections } from './decisions.ts';
import { formatDocument, type PageSection } from './page-file.ts';
import type { Answer, PageBuilder, PageParts, Section } from './parts.ts';
import { formatPrompts } from './prompts.ts';
import { toSections } from './sections.ts';

interface PageOptions {
  /** The status from the store; absent: from the facts. */
  readonly status?: string | undefined;
  /** The prompt of each attempt at a call; absent if it was not recorded. */
  readonly prompts?: ReadonlyMap<string, Prompt> | undefined;
}

/**
 * Formats a run as one HTML page.
 *
 * @param build builds the parts of the page that depend on the protocol
 */
export function formatPage(
  facts: readonly AnyFact[],
  build: PageBuilder,
  { status, prompts = new Map() }: PageOptions = {},
): string {
  const rests = status === 'interrupted' || status === 'queued';
  const view = rests ? markInterrupted(viewOf(facts)) : viewOf(facts);
  // The page of a run that never began has no answers and no sections.
  const parts: PageParts =
    view.seq === 0 ? { answers: [], sections: [], missing: [] } : build({ facts, view });
  const how = status ?? view.status;
  const told = formatPrompts(facts, view, prompts);
  const sections: PageSection[] = [
    ...parts.sections,
    ...decisionPageSections(facts, view),
    ...toSections([...formatCitations(view, parts.quoted ?? []), ...formatLookups(facts, view)]),
    ...(parts.missing === undefined
      ? []
      : [markdownSection('What is missing', formatGaps(parts.missing, how))]),
    ...(view.iterations === undefined
      ? []
      : [markdownSection('Iteration log', iterationBullets(view))]),
    markdownSection('Costs', formatCosts(facts, view)),
    markdownSection('About this run', formatHeader(view, how), formatPanel(view)),
    ...(told.length === 0 ? [] : [{ title: 'Prompts', blocks: told, isPrompts: true }]),
  ];
  return documentOf(view, how, parts.answers, sections);
}

function markdownSection(title: string, ...texts: readonly string[]): Section {
  return { title, blocks: texts.map((text) => ({ kind: 'markdown', text })) };
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
        block: { kind: 'markdown', text: formatQuotation(view.question) },
      },
    }),
    answers,
    sections,
    footer: `Written by deliberate from the record of run ${view.id}. This file loads nothing and runs nothing.`,
  });
}

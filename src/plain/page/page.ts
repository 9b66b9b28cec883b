/**
 * A run as one HTML file, to send and to keep: it loads nothing, runs nothing, and is read without either.
 * Its policy for browsers allows nothing but the one style that stands in it, by its hash.
 */
import { createHash } from 'node:crypto';
import type { Prompt } from '../../kernel/journal.ts';
import { shortId } from '../../kernel/short-id.ts';
import { interrupt, type RunView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { questionTitle } from '../../text/answers/first-sentence.ts';
import { citations } from '../citations.ts';
import { costSection } from '../costs.ts';
import { looked } from '../looked.ts';
import { quote } from '../markdown.ts';
import { warningOf } from '../naming.ts';
import { gaps, header, panel } from '../report.ts';
import { addAnchors, blockHtml, Styles } from './blocks.ts';
import { Anchors, escapeLine } from './html.ts';
import type { Answer, PageBuilder, PageParts, Section } from './parts.ts';
import { promptBlocks } from './prompts.ts';
import { sectionsOf } from './sections.ts';
import { STYLE } from './style.ts';

export interface PageOptions {
  /** As the store knows it; absent: as the facts say. */
  readonly status?: string | undefined;
  /** What each attempt at a call was asked; absent where that is not on record. */
  readonly prompts?: ReadonlyMap<string, Prompt> | undefined;
}

/** `build`: of the run's protocol. */
export function htmlReport(
  facts: readonly AnyFact[],
  build: PageBuilder,
  { status, prompts = new Map() }: PageOptions = {},
): string {
  const rests = status === 'interrupted' || status === 'queued';
  const view = rests ? interrupt(viewOf(facts)) : viewOf(facts);
  // Of a run that never began nothing can be said but that it is missing.
  const parts: PageParts =
    view.seq === 0 ? { answers: [], sections: [], missing: [] } : build({ facts, view });
  const how = status ?? view.status;
  const told = promptBlocks(facts, view, prompts);
  const sections: Section[] = [
    ...parts.sections,
    ...sectionsOf([...citations(view, parts.quoted ?? []), ...looked(facts, view)]),
    ...(parts.missing === undefined
      ? []
      : [markdownSection('What is missing', gaps(parts.missing, how))]),
    markdownSection('Costs', costSection(facts, view)),
    markdownSection('About this run', header(view, how), panel(view)),
    ...(told.length === 0 ? [] : [{ title: 'Prompts', blocks: told }]),
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
  sections: readonly Section[],
): string {
  const anchors = new Anchors();
  const styles = new Styles();
  addAnchors(sections, anchors);
  const title = questionTitle(view.question);
  const warning = warningOf(view);
  const isShortened = title !== view.question.trim();
  const whole = { kind: 'markdown', text: quote(view.question) } as const;
  const body = [
    '<header>',
    `<p class="meta">${escapeLine(view.protocol)} · run ${escapeLine(shortId(view.id))} · ${escapeLine(view.startedAt.slice(0, 10))} · ${escapeLine(status)}</p>`,
    ...(warning === undefined ? [] : [`<p class="badge">${escapeLine(warning)}</p>`]),
    `<h1>${escapeLine(title)}</h1>`,
    ...(isShortened
      ? [
          `<details><summary>The whole question</summary>\n${blockHtml(whole, anchors, styles)}\n</details>`,
        ]
      : []),
    ...answers.map((one) => answerHtml(one, anchors, styles)),
    '</header>',
    `<nav aria-label="Sections"><ul>${sections.map((one, at) => `<li><a href="#s${at + 1}">${escapeLine(one.title)}</a></li>`).join('')}</ul></nav>`,
    '<main>',
    ...sections.map(({ title: heading, blocks }, at) => {
      const isPrompts = heading === 'Prompts' && at === sections.length - 1;
      const inner = blocks.map((block) => blockHtml(block, anchors, styles)).join('\n');
      return `<section${isPrompts ? ' class="prompts"' : ''} id="s${at + 1}"><h2>${anchors.link(escapeLine(heading))}</h2>\n${inner}\n</section>`;
    }),
    '</main>',
    `<footer>Written by deliberate from the record of run ${escapeLine(view.id)}. This file loads nothing and runs nothing.</footer>`,
  ].join('\n');
  const style = `${STYLE}${styles.text}`;
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeLine(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    body,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function answerHtml(
  { title, text, heard, warnings = [], votes = [] }: Answer,
  anchors: Anchors,
  styles: Styles,
): string {
  return [
    '<section class="answer">',
    `<h2>${escapeLine(title)}</h2>`,
    ...(text === undefined ? [] : [`<p class="says">${anchors.link(escapeLine(text))}</p>`]),
    ...warnings.map((one) => `<p class="warning">${anchors.link(escapeLine(one))}</p>`),
    ...heard.map((one) => `<p class="heard">${escapeLine(one)}</p>`),
    ...votes.map((vote) => blockHtml({ kind: 'vote', vote }, anchors, styles)),
    '</section>',
  ].join('\n');
}

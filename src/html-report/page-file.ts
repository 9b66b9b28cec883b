/**
 * Writes a page as one HTML file to send and keep: it loads nothing and has no script. Its content security
 * policy allows only its own style, by hash.
 */
import { createHash } from 'node:crypto';
import { type Answer, type Block, isEmpty, type Section } from '../plain/blocks.ts';
import { addAnchors, formatBlocks, Styles } from './blocks.ts';
import { Anchors, escapeLine } from './html.ts';
import { STYLE } from './style.ts';

/**
 * A section of an HTML page. `isPrompts` marks the section with the prompts of a run, which is not printed.
 */
export type PageSection = Section & { readonly isPrompts?: boolean };

/** The contents of a page, not escaped: blocks are escaped when they are rendered, everything else here. */
interface PageDocument {
  /** Words in a line above the title. */
  readonly meta: readonly string[];
  /** A mark that must be seen first, such as REHEARSAL. */
  readonly badge?: string;
  readonly title: string;
  /** A folded block below the title. */
  readonly below?: { readonly title: string; readonly block: Block };
  readonly answers: readonly Answer[];
  readonly sections: readonly PageSection[];
  readonly footer: string;
}

/** Formats a complete HTML document. Empty sections are left out. */
export function formatDocument({
  meta,
  badge,
  title,
  below,
  answers,
  sections: all,
  footer,
}: PageDocument): string {
  const sections = all.filter((section) => !isEmpty(section));
  const anchors = new Anchors();
  const styles = new Styles();
  addAnchors(sections, anchors);
  const body = [
    '<header>',
    `<p class="meta">${meta.map(escapeLine).join(' · ')}</p>`,
    ...(badge === undefined ? [] : [`<p class="badge">${escapeLine(badge)}</p>`]),
    `<h1>${escapeLine(title)}</h1>`,
    ...(below === undefined
      ? []
      : [
          `<details><summary>${escapeLine(below.title)}</summary>\n${formatBlocks([below.block], anchors, styles)}\n</details>`,
        ]),
    ...answers.map((answer) => answerHtml(answer, anchors, styles)),
    '</header>',
    `<nav aria-label="Sections"><ul>${sections.map((section, at) => `<li><a href="#s${at + 1}">${escapeLine(section.short ?? section.title)}</a></li>`).join('')}</ul></nav>`,
    '<main>',
    ...sections.map(({ title: heading, blocks, isPrompts = false }, at) => {
      const inner = formatBlocks(blocks, anchors, styles);
      return `<section${isPrompts ? ' class="prompts"' : ''} id="s${at + 1}"><h2>${anchors.link(escapeLine(heading))}</h2>\n${inner}\n</section>`;
    }),
    '</main>',
    `<footer>${escapeLine(footer)}</footer>`,
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
  { question, title, text, basisLines: heard, warnings = [], votes = [] }: Answer,
  anchors: Anchors,
  styles: Styles,
): string {
  return [
    '<section class="answer">',
    `<h2>${escapeLine(question ?? title)}</h2>`,
    ...(text === undefined ? [] : [`<p class="says">${anchors.link(escapeLine(text))}</p>`]),
    ...warnings.map((warning) => `<p class="warning">${anchors.link(escapeLine(warning))}</p>`),
    ...heard.map((sentence) => `<p class="heard">${escapeLine(sentence)}</p>`),
    ...votes.map((vote) => formatBlocks([{ kind: 'vote', vote }], anchors, styles)),
    '</section>',
  ].join('\n');
}

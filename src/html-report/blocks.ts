/** Renders the blocks of a page as HTML, and collects the style rules that some of them need. */
import {
  type Block,
  type Cell,
  type Choice,
  isEmpty,
  type Row,
  type Section,
  SIGNS,
  type Table,
  toCell,
  type Vote,
} from '../plain/blocks.ts';
import { nestHeadings } from '../plain/markdown.ts';
import { drawGraph, graphTable } from './drawn.ts';
import { type Anchors, escapeLine, escapeText } from './html.ts';
import { renderMarkdown, SCROLL } from './rendered.ts';

/** Collects the style rules of a page and makes unique names for its classes and ids. */
export class Styles {
  #rules: string[] = [];
  #count = 0;

  /** Returns a new name, for a class or an id, that begins with the prefix. */
  name(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  /** Adds a rule. */
  add(rule: string): void {
    this.#rules.push(rule);
  }

  /** All rules, each on a line. */
  get text(): string {
    return this.#rules.join('\n');
  }
}

/** The level of the headings of sections. */
const SECTION_LEVEL = 2;

/**
 * Formats the blocks of a section as HTML. Empty blocks are left out.
 *
 * @param anchors the link targets of the page; ids in Markdown and in cells of tables become links to them
 * @param styles the style rules of the page; the rules that the blocks need are added to them
 * @param level the level of the heading above the blocks
 */
export function formatBlocks(
  blocks: readonly Block[],
  anchors: Anchors,
  styles: Styles,
  level = SECTION_LEVEL,
): string {
  return blocks
    .filter((block) => !isEmpty(block))
    .map((block) => formatBlock(block, anchors, styles, level))
    .join('\n');
}

function formatBlock(block: Block, anchors: Anchors, styles: Styles, level: number): string {
  if (typeof block === 'string') return `<div class="text">${renderMarkdown(block, anchors)}</div>`;
  switch (block.kind) {
    case 'said':
      return `<div class="text"${idOf(block.anchor, anchors)}>${renderMarkdown(nestHeadings(block.text, level), anchors)}</div>`;
    case 'verbatim':
      return `<pre>${escapeText(block.text)}</pre>`;
    case 'table':
      return tableHtml(block.table, anchors, styles);
    case 'vote':
      return voteHtml(block.vote);
    case 'graph': {
      const { html, style } = drawGraph(block.graph, anchors, styles.name('graph'));
      styles.add(style);
      const table = tableHtml(graphTable(block.graph), anchors, styles);
      return `${html}\n<details class="off-paper"><summary>The same as a table</summary>\n${table}\n</details>`;
    }
    case 'section':
      return sectionHtml(block, anchors, styles, Math.min(6, level + 1));
  }
}

/** `level`: the level of the section's heading. */
function sectionHtml(section: Section, anchors: Anchors, styles: Styles, level: number): string {
  const { title, blocks, anchor, isFolded = false } = section;
  const id = idOf(anchor, anchors);
  const inner = formatBlocks(blocks, anchors, styles, level);
  if (!isFolded) return `<h${level}${id}>${anchors.link(escapeLine(title))}</h${level}>\n${inner}`;
  // If a folded section contains sections or texts, which may have headings, make its title a heading. Otherwise,
  // a level of headings would be missing.
  const isHeading = blocks.some(
    (block) => typeof block !== 'string' && (block.kind === 'section' || block.kind === 'said'),
  );
  const summary = isHeading ? `<h${level}>${escapeLine(title)}</h${level}>` : escapeLine(title);
  return `<details${id}><summary>${summary}</summary>\n${inner}\n</details>`;
}

function idOf(anchor: string | undefined, anchors: Anchors): string {
  return anchor === undefined ? '' : ` id="${anchors.add(anchor)}"`;
}

/** Registers the ids of all rows, texts and sections of a page, so that texts can link to them. */
export function addAnchors(blocks: readonly Block[], anchors: Anchors): void {
  for (const block of blocks) {
    if (typeof block === 'string') continue;
    if (block.kind === 'table')
      for (const { anchor } of block.table.rows) if (anchor !== undefined) anchors.add(anchor);
    if ('anchor' in block && block.anchor !== undefined) anchors.add(block.anchor);
    if (block.kind === 'section') addAnchors(block.blocks, anchors);
  }
}

function tableHtml({ about, head, rows }: Table, anchors: Anchors, styles: Styles): string {
  const name = styles.name('table');
  const heads = head.map((title) => title.replace(/^>/, ''));
  const isFigure = head.map((title) => title.startsWith('>'));
  // A CSS rule for each column sets the variable `--head`: on narrow screens, its title is shown in every cell.
  for (const [at, title] of heads.entries())
    styles.add(`.${name} td:nth-child(${at + 1}){--head:"${cssText(title)}"}`);
  for (const [at, right] of isFigure.entries())
    if (right)
      styles.add(`.${name} :is(th,td):nth-child(${at + 1}){text-align:right;white-space:nowrap}`);
  return [
    `${SCROLL}<table class="rows ${name}">${about === '' ? '' : `<caption>${escapeLine(about)}</caption>`}`,
    `<thead><tr>${heads.map(headCell).join('')}</tr></thead>`,
    `<tbody>\n${[...Map.groupBy(rows, ({ group }) => group)]
      .flatMap(([group, own]) => [
        ...(group === undefined ? [] : [groupHtml(group, own.length, head.length)]),
        ...own.map((row) => rowHtml(row, anchors)),
      ])
      .join('\n')}\n</tbody></table></div>`,
  ].join('\n');
}

/** The heading of a group of rows, over all columns. */
function groupHtml(title: string, rows: number, columns: number): string {
  return `<tr><th scope="rowgroup" colspan="${columns}">${escapeLine(title)} (${rows})</th></tr>`;
}

function rowHtml({ anchor, cells }: Row, anchors: Anchors): string {
  return `<tr${idOf(anchor, anchors)}>${cells.map((cell, at) => cellHtml(cell, anchors, at === 0 ? anchor : undefined)).join('')}</tr>`;
}

/**
 * Renders a cell.
 * @param own the id of the row, which is not linked to itself
 */
function cellHtml(cell: string | Cell, anchors: Anchors, own: string | undefined): string {
  const { text, tone, below = [] }: Cell = toCell(cell);
  const words = own === text ? escapeLine(text) : anchors.link(escapeLine(text));
  const said =
    tone === undefined ? words : `<span class="t-${tone}">${SIGNS[tone]} ${words}</span>`;
  const small = below.map((line) => `<small>${anchors.link(escapeLine(line))}</small>`).join('');
  return `<td>${said}${small}</td>`;
}

function voteHtml({ title, choices, notes }: Vote): string {
  const most = Math.max(1, ...choices.map(({ votes }) => votes));
  return [
    `<figure class="vote"><figcaption>${escapeLine(title)}</figcaption>`,
    ...(choices.length === 0
      ? []
      : [`<ul>${choices.map((choice) => choiceHtml(choice, most)).join('')}</ul>`]),
    ...notes.map((note) => `<p class="note">${escapeLine(note)}</p>`),
    '</figure>',
  ].join('\n');
}

/** Renders a choice. The bar only repeats the number beside it. */
function choiceHtml({ option, votes, seats, worth, also = [] }: Choice, most: number): string {
  const wide = Math.round((votes / most) * 100);
  const value = worth === undefined ? '' : `; worth ${worth.toFixed(1)}`;
  const other = also.length === 0 ? '' : ` <small>also ${escapeLine(also.join(', '))}</small>`;
  return `<li><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${wide}" height="8"/></svg><b>${votes}</b><span>${escapeLine(option)}${other} <small>${escapeLine(seats.join(', '))}${value}</small></span></li>`;
}

/** Escapes text for a CSS string: letters, digits and spaces stay, other characters become numbers. */
function cssText(text: string): string {
  return [...text]
    .map((character) =>
      /[A-Za-z0-9 ]/.test(character) ? character : `\\${character.codePointAt(0)?.toString(16)} `,
    )
    .join('');
}

/**
 * Renders a header cell. A column without a name gets a plain cell, because screen readers would announce an
 * empty header.
 */
function headCell(name: string): string {
  return name === '' ? '<td></td>' : `<th scope="col">${escapeLine(name)}</th>`;
}

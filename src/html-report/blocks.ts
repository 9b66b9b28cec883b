/** The blocks of a page as HTML, and the rules of style that some of them need. */
import { drawGraph, graphTable } from './drawn.ts';
import { type Anchors, escapeLine, escapeText } from './html.ts';
import type { Block, Cell, Choice, Row, Section, Table, Vote } from './parts.ts';
import { rendered, SCROLL } from './rendered.ts';
import { SIGNS } from './signs.ts';

/** What blocks add to the page's style: names are given here, so that no two are one. */
export class Styles {
  #rules: string[] = [];
  #count = 0;

  name(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  add(rule: string): void {
    this.#rules.push(rule);
  }

  get text(): string {
    return this.#rules.join('\n');
  }
}

export function blockHtml(block: Block, anchors: Anchors, styles: Styles): string {
  switch (block.kind) {
    case 'markdown':
      return `<div class="text"${idOf(block.anchor, anchors)}>${rendered(block.text, anchors)}</div>`;
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
    case 'folded': {
      const inner = block.blocks.map((one) => blockHtml(one, anchors, styles)).join('\n');
      return `<details${idOf(block.anchor, anchors)}><summary>${escapeLine(block.title)}</summary>\n${inner}\n</details>`;
    }
  }
}

function idOf(anchor: string | undefined, anchors: Anchors): string {
  return anchor === undefined ? '' : ` id="${anchors.add(anchor)}"`;
}

/** Every id that something on the page goes by, before anything is written that leads to one. */
export function addAnchors(sections: readonly Section[], anchors: Anchors): void {
  const visit = (block: Block): void => {
    if (block.kind === 'table')
      for (const { anchor } of block.table.rows) if (anchor !== undefined) anchors.add(anchor);
    if ('anchor' in block && block.anchor !== undefined) anchors.add(block.anchor);
    if (block.kind === 'folded') block.blocks.forEach(visit);
  };
  for (const { blocks } of sections) blocks.forEach(visit);
}

function tableHtml({ about, head, rows }: Table, anchors: Anchors, styles: Styles): string {
  const name = styles.name('table');
  const heads = head.map((one) => one.replace(/^>/, ''));
  const isFigure = head.map((one) => one.startsWith('>'));
  // On a narrow screen a row is a card, and each cell says what it is.
  for (const [at, title] of heads.entries())
    styles.add(`.${name} td:nth-child(${at + 1}){--head:"${cssText(title)}"}`);
  for (const [at, right] of isFigure.entries())
    if (right)
      styles.add(`.${name} :is(th,td):nth-child(${at + 1}){text-align:right;white-space:nowrap}`);
  return [
    `${SCROLL}<table class="rows ${name}"><caption>${escapeLine(about)}</caption>`,
    `<thead><tr>${heads.map(headCell).join('')}</tr></thead>`,
    `<tbody>\n${rows.map((row) => rowHtml(row, anchors)).join('\n')}\n</tbody></table></div>`,
  ].join('\n');
}

function rowHtml({ anchor, cells }: Row, anchors: Anchors): string {
  return `<tr${idOf(anchor, anchors)}>${cells.map((cell, at) => cellHtml(cell, anchors, at === 0 ? anchor : undefined)).join('')}</tr>`;
}

/** `own`: the id that the row goes by, which is no link to itself. */
function cellHtml(cell: string | Cell, anchors: Anchors, own: string | undefined): string {
  const { text, tone, below = [] }: Cell = typeof cell === 'string' ? { text: cell } : cell;
  const words = own === text ? escapeLine(text) : anchors.link(escapeLine(text));
  const said =
    tone === undefined ? words : `<span class="t-${tone}">${SIGNS[tone]} ${words}</span>`;
  const small = below.map((one) => `<small>${anchors.link(escapeLine(one))}</small>`).join('');
  return `<td>${said}${small}</td>`;
}

function voteHtml({ title, choices, notes }: Vote): string {
  const most = Math.max(1, ...choices.map(({ votes }) => votes));
  return [
    `<figure class="vote"><figcaption>${escapeLine(title)}</figcaption>`,
    ...(choices.length === 0
      ? []
      : [`<ul>${choices.map((one) => choiceHtml(one, most)).join('')}</ul>`]),
    ...notes.map((one) => `<p class="note">${escapeLine(one)}</p>`),
    '</figure>',
  ].join('\n');
}

/** The bar is a picture of the number beside it, and says nothing of its own. */
function choiceHtml({ option, votes, seats, also = [] }: Choice, most: number): string {
  const wide = Math.round((votes / most) * 100);
  const other = also.length === 0 ? '' : ` <small>also ${escapeLine(also.join(', '))}</small>`;
  return `<li><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${wide}" height="8"/></svg><b>${votes}</b><span>${escapeLine(option)}${other} <small>${escapeLine(seats.join(', '))}</small></span></li>`;
}

/** Text in a string of CSS: letters, digits and spaces stand for themselves, all else goes by its number. */
function cssText(text: string): string {
  return [...text]
    .map((one) => (/[A-Za-z0-9 ]/.test(one) ? one : `\\${one.codePointAt(0)?.toString(16)} `))
    .join('');
}

/** A column without a name has no header: a reader of screens would announce one that says nothing. */
function headCell(name: string): string {
  return name === '' ? '<td></td>' : `<th scope="col">${escapeLine(name)}</th>`;
}

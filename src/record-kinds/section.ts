/** Records in reports: a section as data, which becomes Markdown here and HTML in `html-report`. */
import type { Block, Cell, Section, Table } from '../html-report/parts.ts';
import { SIGNS } from '../html-report/signs.ts';
import { formatTable, words } from '../plain/markdown.ts';
import { list } from '../text/markdown/blocks.ts';
import { detailsText } from './details.ts';
import { cellsOf, type RecordKind } from './kind.ts';

/** The details of a record are below a heading of the third level. */
const DETAILS_LEVEL = 4;
/** The width that details are laid out for in a report, in cells. */
const REPORT_COLUMNS = 100;

/**
 * Returns the report section of a kind of record; empty if there are no records.
 * @param evenIfNone whether, if there are no records, a section is returned that says that there
 * are none
 * @param isTarget whether links to the records lead to this section; true for at most one section
 * of a page
 */
export function recordSection<State, Item>(
  kind: RecordKind<State, Item>,
  state: State,
  {
    evenIfNone = false,
    isTarget = true,
  }: { readonly evenIfNone?: boolean; readonly isTarget?: boolean } = {},
): Section[] {
  const { name, notes = () => [], none, all, details, isWholeInReports } = kind;
  const items = all(state);
  if (items.length === 0 && !evenIfNone) return [];
  const said = notes(state);
  const around = { columns: REPORT_COLUMNS, isAlone: false };
  return [
    {
      title: name,
      blocks: [
        ...(items.length === 0
          ? [markdown(words(none?.(state) ?? ''))]
          : [{ kind: 'table' as const, table: tableOf(kind, items, state, isTarget) }]),
        ...(said.length === 0 ? [] : [markdown(list(said.map(words)))]),
        ...(details === undefined || isWholeInReports !== true
          ? []
          : items.map((item) => ({
              kind: 'folded' as const,
              isHeading: true,
              title: kind.heading(item, state),
              blocks: [markdown(detailsText(details(item, state, around), DETAILS_LEVEL))],
            }))),
      ],
    },
  ];
}

function tableOf<State, Item>(
  { about, columns, id }: RecordKind<State, Item>,
  items: readonly Item[],
  state: State,
  isTarget: boolean,
): Table {
  return {
    about,
    head: columns.map(({ title }) => title),
    rows: items.map((item) => ({
      anchor: isTarget ? id(item) : undefined,
      cells: cellsOf(columns, item, state),
    })),
  };
}

function markdown(text: string): Block {
  return { kind: 'markdown', text };
}

/**
 * Formats sections as paragraphs of Markdown, with headings of the second level. Votes and graphs
 * are left out.
 */
export function sectionsText(sections: readonly Section[]): string[] {
  return sections.flatMap(({ title, blocks }) => {
    const isDetailed = blocks.some(({ kind }) => kind === 'folded');
    return [`## ${words(title)}`, ...blocks.flatMap((block) => blockText(block, isDetailed))];
  });
}

/** `isDetailed`: the text below the cells of a table is repeated in the details further down. */
function blockText(block: Block, isDetailed: boolean): string[] {
  switch (block.kind) {
    case 'markdown':
      return [block.text];
    case 'table':
      return tableText(block.table, isDetailed);
    case 'folded':
      return [
        `### ${words(block.title)}`,
        ...block.blocks.flatMap((one) => blockText(one, isDetailed)),
      ];
    default:
      return [];
  }
}

function tableText({ about, head, rows }: Table, isBrief: boolean): string[] {
  const cellText = (cell: string | Cell): string => {
    const { text, tone, below = [] } = typeof cell === 'string' ? { text: cell } : cell;
    const sign = tone === undefined ? '' : `${SIGNS[tone]} `;
    return `${sign}${[text, ...(isBrief ? [] : below)].map(words).join(' · ')}`;
  };
  return [
    words(about),
    formatTable(
      head,
      rows.map(({ cells }) => cells.map(cellText)),
    ),
  ];
}

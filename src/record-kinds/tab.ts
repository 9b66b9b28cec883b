/** A tab of the console that lists the records of a kind, and what Enter opens of one. */
import type { RunModel } from '../console/model/run-model.ts';
import { OutlinePage } from '../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText, Tab } from '../console/run/tabs/page.ts';
import type { Theme } from '../console/terminal/theme.ts';
import { type Block, SIGNS, type Tone } from '../plain/blocks.ts';
import { blocksText } from '../plain/blocks-text.ts';
import { escapeLine } from '../plain/markdown.ts';
import { toLine } from '../text/line.ts';
import { padEnd, textWidth, truncateLine } from '../text/width.ts';
import { cellsOf, isFigure, plainTitle, type RecordKind } from './kind.ts';
import type { RecordEntry } from './table.ts';

/**
 * The largest width, in cells, of a column of a list, except for the column that takes the rest of
 * the row.
 */
const MOST = 24;
/** The largest width, in cells, of the column in which a text is shown for reading. */
const READING_COLUMNS = 100;
/** Details stand below the title of the text, which is a heading of the first level. */
const TITLE_LEVEL = 1;

/** What a tab reads of a run. `version` is another number whenever the records may have changed. */
interface Source<State> {
  readonly state: (run: RunModel) => State;
  readonly version: (run: RunModel) => number;
}

interface Row {
  readonly text: string;
  readonly figures: readonly string[];
  readonly tone: Tone | undefined;
}

/**
 * Returns the console's tabs for those of the given kinds of records that have a tab.
 * @param shown whether a run has these tabs; default: every run
 */
export function recordTabs<State>(
  table: readonly RecordEntry<State>[],
  source: Source<State>,
  shown: Tab['shown'] = () => true,
): Tab[] {
  return table.flatMap(({ tab, visit }) =>
    tab === undefined
      ? []
      : [
          visit((kind) => ({
            ...tab,
            title: kind.name,
            shown,
            page: (around: PageAround) => recordsPage(around, kind, source),
          })),
        ],
  );
}

/** Returns the content of a tab that lists the records of one kind. `around` gives access to the run's screen. */
export function recordsPage<State, Item>(
  around: PageAround,
  kind: RecordKind<State, Item>,
  { state, version }: Source<State>,
): Page {
  const { runModel } = around;
  const getState = (): State => state(runModel);
  let drawn: Drawn | undefined;
  /**
   * Returns the layout of the whole table of records. It is computed again only if the version of the records or
   * the width of the screen has changed, because every row of every frame asks for it.
   */
  const getLayout = (): Drawn => {
    const key = `${version(runModel)} ${around.size().columns}`;
    if (drawn?.key !== key) drawn = { key, ...drawTable(kind, getState(), around.size().columns) };
    return drawn;
  };
  const rowOf = (item: Item): Row | undefined => getLayout().rows.get(kind.id(item));
  const readItem = (item: Item): ReadText =>
    readRecord(kind, item, getState(), Math.min(READING_COLUMNS, around.size().columns));
  return new OutlinePage<Item>(around, {
    name: kind.name,
    get head(): readonly [string, ...string[]] {
      return getLayout().head;
    },
    above: () => [kind.about, ...(kind.notes?.(getState()) ?? [])],
    get empty(): string {
      return kind.none?.(getState()) ?? 'None yet.';
    },
    version: () => version(runModel),
    lines: (query) =>
      kind.all(getState()).filter((item) => rowOf(item)?.text.toLowerCase().includes(query)),
    row: (item) => rowOf(item) ?? { text: '', figures: [] },
    tinted: (item, row, theme) => tintRow(rowOf(item)?.tone, row, theme),
    copyable: readItem,
    read: readItem,
  });
}

interface Drawn {
  readonly key: string;
  readonly head: readonly [string, ...string[]];
  /** By the id of the record. */
  readonly rows: ReadonlyMap<string, Row>;
}

function drawTable<State, Item>(
  kind: RecordKind<State, Item>,
  state: State,
  width: number,
): Omit<Drawn, 'key'> {
  const columns = kind.columns.filter(({ from = 0 }) => from <= width);
  const records = kind.all(state).map((item) => {
    const cells = cellsOf(columns, item, state);
    const tone = cells.find((cell) => cell.tone !== undefined)?.tone;
    return { id: kind.id(item), tone, texts: cells.map(({ text }) => toLine(text)) };
  });
  const isMarked = records.some(({ tone }) => tone !== undefined);
  const formatMark = (tone: Tone | undefined): string =>
    isMarked ? `${tone === undefined ? ' ' : SIGNS[tone]} ` : '';
  const titles = columns.map(plainTitle);
  const table = [titles, ...records.map(({ texts }) => texts)];
  const widths = columns.map((_column, at) =>
    Math.min(MOST, Math.max(...table.map((texts) => textWidth(texts[at] ?? '')))),
  );
  const isFigures = columns.map(isFigure);
  const last = isFigures.lastIndexOf(false);
  const textOf = (texts: readonly string[]): string =>
    texts
      .map((text, at) => {
        const room = widths[at] ?? 0;
        return at === last ? text : padEnd(truncateLine(text, room), room + 2);
      })
      .filter((_text, at) => !isFigures[at])
      .join('');
  const figuresOf = (texts: readonly string[]): string[] =>
    texts.filter((_text, at) => isFigures[at]);
  return {
    head: [formatMark(undefined) + textOf(titles), ...figuresOf(titles)],
    rows: new Map(
      records.map(({ id, tone, texts }) => [
        id,
        { text: formatMark(tone) + textOf(texts), figures: figuresOf(texts), tone },
      ]),
    ),
  };
}

function tintRow(tone: Tone | undefined, row: string, theme: Theme): string {
  switch (tone) {
    case 'bad':
      return theme.tone('red', row);
    case 'mixed':
    case 'open':
      return theme.tone('yellow', row);
    case 'gone':
      return theme.dim(row);
    default:
      return row;
  }
}

/**
 * Returns a record with its details as a text. `columns` is the width of the text in terminal
 * cells.
 */
export function readRecord<State, Item>(
  kind: RecordKind<State, Item>,
  item: Item,
  state: State,
  columns: number,
): ReadText {
  const details =
    kind.details?.(item, state, { columns, isAlone: true }) ?? cellDetails(kind, item, state);
  return {
    name: kind.id(item).replace(/[^\w.-]+/g, '-'),
    title: toLine(kind.heading(item, state)),
    markdown: readingText(details),
    ...(hasVerbatim(details) ? { raw: blocksText(details, TITLE_LEVEL).join('\n\n') } : {}),
  };
}

/** Formats blocks for reading in the console. */
export function readingText(blocks: readonly Block[]): string {
  return blocksText(blocks, TITLE_LEVEL, { isQuoted: true }).join('\n\n');
}

function hasVerbatim(blocks: readonly Block[]): boolean {
  return blocks.some(
    (block) =>
      typeof block !== 'string' &&
      (block.kind === 'verbatim' || (block.kind === 'section' && hasVerbatim(block.blocks))),
  );
}

/** Returns the cells of a record one below the other, each with the text below it. */
function cellDetails<State, Item>(
  { columns }: RecordKind<State, Item>,
  item: Item,
  state: State,
): string[] {
  return cellsOf(columns, item, state).flatMap(({ text, below = [] }, at) => {
    const column = columns[at];
    return column === undefined || text === ''
      ? []
      : [`**${plainTitle(column)}:** ${escapeLine(text)}`, ...below.map(escapeLine)];
  });
}

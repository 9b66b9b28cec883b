/**
 * A kind of record of a protocol (a conflict, a statement, a requirement), described once. The other
 * files of this folder turn a description into what people see:
 *
 * - `tab.ts`: a tab of the console that lists the records and opens each;
 * - `section.ts`: a section of the report, in Markdown and in HTML;
 * - `diff.ts`: how the records of two runs differ.
 *
 * A description holds text as it was written; each surface cleans and escapes it for itself. Details
 * are Markdown: what other people wrote goes through `words` there.
 */
import type { Cell } from '../html-report/parts.ts';
import type { Details } from './details.ts';

interface Column<State, Item> {
  /** Begins with `>` if the column holds figures; they are aligned to the right. */
  readonly title: string;
  /** A cell's `tone` says how the record stands: the first one of a row colors and marks its line in a tab. */
  readonly of: (item: Item, state: State) => string | Cell;
  /** The column is left out of a tab that has fewer cells than this. */
  readonly from?: number;
}

/** `State`: what a protocol's displays read of a run, usually the fold of its facts. */
export interface RecordKind<State, Item> {
  /** What a list of these records is called: `Conflicts`. */
  readonly name: string;
  /** One or two sentences that stand with the list. */
  readonly about: string;
  /** What has to be known of all records of the run, a sentence each. */
  readonly notes?: (state: State) => readonly string[];
  /** The sentence that stands instead of an empty list. */
  readonly none?: (state: State) => string;
  readonly all: (state: State) => readonly Item[];
  /** Unique among the records of a run; texts and links name the record by it. */
  readonly id: (item: Item) => string;
  /** Names the record above its details: `Q-1 · In which unit?` */
  readonly heading: (item: Item, state: State) => string;
  /** In a tab, the last column that holds no figures takes the room that is left. */
  readonly columns: readonly Column<State, Item>[];
  /** Everything that bears on the record. Absent: its cells, a line each. */
  readonly details?: (item: Item, state: State, around: Surroundings) => Details;
  /** Whether a report has the details too, and not only a tab. */
  readonly isWholeInReports?: boolean;
  /** The fields that a diff compares, by name. */
  readonly compared?: (item: Item, state: State) => Readonly<Record<string, string>>;
  /** The record in a sentence, where a diff lists it as added or removed. */
  readonly sentence?: (item: Item, state: State) => string;
}

/** Where details are shown. */
export interface Surroundings {
  /** The width of the text, in cells. */
  readonly columns: number;
  /** Whether the record stands alone: the notes on all records are not in sight. */
  readonly isAlone: boolean;
}

/** Returns the description itself; the types of its parts follow from `all`. */
export function recordKind<State, Item>(kind: RecordKind<State, Item>): RecordKind<State, Item> {
  return kind;
}

/** Returns the cells of a record, in the order of the columns. */
export function cellsOf<State, Item>(
  columns: readonly Column<State, Item>[],
  item: Item,
  state: State,
): Cell[] {
  return columns.map(({ of }) => {
    const cell = of(item, state);
    return typeof cell === 'string' ? { text: cell } : cell;
  });
}

/** Whether a column holds figures. */
export function isFigure({ title }: { readonly title: string }): boolean {
  return title.startsWith('>');
}

/** A column's title without the mark of a column of figures. */
export function plainTitle({ title }: { readonly title: string }): string {
  return title.replace(/^>/, '');
}

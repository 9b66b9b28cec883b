/**
 * A kind of record of a protocol (a conflict, a statement, a requirement), described once. The other
 * files of this folder turn a description into what people see:
 *
 * - `tab.ts`: a tab of the console that lists the records and opens each;
 * - `section.ts`: a section of the report;
 * - `diff.ts`: how the records of two runs differ.
 *
 * `table.ts` lists the kinds of a protocol, with where each is shown.
 *
 * A description holds text as it was written; each surface cleans and escapes it for itself. Details
 * are blocks (`plain/blocks.ts`).
 */
import { type Block, type Cell, toCell } from '../plain/blocks.ts';

interface Column<State, Item> {
  /** Begins with `>` if the column holds figures; they are aligned to the right. */
  readonly title: string;
  /** A cell's `tone` says how the record stands: the first one of a row colors and marks its line in a tab. */
  readonly of: (item: Item, state: State) => string | Cell;
  /** The column is left out of a tab that has fewer cells than this. */
  readonly from?: number;
}

/**
 * The description of a kind of record, such as conflicts. The tab, the section of the report and the
 * comparison of these records are made from it. `State` is the type of what displays know of a run, usually
 * computed from its facts; `Item` is the type of one record.
 */
export interface RecordKind<State, Item> {
  /** The heading of a list of such records, such as `Conflicts`. */
  readonly name: string;
  /** One or two sentences that explain the list. */
  readonly about: string;
  /** Returns sentences about all records of the run together. */
  readonly notes?: (state: State) => readonly string[];
  /** Returns the sentence to show if there are no records. */
  readonly none?: (state: State) => string;
  /** Returns all records of the run, in the order in which they are listed. */
  readonly all: (state: State) => readonly Item[];
  /**
   * Returns the id of a record, unique among the records of this kind in a run. Texts and links name
   * the record by it.
   */
  readonly id: (item: Item) => string;
  /** Returns the heading above a record's details, such as `Q-1 · In which unit?` */
  readonly heading: (item: Item, state: State) => string;
  /**
   * The columns of the list. In a tab, the last column without figures takes the width that is
   * left.
   */
  readonly columns: readonly Column<State, Item>[];
  /** Returns everything about a record. Absent: the record's cells are shown, one on a line. */
  readonly details?: (item: Item, state: State, around: DetailsContext) => readonly Block[];
  /**
   * Returns the title of the group that a record is in; undefined: none. Records of a group stand
   * together in `all`.
   */
  readonly group?: (item: Item, state: State) => string | undefined;
  /** Whether Markdown lists the records by their sentences, since the cells are too long for a table. */
  readonly isListed?: boolean;
  /** Whether reports show the details as well, and not only the list. */
  readonly isWholeInReports?: boolean;
  /** Returns the fields of a record that a comparison of two runs compares, by name. */
  readonly compared?: (item: Item, state: State) => Readonly<Record<string, string>>;
  /** Returns a sentence about a record, for lists and where only one of two compared runs has it. */
  readonly sentence?: (item: Item, state: State) => string;
}

/** The place where a record's details are shown. */
export interface DetailsContext {
  /** The width of the text in terminal cells. */
  readonly columns: number;
  /**
   * Whether only this record is shown, so that the notes on all records are not visible beside it.
   */
  readonly isAlone: boolean;
}

/**
 * Returns the given description unchanged. The function only lets TypeScript infer the types of the
 * parts from `all`.
 */
export function recordKind<State, Item>(kind: RecordKind<State, Item>): RecordKind<State, Item> {
  return kind;
}

/** Returns the cells of a record, in the order of the columns. */
export function cellsOf<State, Item>(
  columns: readonly Column<State, Item>[],
  item: Item,
  state: State,
): Cell[] {
  return columns.map(({ of }) => toCell(of(item, state)));
}

/**
 * Returns whether a column contains figures. The titles of such columns begin with the mark `>`.
 */
export function isFigure({ title }: { readonly title: string }): boolean {
  return title.startsWith('>');
}

/** Returns a column's title without the mark of columns that contain figures. */
export function plainTitle({ title }: { readonly title: string }): string {
  return title.replace(/^>/, '');
}

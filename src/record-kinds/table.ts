/**
 * The table of a protocol's kinds of records: for each kind, where it is shown. The report
 * (`recordSections`), the tabs of the console (`recordTabs`) and the comparison of two runs
 * (`recordComparisons`) follow from the table, in its order, so that a new kind is one entry.
 */
import { type Comparer, makeComparer } from './diff.ts';
import type { RecordKind } from './kind.ts';

/** How a section of records is made. */
export interface SectionOptions {
  /** Whether a run without such records gets a section too, which says that there are none; absent: it gets none. */
  readonly evenIfNone?: boolean;
  /**
   * Whether links to the records lead to this section; true for at most one section of a page.
   * Absent: they do.
   */
  readonly isTarget?: boolean;
}

/** The tab that lists the records of a kind. */
interface TabPlace {
  readonly id: string;
  /** The number of the key that opens the tab, see `Tab`. */
  readonly place: number;
}

/** Where a kind is shown. */
interface Where<Item> {
  /** Absent: no tab lists the records. */
  readonly tab?: TabPlace;
  /** How the section of the report is made. Absent: it is left out if there are no records. */
  readonly section?: SectionOptions;
  /** The key of the kind in a comparison of two runs. Absent: the records are not compared. */
  readonly compared?: {
    readonly as: string;
    /** Returns the id of a record in comparisons. Absent: its id everywhere else. */
    readonly id?: (item: Item) => string;
  };
}

/**
 * A kind of record, with where it is shown: in a tab of the console, in a section of the report, and in the
 * comparison of two runs. `State` is the type of what displays know of a run.
 */
export interface RecordEntry<State> {
  /** The tab that lists the records; absent: none does. */
  readonly tab?: TabPlace;
  /** How the section of the report is made; absent: it is left out if there are no records. */
  readonly section?: SectionOptions;
  /**
   * The key (`as`) under which a comparison of two runs names the records, and the function that compares them;
   * absent: they are not compared.
   */
  readonly comparison?: readonly [as: string, comparer: Comparer<State>];
  /** Calls `use` with the kind of record. This keeps the type of its records out of the type of the entry. */
  readonly visit: <Result>(use: <Item>(kind: RecordKind<State, Item>) => Result) => Result;
}

/** Makes the entry of one kind of record, which says in which tab, section and comparison it is shown. */
export function recordEntry<State, Item>(
  kind: RecordKind<State, Item>,
  { tab, section, compared }: Where<Item> = {},
): RecordEntry<State> {
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(section === undefined ? {} : { section }),
    ...(compared === undefined
      ? {}
      : { comparison: [compared.as, makeComparer({ ...kind, id: compared.id ?? kind.id })] }),
    visit: (use) => use(kind),
  };
}

/** Returns the functions that compare the given kinds of records in two runs, by key, for `recordDiff`. */
export function recordComparisons<State>(
  table: readonly RecordEntry<State>[],
): Readonly<Record<string, Comparer<State>>> {
  return Object.fromEntries(table.flatMap(({ comparison }) => (comparison ? [comparison] : [])));
}

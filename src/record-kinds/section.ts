/** Records in reports: a table of all of them, and below it their details. */
import { type Block, makeFoldedSection, makeSection, type Section } from '../plain/blocks.ts';
import { escapeLine } from '../plain/markdown.ts';
import { list } from '../text/markdown/blocks.ts';
import { cellsOf, type RecordKind } from './kind.ts';
import type { RecordEntry, SectionOptions } from './table.ts';

/** The width that details are laid out for in a report, in cells. */
const REPORT_COLUMNS = 100;

/** Returns the report's sections for a list of kinds of records, one section for each kind. */
export function recordSections<State>(
  table: readonly RecordEntry<State>[],
  state: State,
): Section[] {
  return table.map(({ section: options, visit }) =>
    visit((kind) => recordSection(kind, state, options)),
  );
}

/**
 * Returns the report's section for one kind of record: a table of all records and notes, and the records'
 * details if the kind has `isWholeInReports`. If the run has no such records, the section is empty, or says so
 * with `evenIfNone`. Links to the records lead to this section unless `isTarget` is false.
 */
export function recordSection<State, Item>(
  kind: RecordKind<State, Item>,
  state: State,
  { evenIfNone = false, isTarget = true }: SectionOptions = {},
): Section {
  const { name, notes, none, all, details, isWholeInReports } = kind;
  const items = all(state);
  const notesText = list((notes?.(state) ?? []).map(escapeLine));
  if (items.length === 0)
    return makeSection(name, ...(evenIfNone ? [escapeLine(none?.(state) ?? ''), notesText] : []));
  const around = { columns: REPORT_COLUMNS, isAlone: false };
  return makeSection(
    name,
    tableOf(kind, items, state, isTarget),
    notesText,
    ...(details === undefined || isWholeInReports !== true
      ? []
      : items.map((item) =>
          makeFoldedSection(kind.heading(item, state), ...details(item, state, around)),
        )),
  );
}

function tableOf<State, Item>(
  { about, columns, id, group, sentence, isListed = false }: RecordKind<State, Item>,
  items: readonly Item[],
  state: State,
  isTarget: boolean,
): Block {
  return {
    kind: 'table',
    table: {
      about,
      head: columns.map(({ title }) => title),
      rows: items.map((item) => ({
        anchor: isTarget ? id(item) : undefined,
        cells: cellsOf(columns, item, state),
        group: group?.(item, state),
        sentence: isListed ? sentence?.(item, state) : undefined,
      })),
      isListed,
    },
  };
}

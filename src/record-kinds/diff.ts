/** How two runs of a protocol differ: a few words on each run as a whole, and its records by their ids. */
import {
  type Change,
  compareLists,
  findDifferences,
  formatChange,
  formatListDiff,
  formatModelChanges,
  joinDiffParts,
  type ListDiff,
  modelsOf,
} from '../plain/diff.ts';
import type { RecordedRun } from '../plain/protocol-text.ts';
import { capitalize } from '../text/capitalize.ts';
import type { RecordKind } from './kind.ts';

/** Compares the records of one kind in two runs. */
export type Comparer<State> = (before: State, after: State) => ListDiff;

/**
 * The differences of two runs as JSON, for programs. The fields can be put into one object with the
 * ids of the two runs.
 */
type Found<Head extends string, Kind extends string> = { readonly [Key in Head]?: Change } & {
  readonly [Key in Kind]: ListDiff;
} & {
  /** Models of seats that differ. */
  readonly models: Readonly<Record<string, Change>>;
};

/**
 * Makes the function that compares two runs of a protocol. It returns the differences as JSON (`found`) and as a
 * text for people, in which keys begin with a capital letter.
 * @param read computes the state of a run from which the differences are found
 * @param heads for each key, a function that describes a whole run in words. The key is absent in `found` if both
 * runs have the same description.
 * @param records for each key, a function made by `makeComparer` that compares one kind of record
 */
export function recordDiff<State, Kind extends string, Head extends string = never>({
  read,
  heads,
  records,
}: {
  readonly read: (run: RecordedRun) => State;
  readonly heads?: Readonly<Record<Head, (state: State) => string>>;
  readonly records: Readonly<Record<Kind, Comparer<State>>>;
}): (first: RecordedRun, second: RecordedRun) => { found: Found<Head, Kind>; text: string } {
  return (first, second) => {
    const [before, after] = [read(first), read(second)];
    const changes = findDifferences(valuesOf(heads ?? {}, before), valuesOf(heads ?? {}, after));
    const compared = Object.entries<Comparer<State>>(records).map(
      ([key, comparer]): [string, ListDiff] => [key, comparer(before, after)],
    );
    const models = findDifferences(
      modelsOf(first.view, undefined),
      modelsOf(second.view, undefined),
    );
    return {
      found: { ...changes, ...Object.fromEntries(compared), models } as Found<Head, Kind>,
      text: joinDiffParts([
        ...Object.entries(changes).map(
          ([key, change]) => `${capitalize(key)}: ${formatChange(change)}`,
        ),
        ...compared.flatMap(([key, found]) => formatListDiff(capitalize(key), found)),
        ...formatModelChanges(models),
      ]),
    };
  };
}

function valuesOf<State>(
  heads: Readonly<Record<string, (state: State) => string>>,
  state: State,
): Record<string, string> {
  return Object.fromEntries(Object.entries(heads).map(([key, of]) => [key, of(state)]));
}

/**
 * Returns a function that compares the records of one kind in two runs. Records with the same id
 * are compared field by field.
 */
export function makeComparer<State, Item>({
  all,
  id,
  compared = () => ({}),
  sentence = () => '',
}: Pick<RecordKind<State, Item>, 'all' | 'id' | 'compared' | 'sentence'>): Comparer<State> {
  const describeItems = (state: State) =>
    all(state).map((item) => ({
      id: id(item),
      fields: { ...compared(item, state) },
      summary: sentence(item, state),
    }));
  return (before, after) =>
    compareLists(
      describeItems(before),
      describeItems(after),
      ({ fields }) => fields,
      ({ summary }) => summary,
    );
}

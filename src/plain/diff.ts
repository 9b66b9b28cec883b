/** Compares two runs: their panels, their syntheses, and things of any kind by id. Pure. */

import { entryOf } from '../kernel/entry.ts';
import type { RunView, SynthesisView } from '../kernel/view.ts';
import { toLine } from '../text/line.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/** A value in the first of two compared runs and in the second. */
export interface Change<T = string> {
  /** The value in the first run. */
  readonly from: T;
  /** The value in the second run. */
  readonly to: T;
}

/** The differences between two lists whose entries have ids. */
export interface ListDiff {
  /** Entries that are only in the second list. */
  readonly added: readonly { readonly id: string; readonly summary: string }[];
  /** Entries that are only in the first list. */
  readonly removed: readonly { readonly id: string; readonly summary: string }[];
  /** Entries in both lists with the fields that differ, by the field's name. */
  readonly changed: readonly {
    readonly id: string;
    readonly fields: Readonly<Record<string, Change>>;
  }[];
}

interface RunDiff {
  readonly included: Change<readonly string[]>;
  readonly excluded: Change<readonly string[]>;
  /** Seats whose models differ, and the synthesizer if its model does. */
  readonly models: Readonly<Record<string, Change>>;
  /** Sections of the latest syntheses that differ, by heading. A missing section has an empty text. */
  readonly sections: Readonly<Record<string, Change>>;
}

/**
 * Compares two lists whose entries have ids.
 *
 * @param fieldsOf returns the fields of an entry to compare
 * @param summaryOf describes an entry that only one list has
 */
export function compareLists<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  fieldsOf: (item: T) => Record<string, string>,
  summaryOf: (item: T) => string,
): ListDiff {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const toSummary = (item: T) => ({ id: item.id, summary: summaryOf(item) });
  return {
    added: after.filter(({ id }) => !old.has(id)).map(toSummary),
    removed: before.filter(({ id }) => !now.has(id)).map(toSummary),
    changed: before.flatMap((item) => {
      const other = now.get(item.id);
      const fields = other === undefined ? {} : findDifferences(fieldsOf(item), fieldsOf(other));
      return Object.keys(fields).length === 0 ? [] : [{ id: item.id, fields }];
    }),
  };
}

/** Returns the keys whose values differ, each with both values. A missing value counts as an empty text. */
export function findDifferences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Record<string, Change> {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const from = entryOf(before, key) ?? '';
      const to = entryOf(after, key) ?? '';
      return from === to ? [] : [[key, { from, to }]];
    }),
  );
}

/** Compares two runs: their models and, in their latest syntheses, the included and left-out seats and the sections. */
export function diffRuns(before: RunView, after: RunView): RunDiff {
  const [old, now] = [before.syntheses.at(-1), after.syntheses.at(-1)];
  const listExcluded = (synthesis: SynthesisView | undefined): string[] =>
    (synthesis?.excluded ?? []).map(({ seat, reason }) => `${seat} (${reason})`);
  return {
    included: { from: (old?.included ?? []).toSorted(), to: (now?.included ?? []).toSorted() },
    excluded: { from: listExcluded(old), to: listExcluded(now) },
    models: findDifferences(modelsOf(before, old), modelsOf(after, now)),
    sections: findDifferences(sectionsOf(old?.text ?? ''), sectionsOf(now?.text ?? '')),
  };
}

/** Returns the model of each seat by the seat's id and, if there is a synthesis, its model as `synthesizer`. */
export function modelsOf(
  view: RunView,
  synthesis: SynthesisView | undefined,
): Record<string, string> {
  return {
    ...Object.fromEntries(view.seats.map(({ id, model }) => [id, model])),
    ...withoutUndefined({ synthesizer: synthesis?.model }),
  };
}

/** Returns the text below each heading, by heading. */
function sectionsOf(markdown: string): Record<string, string> {
  // Use a Map: a synthesis may have a heading called `constructor` or `__proto__`.
  const sections = new Map<string, string>();
  let heading = '';
  for (const row of markdown.split('\n')) {
    const found = /^#{1,6}\s+(.+?)[\s#]*$/.exec(row)?.[1];
    if (found !== undefined) heading = found;
    else sections.set(heading, `${sections.get(heading) ?? ''}${row}\n`);
  }
  return Object.fromEntries(
    [...sections]
      .map(([name, text]): [string, string] => [name, text.trim()])
      .filter(([name, text]) => name !== '' || text !== ''),
  );
}

/** Joins the parts of a comparison to one text, which is "Identical." if there are none. */
export function joinDiffParts(parts: readonly string[]): string {
  return parts.length === 0 ? 'Identical.\n' : `${parts.join('\n\n')}\n`;
}

/**
 * Formats the differences of two lists as one paragraph: `-` marks what only the first list has, `+` what only
 * the second has, `~` what has changed. Returns no paragraph if nothing differs.
 *
 * @param title what the lists contain
 */
export function formatListDiff(title: string, { added, removed, changed }: ListDiff): string[] {
  if (added.length + removed.length + changed.length === 0) return [];
  const count = `${added.length} added, ${removed.length} removed, ${changed.length} changed`;
  return [
    [
      `${title}: ${count}`,
      ...removed.map(({ id, summary }) => `- ${toLine(id)}  ${toLine(summary)}`),
      ...added.map(({ id, summary }) => `+ ${toLine(id)}  ${toLine(summary)}`),
      ...changed.flatMap(({ id, fields }) =>
        Object.entries(fields).map(
          ([field, change]) => `~ ${toLine(id)}  ${field}: ${formatChange(change)}`,
        ),
      ),
    ].join('\n'),
  ];
}

/** Formats a change as `old → new`, or on two lines if the values are long. An empty value becomes `(none)`. */
export function formatChange({ from, to }: Change): string {
  const [left, right] = [toLine(from) || '(none)', toLine(to) || '(none)'];
  return left.length + right.length < 60 ? `${left} → ${right}` : `\n    - ${left}\n    + ${right}`;
}

/**
 * Formats a line for each seat whose model differs between two compared runs: `Model of critic: a/b → c/d`.
 * @param models the changed models, by the seat's id, and the changed model of the `synthesizer`
 */
export function formatModelChanges(models: Readonly<Record<string, Change>>): string[] {
  return Object.entries(models).map(
    ([seat, change]) => `Model of ${toLine(seat)}: ${formatChange(change)}`,
  );
}

/** Formats the differences of two runs as one text, which is `Identical.` if there are none. */
export function formatRunDiff(found: RunDiff): string {
  return joinDiffParts(formatRunDiffParts(found));
}

/**
 * Formats the differences of two runs: a paragraph each for included seats, left-out seats, seats
 * whose models differ, and every differing section of the synthesis. Empty if nothing differs.
 */
export function formatRunDiffParts({ included, excluded, models, sections }: RunDiff): string[] {
  const formatListChange = (name: string, { from, to }: Change<readonly string[]>): string[] =>
    from.join() === to.join()
      ? []
      : [
          `${name}: ${from.map(toLine).join(', ') || 'nobody'} → ${to.map(toLine).join(', ') || 'nobody'}`,
        ];
  return [
    ...formatListChange('Included', included),
    ...formatListChange('Left out', excluded),
    ...formatModelChanges(models),
    ...Object.entries(sections).map(
      ([heading, change]) =>
        `${toLine(heading) || '(before any heading)'}: ${formatChange(change)}`,
    ),
  ];
}

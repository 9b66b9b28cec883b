/** Compares two runs: their panels, their syntheses, and things of any kind by id. Pure. */

import { entryOf } from '../kernel/entry.ts';
import type { RunView, SynthesisView } from '../kernel/view.ts';
import { line } from '../text/line.ts';

/** A value in the first run and in the second. */
export interface Change<T = string> {
  readonly from: T;
  readonly to: T;
}

/** The result of comparing things of one kind by id. `changed` names the fields that differ. */
export interface Compared {
  readonly added: readonly { readonly id: string; readonly summary: string }[];
  readonly removed: readonly { readonly id: string; readonly summary: string }[];
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
 * Compares two lists by id.
 * @param fieldsOf returns the fields to compare
 * @param summaryOf describes a thing that only one run has
 */
export function compare<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  fieldsOf: (one: T) => Record<string, string>,
  summaryOf: (one: T) => string,
): Compared {
  const old = new Map(before.map((one) => [one.id, one]));
  const now = new Map(after.map((one) => [one.id, one]));
  const named = (one: T) => ({ id: one.id, summary: summaryOf(one) });
  return {
    added: after.filter(({ id }) => !old.has(id)).map(named),
    removed: before.filter(({ id }) => !now.has(id)).map(named),
    changed: before.flatMap((one) => {
      const other = now.get(one.id);
      const fields = other === undefined ? {} : differences(fieldsOf(one), fieldsOf(other));
      return Object.keys(fields).length === 0 ? [] : [{ id: one.id, fields }];
    }),
  };
}

/** Returns the keys whose values differ. A missing value is empty. */
export function differences(
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

export function diffRuns(before: RunView, after: RunView): RunDiff {
  const [old, now] = [before.syntheses.at(-1), after.syntheses.at(-1)];
  const left = (one: SynthesisView | undefined): string[] =>
    (one?.excluded ?? []).map(({ seat, reason }) => `${seat} (${reason})`);
  return {
    included: { from: (old?.included ?? []).toSorted(), to: (now?.included ?? []).toSorted() },
    excluded: { from: left(old), to: left(now) },
    models: differences(modelsOf(before, old), modelsOf(after, now)),
    sections: differences(sectionsOf(old?.text ?? ''), sectionsOf(now?.text ?? '')),
  };
}

export function modelsOf(
  view: RunView,
  synthesis: SynthesisView | undefined,
): Record<string, string> {
  return {
    ...Object.fromEntries(view.seats.map(({ id, model }) => [id, model])),
    ...(synthesis === undefined ? {} : { synthesizer: synthesis.model }),
  };
}

/** Returns the text below each heading, by heading. */
function sectionsOf(markdown: string): Record<string, string> {
  // A Map, because a heading may be called `constructor` or `__proto__`.
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

/** Joins the parts of a comparison; says so if nothing differs. */
export function diffText(parts: readonly string[]): string {
  return parts.length === 0 ? 'Identical.\n' : `${parts.join('\n\n')}\n`;
}

/** Formats a comparison: `+` only in the second run, `-` only in the first, `~` in both but different. */
export function comparedText(title: string, { added, removed, changed }: Compared): string[] {
  if (added.length + removed.length + changed.length === 0) return [];
  const count = `${added.length} added, ${removed.length} removed, ${changed.length} changed`;
  return [
    [
      `${title}: ${count}`,
      ...removed.map(({ id, summary }) => `- ${line(id)}  ${line(summary)}`),
      ...added.map(({ id, summary }) => `+ ${line(id)}  ${line(summary)}`),
      ...changed.flatMap(({ id, fields }) =>
        Object.entries(fields).map(
          ([field, change]) => `~ ${line(id)}  ${field}: ${arrow(change)}`,
        ),
      ),
    ].join('\n'),
  ];
}

/** Formats a change: short values in one line, long ones below each other. */
export function arrow({ from, to }: Change): string {
  const [left, right] = [line(from) || '(none)', line(to) || '(none)'];
  return left.length + right.length < 60 ? `${left} → ${right}` : `\n    - ${left}\n    + ${right}`;
}

/** Formats which seats have another model. */
export function modelLines(models: Readonly<Record<string, Change>>): string[] {
  return Object.entries(models).map(([seat, change]) => `Model of ${line(seat)}: ${arrow(change)}`);
}

export function runDiffText(found: RunDiff): string {
  return diffText(runDiffParts(found));
}

/** Returns how two runs of any protocol differ, part by part. */
export function runDiffParts({ included, excluded, models, sections }: RunDiff): string[] {
  const list = (name: string, { from, to }: Change<readonly string[]>): string[] =>
    from.join() === to.join()
      ? []
      : [
          `${name}: ${from.map(line).join(', ') || 'nobody'} → ${to.map(line).join(', ') || 'nobody'}`,
        ];
  return [
    ...list('Included', included),
    ...list('Left out', excluded),
    ...modelLines(models),
    ...Object.entries(sections).map(
      ([heading, change]) => `${line(heading) || '(before any heading)'}: ${arrow(change)}`,
    ),
  ];
}

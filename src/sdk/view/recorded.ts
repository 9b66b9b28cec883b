/** Makes kinds of records from the facts that users' own protocols record. The columns are the facts' fields. */
import { fieldText } from '../../kernel/vocabulary.ts';
import { type Block, makeSection, makeVerbatim } from '../../plain/blocks.ts';
import { escapeLine } from '../../plain/markdown.ts';
import { makeComparer } from '../../record-kinds/diff.ts';
import { makeFoldedPart } from '../../record-kinds/folded.ts';
import { type RecordKind, recordKind } from '../../record-kinds/kind.ts';
import { capitalize } from '../../text/capitalize.ts';
import { foldRecorded, NOTHING_RECORDED, type Recorded } from '../recorded.ts';

type Records = readonly Recorded[];

/** The part of the console's model that holds what a user's own protocol has recorded. */
export const RECORDED_PART = makeFoldedPart(
  NOTHING_RECORDED,
  foldRecorded,
  (_run, records) => records,
);

/** Describes the facts that a user's own protocol has recorded. The tab Records is made from this description. */
export const RECORDED = recordKind({
  name: 'Records',
  about: 'What the protocol recorded, in order. Enter shows all fields of a record.',
  none: () => 'Nothing is recorded yet.',
  all: (records: Records) => records,
  id: ({ step }: Recorded) => step,
  heading: ({ kind, step }) => `${kind} · ${step}`,
  columns: [
    { title: 'step', of: ({ step }) => step },
    { title: 'kind', of: ({ kind }) => kind },
    {
      title: 'record',
      of: ({ fields }) =>
        Object.entries(fields)
          .map(([name, value]) => `${name}: ${valueText(value)}`)
          .join(', '),
    },
  ],
  details: ({ fields }) => fieldDetails(fields),
});

/**
 * Returns the details of a field: a short value on one line, and a text of several lines in a
 * section of its own, word for word.
 */
function fieldDetails(fields: Recorded['fields']): Block[] {
  return Object.entries(fields).map(([name, value]) => {
    const text = valueText(value);
    return text.trim().includes('\n')
      ? makeSection(name, makeVerbatim(text))
      : `**${escapeLine(name)}:** ${escapeLine(text)}`;
  });
}

/**
 * Returns a description (from which a tab and report section are made) for each kind of fact that
 * the runs have, in the order in which the kinds first occur.
 */
export function kindsOf(...runs: readonly Records[]): RecordKind<Records, Recorded>[] {
  const all = runs.flat();
  return [...new Set(all.map(({ kind }) => kind))].map((kind) => {
    const own = all.filter((record) => record.kind === kind);
    const names = [...new Set(own.flatMap(({ fields }) => Object.keys(fields)))];
    return recordKind({
      name: capitalize(kind.replace(/[._-]+/g, ' ')),
      about: `Each ${kind} that the protocol recorded.`,
      all: (records: Records) => records.filter((record) => record.kind === kind),
      id: ({ step }: Recorded) => step,
      heading: ({ step }) => step,
      columns: [
        { title: 'step', of: ({ step }) => step },
        ...names.map((name) => ({
          title: `${own.every(({ fields }) => isFigure(fields, name)) ? '>' : ''}${name}`,
          of: ({ fields }: Recorded) => fieldOf(fields, name),
        })),
      ],
      compared: ({ fields }) =>
        Object.fromEntries(names.map((name) => [name, fieldOf(fields, name)])),
      sentence: ({ fields }) => names.map((name) => fieldOf(fields, name)).join(' · '),
    });
  });
}

/** Compares the facts that a user's own protocol has recorded in two runs, kind by kind. */
export function compareRecorded(before: Records, after: Records) {
  return kindsOf(before, after).map((kind) => ({
    name: kind.name,
    compared: makeComparer(kind)(before, after),
  }));
}

/** Formats a field of a record; empty if the record lacks the field. */
function fieldOf(fields: Recorded['fields'], name: string): string {
  return Object.hasOwn(fields, name) ? valueText(fields[name]) : '';
}

function isFigure(fields: Recorded['fields'], name: string): boolean {
  return !Object.hasOwn(fields, name) || typeof fields[name] === 'number';
}

/** Formats a value: a list of texts and numbers without the brackets and quotes of JSON. */
function valueText(value: unknown): string {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? value.join(', ')
    : fieldText(value);
}

/** Records of a protocol of one's own: what reports, diffs and exports make of them without its file. */
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { formatReport } from '../../src/plain/report.ts';
import { makeRecordedSchema, recordedIn, toExportedFacts } from '../../src/sdk/recorded.ts';
import { OWN_TEXT } from '../../src/sdk/view/plain.ts';
import { kindsOf } from '../../src/sdk/view/recorded.ts';
import { OWN_REPORT } from '../../src/sdk/view/report.ts';
import { fact } from '../every-fact.ts';

function runOf(...bodies: readonly object[]): AnyFact[] {
  const started = fact('run.started', {
    protocol: 'red-team',
    question: 'Split it?',
    seats: [],
    config: {},
    request: { kind: 'convene' },
  });
  return [started, ...bodies].map(
    (body, at) => ({ ...body, run: 'r', seq: at + 1, at: '2026-01-01T00:00:00Z' }) as AnyFact,
  );
}

function makeObjection(step: string, fields: object): object {
  return { v: 1, type: 'red-team/objection.raised', step, ...fields };
}

const TWO = [
  makeObjection('objection/1', { round: 1, text: 'It breaks | early.' }),
  makeObjection('objection/2', { round: 2, text: 'It costs.', tags: ['money'] }),
];

describe("records of a user's own protocol", () => {
  it('have a column for each field of any record', () => {
    const [kind, ...rest] = kindsOf(recordedIn(runOf(...TWO)));
    expect(rest).toEqual([]);
    expect(kind?.name).toBe('Objection raised');
    expect(kind?.columns.map(({ title }) => title)).toEqual(['step', '>round', 'text', 'tags']);
  });

  it('are a table in the report', () => {
    const page = formatReport(runOf(...TWO), OWN_REPORT);
    expect(page).toContain(
      '## Objection raised\n\nEach objection.raised that the protocol recorded.',
    );
    expect(page).toContain('| objection/1 | 1 | It breaks \\| early. |  |');
    expect(page).toContain('| objection/2 | 2 | It costs. | money |');
  });

  it('count once if a later attempt records the same key', () => {
    const again = makeObjection('objection/1', { round: 1, text: 'It holds.' });
    expect(recordedIn(runOf(...TWO, again)).map(({ fields }) => fields.text)).toEqual([
      'It holds.',
      'It costs.',
    ]);
  });

  it('are compared between two runs by kind, key and field', () => {
    const before = runOf(...TWO);
    const after = runOf(makeObjection('objection/1', { round: 1, text: 'It holds.' }));
    const { text } = OWN_TEXT.diff(
      { facts: before, view: viewOf(before) },
      { facts: after, view: viewOf(after) },
    );
    expect(text).toBe(
      [
        'Objection raised: 0 added, 1 removed, 1 changed',
        '- objection/2  2 · It costs. · money',
        '~ objection/1  text: It breaks | early. → It holds.',
        '',
      ].join('\n'),
    );
    expect(
      OWN_TEXT.diff(
        { facts: before, view: viewOf(before) },
        { facts: before, view: viewOf(before) },
      ).text,
    ).toBe('Identical.\n');
  });

  it('are exported with their kind, their key and their fields', () => {
    expect(makeRecordedSchema().parse(toExportedFacts(runOf(...TWO)))?.[0]).toEqual({
      kind: 'objection.raised',
      step: 'objection/1',
      fields: { round: 1, text: 'It breaks | early.' },
    });
    expect(toExportedFacts(runOf())).toBeUndefined();
  });
});

/**
 * Tests a whole run as JSON: imported into another database it is the same, or it is refused and nothing
 * changes.
 */

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { SCHEMAS, schemaText } from '../../docs/schemas.ts';
import { computeDigest } from '../../src/kernel/digest.ts';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { ARCHIVE, archiveSchema } from '../../src/protocols/registry/archive.ts';
import { type Archive, readArchive } from '../../src/store/archive.ts';
import type { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall, makeRunStarted, makeSynthesisFact } from './bodies.ts';

const HOSTILE = '\u001b]0;x\u0007 \u0000 \ud800 __proto__ \u202e </script> 犬 "quoted" \\ \r\n';

/**
 * Records a run with everything that is stored: a call, local work, a forgotten step, texts of every
 * kind.
 */
function recordRun(store: Store): string {
  const journal = store.create('test', null);
  journal.note([makeRunStarted(`Why? ${HOSTILE}`)]);
  journal.commit({ step: 'ask', hash: computeDigest('a'), result: null }, [
    fact('step.started', { step: 'ask', attempt: '1', kind: 'call' }),
    makeCompletedCall({
      step: 'ask',
      text: HOSTILE,
      value: JSON.parse('{"__proto__":{"x":1},"10":1,"9":2}'),
    }),
    fact('step.completed', { step: 'ask', attempt: '1' }),
  ]);
  journal.commit(
    { step: 'work', hash: computeDigest('b'), result: { deep: [1.5, -1e-7, HOSTILE] } },
    [
      fact('step.started', { step: 'work', attempt: '2', kind: 'work' }),
      makeSynthesisFact(1, HOSTILE),
      fact('step.completed', { step: 'work', attempt: '2' }),
    ],
  );
  journal.forget('gone');
  journal.note([fact('run.ended', { status: 'done' })]);
  journal.release();
  return journal.run;
}

const exportRun = (store: Store, id: string): string => JSON.stringify(store.archive(id, '1.0.0'));

function readRows(store: Store): unknown {
  const db = new Database(store.file, { readonly: true });
  onTestFinished(() => void db.close());
  return ['run', 'fact', 'step'].map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all(),
  );
}

function errorOf(work: () => unknown): DeliberateError {
  try {
    work();
  } catch (error) {
    if (error instanceof DeliberateError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('An exported run', () => {
  it('is the same byte for byte after an import and another export', () => {
    const [here, there] = [temporaryStore(), temporaryStore()];
    const id = recordRun(here);
    const text = exportRun(here, id);
    expect(there.restore(readArchive(text, 'f', ARCHIVE))).toBe(true);
    expect(readRows(there)).toEqual(readRows(here));
    expect(exportRun(there, id)).toBe(text);
    expect(there.summary(id)).toEqual(here.summary(id));
    expect(there.list({ search: '犬' })).toHaveLength(1);
  });

  it('fits the published schema', () => {
    const store = temporaryStore();
    const archive = store.archive(recordRun(store), '1.0.0');
    expect(archiveSchema().safeParse(archive).error).toBeUndefined();
  });

  it('has all its recorded steps after the import', () => {
    const [here, there] = [temporaryStore(), temporaryStore()];
    const id = recordRun(here);
    there.restore(readArchive(exportRun(here, id), 'f', ARCHIVE));
    const journal = there.own(id);
    expect(journal.recall('ask', computeDigest('a')).kind).toBe('recorded');
    expect(journal.recall('ask', computeDigest('other')).kind).toBe('stale');
    expect(journal.recall('gone', computeDigest('a')).kind).toBe('absent');
    const known = journal.recall('work', computeDigest('b'));
    expect(known.kind === 'recorded' && known.result).toEqual({ deep: [1.5, -1e-7, HOSTILE] });
  });

  it('counts as interrupted after the import if it was still running at the export', () => {
    const [here, there] = [temporaryStore(), temporaryStore()];
    const journal = here.create('test');
    journal.note([makeRunStarted('Why?')]);
    journal.keep([{ step: 's', attempt: '1', text: 'so far', thinking: '' }]);
    const archive = here.archive(journal.run, '1');
    expect(archive.status).toBe('running');
    expect(there.restore(readArchive(JSON.stringify(archive), 'f', ARCHIVE))).toBe(true);
    expect(there.summary(journal.run).status).toBe('interrupted');
    there.own(journal.run).release();
  });

  it('is skipped by an import if the same run is there already, and refused if the run there differs', () => {
    const store = temporaryStore();
    const id = recordRun(store);
    const archive = readArchive(exportRun(store, id), 'f', ARCHIVE);
    expect(store.restore(archive)).toBe(false);
    store.own(id).note([fact('run.resumed', { request: { kind: 'convene' } })]);
    const before = readRows(store);
    expect(errorOf(() => store.restore(archive)).code).toBe('run-differs');
    expect(readRows(store)).toEqual(before);
  });
});

/** Files that are no valid export, each with the message that refuses it. */
const BAD: readonly (readonly [name: string, spoil: (run: Archive) => unknown, says: RegExp])[] = [
  ['another JSON file', () => ({ name: 'x' }), /not a run exported as JSON/],
  ['a list', () => [], /not a run exported as JSON/],
  ['null in place of a run', () => null, /not a run exported as JSON/],
  ['a later format', (run) => ({ ...run, v: 3 }), /^f: v: written by a later version/],
  ['an earlier format', (run) => ({ ...run, v: 1 }), /^f: v: exported by an earlier version/],
  ['no version', ({ v: _v, ...run }) => run, /^f: v: /],
  ['an invalid run id', (run) => ({ ...run, run: '../../etc' }), /^f: run: /],
  ['an invalid time', (run) => ({ ...run, createdAt: 'now' }), /^f: createdAt: /],
  ['an unknown field', (run) => ({ ...run, owner: 'me' }), /owner/],
  [
    'an unknown fact',
    (run) => changeFact(run, 3, { type: 'run.exploded' }),
    /^f: facts\[3\]\.type: /,
  ],
  ['a fact of a later version', (run) => changeFact(run, 3, { v: 9 }), /^f: facts\[3\]\.v: /],
  [
    'a text in place of a number',
    (run) => changeFact(run, 2, { latencyMs: '5' }),
    /^f: facts\[2\]\.latencyMs: /,
  ],
  ['another run’s fact', (run) => changeFact(run, 1, { run: OTHER }), /^f: facts\[1\]\.run: /],
  [
    'a gap in the numbers of the facts',
    (run) => ({ ...run, facts: run.facts.toSpliced(2, 1) }),
    /^f: facts\[2\]\.seq: .* 4 .* 3/,
  ],
  [
    'facts out of order',
    (run) => ({ ...run, facts: run.facts.toReversed() }),
    /^f: facts\[0\]\.seq: /,
  ],
  [
    'a first fact that is not run.started',
    (run) => changeFact(run, 0, { ...fact('run.ended', { status: 'done' }) }),
    /begins with run.started/,
  ],
  [
    'a second fact run.started',
    (run) => changeFact(run, 3, makeRunStarted('again')),
    /^f: facts\[3\]\.type: /,
  ],
  [
    'a protocol that the facts do not have',
    (run) => ({ ...run, protocol: 'board' }),
    /^f: facts\[0\]\.protocol: /,
  ],
  [
    'a parent that the facts do not have',
    (run) => ({ ...run, parent: OTHER }),
    /^f: facts\[0\]\.parent: /,
  ],
  ['a number in place of a fact', (run) => ({ ...run, facts: [1] }), /^f: facts\[0\]: /],
  [
    'an invalid hash',
    (run) => changeStep(run, 1, { hash: 'x' }),
    /^f: steps\[1\]\.hash: not a hash/,
  ],
  [
    'a step that ends after the last fact',
    (run) => changeStep(run, 1, { lastSeq: 99 }),
    /^f: steps\[1\]: facts 2 to 99/,
  ],
  [
    'a step that ends before it begins',
    (run) => changeStep(run, 1, { firstSeq: 4, lastSeq: 2 }),
    /^f: steps\[1\]: /,
  ],
  [
    'a step with the facts of another step',
    (run) => changeStep(run, 1, { key: 'else' }),
    /^f: steps\[1\]\.lastSeq: /,
  ],
  [
    'a step that occurs twice',
    (run) => changeStep(run, 2, { key: 'ask' }),
    /^f: steps\[2\]\.key: /,
  ],
  [
    'a key with half of a surrogate pair',
    (run) => changeStep(run, 1, { key: '\ud800' }),
    /^f: steps\[1\]\.key: /,
  ],
  ['a step without a result', (run) => changeStep(run, 1, { result: undefined }), /^f: steps\[1\]/],
  [
    'a forgotten step with facts',
    (run) => changeStep(run, 1, { hash: '' }),
    /^f: steps\[1\]: a forgotten/,
  ],
  [
    'a fact that is nested too deeply',
    (run) => changeFact(run, 0, { config: { x: makeDeepArray(1500) } }),
    /^f: facts\[0\]: nested/,
  ],
  [
    'a result that is nested too deeply',
    (run) => changeStep(run, 2, { result: makeDeepArray(1500) }),
    /^f: steps\[2\]\.result: nested/,
  ],
];

const OTHER = '0190aaaa-0000-7000-8000-000000000000';

const changeFact = (run: Archive, index: number, more: object): unknown => ({
  ...run,
  facts: run.facts.with(index, { ...(run.facts[index] as Archive['facts'][number]), ...more }),
});
const changeStep = (run: Archive, index: number, more: object): unknown => ({
  ...run,
  steps: run.steps.with(index, { ...(run.steps[index] as Archive['steps'][number]), ...more }),
});

function makeDeepArray(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('An invalid file given to the import', () => {
  it.each(BAD)('is refused with the place of the problem: %s', (_name, spoil, says) => {
    const store = temporaryStore();
    const archive = JSON.parse(exportRun(store, recordRun(store))) as Archive;
    const error = errorOf(() => readArchive(JSON.stringify(spoil(archive)), 'f', ARCHIVE));
    expect(error.code).toBe('bad-file');
    expect(error.message).toMatch(says);
  });

  it('is refused if it is not JSON', () => {
    for (const text of ['', '{', 'not json', `{"a": ${'\u001b[31m'.repeat(100)}`, '[1,2,,]']) {
      const error = errorOf(() => readArchive(text, 'f', ARCHIVE));
      expect(error.message).toMatch(/^f: not JSON/);
      expect(error.message.length).toBeLessThan(100);
    }
  });

  it('changes nothing in the database if a part of it cannot be stored', () => {
    const [here, there] = [temporaryStore(), temporaryStore()];
    const archive = readArchive(exportRun(here, recordRun(here)), 'f', ARCHIVE);
    const before = readRows(there);
    const step = archive.steps.at(-1) as Archive['steps'][number];
    // A step that appears twice would be refused by `readArchive`. This archive was changed after `readArchive`
    // had read it, so the database has to refuse the step.
    expect(() => there.restore({ ...archive, steps: [...archive.steps, step] })).toThrow();
    expect(readRows(there)).toEqual(before);
  });
});

describe('The published schema of exported runs', () => {
  it('accepts an exported run and rejects a run that was changed into an invalid one', () => {
    // Make the validator from the text of the published JSON schema, because other programs check exported runs
    // by this text.
    const [schema] = SCHEMAS.filter(({ file }) => file === 'run').map(schemaText);
    const json = JSON.parse(schema ?? '') as object;
    const published = z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
    const store = temporaryStore();
    const archive = JSON.parse(exportRun(store, recordRun(store))) as Archive;
    expect(published.safeParse(archive).error).toBeUndefined();
    expect(published.safeParse({ ...archive, v: 1 }).success).toBe(false);
    expect(published.safeParse(changeFact(archive, 3, { type: 'nonsense' })).success).toBe(false);
  });
});

/** Tests what the views make of texts that SQL cannot hold, and the order of runs whatever the clock says. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { computeDigest } from '../../src/kernel/digest.ts';
import { ARCHIVE } from '../../src/protocols/registry/archive.ts';
import { roundsOf } from '../../src/protocols/rounds/fold.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { readArchive } from '../../src/store/archive.ts';
import { APPLICATION_ID } from '../../src/store/schema.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall, makeRunStarted, makeSynthesisFact } from './bodies.ts';
import { temporaryFolder } from './folder.ts';

afterEach(() => void vi.useRealTimers());

function openDatabase(file: string): Database.Database {
  const db = new Database(file);
  onTestFinished(() => void db.close());
  return db;
}

/** Records a run with a question and nothing else, and returns its id. */
function recordRun(store: Store, question: string): string {
  const journal = store.create('test');
  journal.note([makeRunStarted(question)]);
  journal.release();
  return journal.run;
}

const listQuestions = (store: Store): string[] => store.list().map(({ question }) => question);

describe('The order of runs in the list', () => {
  it('does not depend on a wrong clock', () => {
    const [store, other] = [temporaryStore(), temporaryStore()];
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2090-01-01') });
    recordRun(store, 'of the future');
    const far = recordRun(other, 'imported');
    vi.useRealTimers();
    recordRun(store, 'now');
    expect(store.find('latest')).toBe(store.list()[0]?.id);
    expect(listQuestions(store)).toEqual(['now', 'of the future']);

    store.restore(readArchive(JSON.stringify(other.archive(far, '1')), 'f', ARCHIVE));
    expect(store.find('latest'), 'it came in last').toBe(far);
    const last = recordRun(store, 'now again');
    expect(store.find('latest')).toBe(last);
    expect(listQuestions(store)).toEqual(['now again', 'imported', 'now', 'of the future']);
    expect(store.list({ limit: 1 })[0]?.id).toBe(last);
    // Search for a word that several runs have in common, and for a word that is too short for the index.
    expect(store.list({ search: 'now' }).map(({ question }) => question)[0]).toMatch(/^now/);
    expect(store.list({ search: 'o' }).map(({ question }) => question)).toEqual([
      'now again',
      'imported',
      'now',
      'of the future',
    ]);

    store.remove(last);
    expect(listQuestions(store)).toEqual(['imported', 'now', 'of the future']);
    const db = openDatabase(store.file);
    expect(db.prepare('SELECT question FROM runs ORDER BY arrived').pluck().all()).toEqual([
      'of the future',
      'now',
      'imported',
    ]);
  });

  it('is reconstructed as far as possible in an older database', () => {
    const file = join(temporaryFolder(), 'test.db');
    const db = makeDatabase(file, 2);
    const addRun = (id: string, question: string): void => {
      db.prepare("INSERT INTO run (id, protocol, created_at) VALUES (?, 'test', '2026')").run(id);
      const body = JSON.stringify({ ...makeRunStarted(question) });
      db.prepare("INSERT INTO fact VALUES (?, 1, '2026', 'run.started', NULL, ?)").run(id, body);
    };
    addRun('0fff', 'of the future');
    addRun('0190', 'now');
    addRun('0191', `now \u0000 again \ud800 later`);
    db.close();
    const store = Store.open(file, FACTS);
    onTestFinished(() => store.close());
    expect(listQuestions(store)).toEqual([
      'now \\u0000 again \\ud800 later',
      'now',
      'of the future',
    ]);
    expect(store.find('latest')).toBe('0191');
    expect(store.list({ search: 'later' })).toHaveLength(1);
    const index = "INSERT INTO passage_index(passage_index, rank) VALUES ('integrity-check', 1)";
    expect(() => openDatabase(file).exec(index), 'the index fits the texts').not.toThrow();
    store.remove('0191');
    expect(store.list({ search: 'later' })).toEqual([]);
    expect(() => openDatabase(file).exec(index)).not.toThrow();
  });
});

/** The versions of the schema whose views were made by migrations. `before/` has their SQL. */
const BEFORE = [1, 2, 3, 4] as const;

/** Creates a database as one of these versions created it. */
function makeDatabase(file: string, version: (typeof BEFORE)[number]): Database.Database {
  const db = openDatabase(file);
  db.pragma('foreign_keys = ON');
  for (const number of BEFORE.slice(0, version))
    db.exec(readFileSync(new URL(`before/${number}.sql`, import.meta.url), 'utf8'));
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${version}`);
  return db;
}

describe('The SQL view of readings', () => {
  it.each([
    ['A B A', 'A'],
    ['A B A B', 'A B'],
    ['A B A B A B', 'A B'],
    ['A B B', 'A B'],
    ['A B C B C', 'A B C'],
    ['A B C A', 'A'],
    ['A B', 'A B'],
  ])(
    'has the same reading tests as the run’s state after tests of the models %s',
    (models, left) => {
      const store = temporaryStore();
      const journal = store.create('rounds');
      journal.note([makeRunStarted('Why?')]);
      const [counts, result] = [
        { items: 8, called_true: 0 },
        { passed: true, why: '' },
      ];
      for (const [at, model] of models.split(' ').entries())
        journal.note([
          fact('reader.examined', { model, ...counts, ...result, errors: at, source: 'held' }),
        ]);
      const { exams } = roundsOf(journal.facts());
      journal.release();
      const rows = openDatabase(store.file)
        .prepare('SELECT model, errors FROM readings ORDER BY errors')
        .all();
      expect(rows).toEqual(exams.map(({ model, errors }) => ({ model, errors })));
      expect(exams.map(({ model }) => model).join(' ')).toBe(left);
    },
  );
});

describe('The SQL views', () => {
  /** Creates a database of version 4, with the views of its migrations and a run, and returns its path. */
  function makeOlderDatabase(): string {
    const file = join(temporaryFolder(), 'test.db');
    const db = makeDatabase(file, 4);
    db.prepare("INSERT INTO run (id, protocol, created_at) VALUES ('r', 'test', '2026')").run();
    const facts = [
      makeRunStarted('Why?'),
      fact('step.started', { step: 'ask', attempt: 'x', kind: 'call', task: 'test/answer' }),
      makeCompletedCall({
        firstTokenMs: 7,
        served: 'qwen3:9b',
        price: { source: 'a list', asOf: '2026-11-27' },
      }),
      fact('round.started', { round: 1, lead: 'critic' }),
    ];
    for (const [index, body] of facts.entries())
      db.prepare("INSERT INTO fact VALUES ('r', ?, ?, ?, ?, ?)").run(
        ...[index + 1, `2026-0${index + 1}`, body.type],
        ...['step' in body ? body.step : null, JSON.stringify(body)],
      );
    db.close();
    return file;
  }
  const sqlOf = (db: Database.Database): Record<string, string> =>
    Object.fromEntries(
      db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").raw().all() as [],
    );

  it('are created when an older database is opened', () => {
    const file = makeOlderDatabase();
    Store.open(file, FACTS).close();
    const db = openDatabase(file);
    expect(db.prepare('SELECT * FROM calls').get()).toMatchObject({
      started_at: '2026-02',
      task: 'test/answer',
      first_token_ms: 7,
      text: 'No.',
      served: 'qwen3:9b',
      price_source: 'a list',
      price_as_of: '2026-11-27',
      prompt: null,
      system: null,
      conversation: null,
      schema: null,
      options: null,
    });
    expect(db.prepare('SELECT round, lead, phase, closed FROM rounds').raw().all()).toEqual([
      [1, 'critic', null, 0],
    ]);
    expect(sqlOf(db)).toEqual(sqlOf(openDatabase(temporaryStore().file)));
  });

  it.each(BEFORE)('are the same in a file upgraded from version %d as in a new one', (version) => {
    const file = join(temporaryFolder(), 'test.db');
    makeDatabase(file, version).close();
    Store.open(file, FACTS).close();
    const schemaOf = (db: Database.Database): unknown[] =>
      db.prepare('SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name').all();
    const db = openDatabase(file);
    const fresh = openDatabase(temporaryStore().file);
    expect(schemaOf(db)).toEqual(schemaOf(fresh));
    expect(sqlOf(db)).toEqual(sqlOf(fresh));
  });

  it('are recreated if they differ from this version’s views', () => {
    const store = temporaryStore();
    const db = openDatabase(store.file);
    const before = sqlOf(db);
    const other = before.claims?.replace('raised.id,', "raised.id, 'new' AS brand_new,") ?? '';
    expect(other).not.toBe(before.claims);
    db.exec(`DROP VIEW claims; ${other}; DROP VIEW signals`);
    db.exec(before.rounds?.replace('VIEW rounds', 'VIEW of_a_later_version') ?? '');
    Store.open(store.file, FACTS).close();
    expect(sqlOf(db)).toEqual(before);
  });

  it('do not replace a person’s own view of the same name', () => {
    const file = makeOlderDatabase();
    const own = openDatabase(file);
    own.exec(`CREATE VIEW Rounds AS SELECT 'mine' AS whose; CREATE TABLE signals (mine TEXT);
      CREATE VIEW dear AS SELECT id FROM run`);
    own.close();
    for (let opening = 1; opening <= 2; opening++) Store.open(file, FACTS).close();
    const db = openDatabase(file);
    expect(db.prepare('SELECT whose FROM rounds').pluck().all()).toEqual(['mine']);
    expect(db.prepare('SELECT mine FROM signals').all()).toEqual([]);
    expect(db.prepare('SELECT id FROM dear').pluck().all()).toEqual(['r']);
    expect(db.prepare('SELECT * FROM claims').all()).toEqual([]);
  });
});

/** Texts, each as SQL reads it: characters that SQL cannot hold are written as JSON escapes. */
const TEXTS: readonly (readonly [text: string, read: string])[] = [
  ['a\u0000b', 'a\\u0000b'],
  ['a\ud800b', 'a\\ud800b'],
  ['\udfff', '\\udfff'],
  ['😀 \u{10ffff} 한 \ue000', '😀 \u{10ffff} 한 \ue000'],
  ['\\u0000 \\ud800 \\\\u0000', '\\u0000 \\ud800 \\\\u0000'],
  ['\\\u0000 \\\\\ud800', '\\\\u0000 \\\\\\ud800'],
  ['\u0001\n\t"\u001b[31m\u0000"', '\u0001\n\t"\u001b[31m\\u0000"'],
];

describe('Texts with an unpaired surrogate or U+0000', () => {
  it.each(TEXTS)('are complete in every SQL view: %j', (text, read) => {
    const store = temporaryStore();
    const journal = store.create('test');
    const stance = {
      seat: text,
      model: text,
      position: text,
      option: text,
      confidence: 1,
      step: 's',
    };
    const claim = { round: 1, raised_by: 'critic', testable_as: text, step: 's' } as const;
    journal.note([makeRunStarted(text), fact('round.started', { round: 1, lead: 'critic' })]);
    journal.commit({ step: 'ask', hash: computeDigest('a'), result: null }, [
      makeCompletedCall({ text, model: `ollama/${text}`, seat: text, role: text }),
      fact('call.failed', { ...failedCall(), text, message: text }),
      fact('claim.raised', { ...claim, id: text, text }),
      fact('claim.moved', {
        claim: text,
        round: 1,
        from: 'pending',
        to: 'tested_refuted',
        why: text,
        verification: text,
      }),
      fact('verification.recorded', {
        id: text,
        round: 1,
        check: 'executed_test',
        result: 'ROBUST',
        notes: text,
        evidence_refs: [text],
      }),
      fact('decision.made', {
        id: text,
        round: 1,
        text,
        cites: [],
        made_by: 'consensus',
        step: 's',
        round_artifact_refs: [],
      }),
    ]);
    journal.note([
      makeSynthesisFact(1, text),
      fact('ballot.cast', { ...stance, question: 1 }),
      fact('stance.taken', { ...stance, round: 1, cites: [text], peers: true, again: false }),
      fact('artifact.produced', {
        round: 1,
        role: 'critic',
        path: text,
        markdown: text,
        step: 's',
      }),
      fact('claim.edited', { claim: text, round: 1, text, was: '' }),
      fact('round.closed', { round: 1, tensions: [text], impact: text }),
      fact('signals.read', {
        round: 1,
        satisfied: 0,
        recommendation: 'continue',
        why: text,
        alarm: text,
        signals: [{ id: 1, name: text, state: 'satisfied', value: 1, threshold: null, why: text }],
      }),
    ]);
    const db = openDatabase(store.file);
    const readRows = (sql: string): unknown[] => db.prepare(sql).raw().all();
    expect(readRows('SELECT question FROM runs')).toEqual([[read]]);
    expect(readRows('SELECT seat, role, provider, model, text, error FROM calls')).toEqual([
      [read, read, 'ollama', read, read, null],
      ['critic', 'critic', 'ollama', 'm', read, read],
    ]);
    expect(readRows('SELECT id, text, testable_as, status FROM claims')).toEqual([
      [read, read, read, 'tested_refuted'],
    ]);
    expect(readRows('SELECT id, notes, claims_affected, evidence_refs FROM verifications')).toEqual(
      [[read, read, JSON.stringify([read]), expect.any(String)]],
    );
    expect(readRows('SELECT id, text FROM decisions')).toEqual([[read, read]]);
    // No view may return a NUL, which could cut a text short, or U+FFFD, the sign for invalid UTF-8.
    const views = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view'")
      .pluck()
      .all();
    expect(views).toContain('passage_text');
    expect(readRows('SELECT name, why FROM signals')).toEqual([[read, read]]);
    for (const view of views)
      for (const row of db.prepare(`SELECT * FROM ${view}`).raw().all() as unknown[][])
        expect(row.join(), view).not.toMatch(/\u0000|\ufffd/u);
    expect(store.facts(journal.run)[0], 'recorded as it was').toMatchObject({ question: text });
    expect(store.summary(journal.run).question).toBe(read);
  });
});

function failedCall() {
  return {
    step: 'ask',
    attempt: 'x',
    seat: 'critic',
    role: 'critic',
    model: 'ollama/m',
    thinking: '',
    usage: { input: 1, output: 1, cached: 0, cacheWritten: 0, thinking: 0 },
    latencyMs: 1,
    attempts: 1,
    notes: [],
    rehearsal: false,
    code: 'auth',
  };
}

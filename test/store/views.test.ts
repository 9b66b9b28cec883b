/** What the views make of texts that SQL cannot hold, and in which order runs stand whatever the clock says. */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ARCHIVE } from '../../src/app/archive.ts';
import { digest } from '../../src/kernel/digest.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { readArchive } from '../../src/store/archive.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../src/store/schema.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { called, started } from './bodies.ts';
import { temporaryFolder } from './folder.ts';

afterEach(() => void vi.useRealTimers());

function open(file: string): Database.Database {
  const db = new Database(file);
  onTestFinished(() => void db.close());
  return db;
}

/** A run with a question and nothing else. */
function asked(store: Store, question: string): string {
  const journal = store.create('test');
  journal.note([started(question)]);
  journal.release();
  return journal.run;
}

const questions = (store: Store): string[] => store.list().map(({ question }) => question);

describe('Runs in the order in which they came in', () => {
  it('are not moved by a clock that was wrong, nor by an import from such a machine', () => {
    const [store, other] = [temporaryStore(), temporaryStore()];
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2090-01-01') });
    asked(store, 'of the future');
    const far = asked(other, 'imported');
    vi.useRealTimers();
    asked(store, 'now');
    expect(store.find('latest')).toBe(store.list()[0]?.id);
    expect(questions(store)).toEqual(['now', 'of the future']);

    store.restore(readArchive(JSON.stringify(other.archive(far, '1')), 'f', ARCHIVE));
    expect(store.find('latest'), 'it came in last').toBe(far);
    const last = asked(store, 'now again');
    expect(store.find('latest')).toBe(last);
    expect(questions(store)).toEqual(['now again', 'imported', 'now', 'of the future']);
    expect(store.list({ limit: 1 })[0]?.id).toBe(last);
    // Searches: the index's ties, and a word too short for the index.
    expect(store.list({ search: 'now' }).map(({ question }) => question)[0]).toMatch(/^now/);
    expect(store.list({ search: 'o' }).map(({ question }) => question)).toEqual([
      'now again',
      'imported',
      'now',
      'of the future',
    ]);

    store.remove(last);
    expect(questions(store)).toEqual(['imported', 'now', 'of the future']);
    const db = open(store.file);
    expect(db.prepare('SELECT question FROM runs ORDER BY arrived').pluck().all()).toEqual([
      'of the future',
      'now',
      'imported',
    ]);
  });

  it('stand so in a database of before, as far as it can tell', () => {
    const file = join(temporaryFolder(), 'test.db');
    const db = before(file);
    const add = (id: string, question: string): void => {
      db.prepare("INSERT INTO run (id, protocol, created_at) VALUES (?, 'test', '2026')").run(id);
      const body = JSON.stringify({ ...started(question) });
      db.prepare("INSERT INTO fact VALUES (?, 1, '2026', 'run.started', NULL, ?)").run(id, body);
    };
    add('0fff', 'of the future');
    add('0190', 'now');
    add('0191', `now \u0000 again \ud800 later`);
    db.close();
    const store = Store.open(file, FACTS);
    onTestFinished(() => store.close());
    expect(questions(store)).toEqual(['now \\u0000 again \\ud800 later', 'now', 'of the future']);
    expect(store.find('latest')).toBe('0191');
    expect(store.list({ search: 'later' })).toHaveLength(1);
    const index = "INSERT INTO passage_index(passage_index, rank) VALUES ('integrity-check', 1)";
    expect(() => open(file).exec(index), 'the index fits the texts').not.toThrow();
    store.remove('0191');
    expect(store.list({ search: 'later' })).toEqual([]);
    expect(() => open(file).exec(index)).not.toThrow();
  });
});

/** A database as the version before made it. */
function before(file: string): Database.Database {
  const db = open(file);
  db.pragma('foreign_keys = ON');
  for (const migration of MIGRATIONS.slice(0, 2)) db.exec(migration);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma('user_version = 2');
  return db;
}

/** Each text, and how SQL reads it: what it cannot hold is written as JSON writes it. */
const TEXTS: readonly (readonly [text: string, read: string])[] = [
  ['a\u0000b', 'a\\u0000b'],
  ['a\ud800b', 'a\\ud800b'],
  ['\udfff', '\\udfff'],
  ['😀 \u{10ffff} 한 \ue000', '😀 \u{10ffff} 한 \ue000'],
  ['\\u0000 \\ud800 \\\\u0000', '\\u0000 \\ud800 \\\\u0000'],
  ['\\\u0000 \\\\\ud800', '\\\\u0000 \\\\\\ud800'],
  ['\u0001\n\t"\u001b[31m\u0000"', '\u0001\n\t"\u001b[31m\\u0000"'],
];

describe('Texts with half a surrogate pair or U+0000', () => {
  it.each(TEXTS)('are read whole in every view: %j', (text, read) => {
    const store = temporaryStore();
    const journal = store.create('test');
    const claim = { round: 1, raised_by: 'critic', testable_as: text, step: 's' } as const;
    journal.note([started(text)]);
    journal.commit({ step: 'ask', hash: digest('a'), result: null }, [
      called({ text, model: `ollama/${text}`, seat: text, role: text }),
      fact('call.failed', { ...failedCall(), text, message: text }),
      fact('claim.raised', { ...claim, id: text, text }),
      fact('claim.moved', {
        ...{ claim: text, round: 1, from: 'pending', to: 'tested_refuted', why: text },
        verification: text,
      }),
      fact('verification.recorded', {
        ...{ id: text, round: 1, check: 'executed_test', result: 'ROBUST', notes: text },
        evidence_refs: [text],
      }),
      fact('decision.made', {
        ...{ id: text, round: 1, text, cites: [], made_by: 'consensus', step: 's' },
        round_artifact_refs: [],
      }),
    ]);
    const db = open(store.file);
    const rows = (sql: string): unknown[] => db.prepare(sql).raw().all();
    expect(rows('SELECT question FROM runs')).toEqual([[read]]);
    expect(rows('SELECT seat, role, provider, model, text, error FROM calls')).toEqual([
      [read, read, 'ollama', read, read, null],
      ['critic', 'critic', 'ollama', 'm', read, read],
    ]);
    expect(rows('SELECT id, text, testable_as, status FROM claims')).toEqual([
      [read, read, read, 'tested_refuted'],
    ]);
    expect(rows('SELECT id, notes, claims_affected, evidence_refs FROM verifications')).toEqual([
      [read, read, JSON.stringify([read]), expect.any(String)],
    ]);
    expect(rows('SELECT id, text FROM decisions')).toEqual([[read, read]]);
    // Nothing that a strict reader of UTF-8 would refuse, or that ends before its end.
    for (const view of ['runs', 'calls', 'claims', 'verifications', 'decisions', 'passage_text'])
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

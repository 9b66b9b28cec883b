/** Tests how runs are found, listed, read and removed, and the views that people query. */

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../src/kernel/errors.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import type { Store } from '../../src/store/store.ts';
import type { FactBody, FactOf } from '../every-fact.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall, makeRunStarted, makeSynthesisFact } from './bodies.ts';

function errorOf(work: () => unknown): StoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function openDatabase(store: Store): Database.Database {
  const db = new Database(store.file);
  db.pragma('foreign_keys = ON');
  onTestFinished(() => void db.close());
  return db;
}

function recordRun(
  store: Store,
  question: string,
  ...rest: Parameters<Journal['note']>[0]
): Journal {
  const journal = store.create('board');
  journal.note([makeRunStarted(question), ...rest]);
  return journal;
}

/** Adds runs with these ids, so that tests control their prefixes. */
function addRuns(store: Store, ...ids: string[]): void {
  const insert = openDatabase(store).prepare(
    "INSERT INTO run (id, protocol, created_at) VALUES (?, 'board', '2026-01-01T00:00:00.000Z')",
  );
  for (const id of ids) insert.run(id);
}

describe('Finding a run in the store', () => {
  it('accepts a whole id or a unique prefix, in upper or lower case', () => {
    const store = temporaryStore();
    addRuns(store, '0190aaaa-0000', '0190abbb-0000', '0191cccc-0000');
    expect(store.find('0190aaaa-0000')).toBe('0190aaaa-0000');
    expect(store.find('0190aa')).toBe('0190aaaa-0000');
    expect(store.find('0190AB')).toBe('0190abbb-0000');
    expect(store.find('0191')).toBe('0191cccc-0000');
  });

  it('throws for an ambiguous prefix, and lists the matching runs', () => {
    const store = temporaryStore();
    addRuns(store, '0190aaaa-0000', '0190abbb-0000');
    const error = errorOf(() => store.find('0190'));
    expect(error.code).toBe('ambiguous-run');
    expect(error.message).toContain('0190aaaa-0000');
    expect(error.message).toContain('0190abbb-0000');
  });

  it('fails for an empty text, the middle of an id, and a SQL pattern', () => {
    const store = temporaryStore();
    addRuns(store, '0190aaaa-0000');
    for (const ref of ['', 'aaaa', '0190%', '%', '*', "' OR 1=1 --", '0190aaaa-0000-1']) {
      const error = errorOf(() => store.find(ref));
      expect(error.code).toBe('no-such-run');
      expect(error.next).toMatch(/deliberate list/);
    }
  });

  it('returns for `latest` the run that was started last, even if another run was resumed later', () => {
    const store = temporaryStore();
    expect(errorOf(() => store.find('latest')).code).toBe('no-such-run');
    const runs = ['one', 'two', 'three'].map((question) => recordRun(store, question));
    expect(store.find('latest')).toBe(runs[2]?.run);
    runs[0]?.note([fact('run.resumed', { request: { kind: 'convene' } })]);
    expect(store.find('latest')).toBe(runs[2]?.run);
  });

  it('finds the run that a process is working on', () => {
    const store = temporaryStore();
    expect(store.findLive()).toBeUndefined();
    const live = store.create('board');
    live.note([makeRunStarted('live')]);
    const done = recordRun(store, 'done', fact('run.ended', { status: 'done' }));
    done.release();
    expect(store.find('latest')).toBe(done.run);
    expect(store.findLive()).toBe(live.run);
    expect([live.run, done.run].map((id) => store.isOwned(id))).toEqual([true, false]);
    expect(store.isOwned('no-such-run')).toBe(false);
  });

  it('fails with the code no-such-run for an unknown id', () => {
    const store = temporaryStore();
    expect(errorOf(() => store.own('nope')).code).toBe('no-such-run');
    expect(errorOf(() => store.summary('nope')).code).toBe('no-such-run');
    expect(errorOf(() => store.remove('nope')).code).toBe('no-such-run');
    expect(store.facts('nope')).toEqual([]);
  });
});

describe('Store.list', () => {
  it('returns the newest runs first, up to the limit', () => {
    const store = temporaryStore();
    expect(store.list()).toEqual([]);
    for (const question of ['one', 'two', 'three']) recordRun(store, question);
    expect(store.list().map(({ question }) => question)).toEqual(['three', 'two', 'one']);
    expect(store.list({ limit: 2 }).map(({ question }) => question)).toEqual(['three', 'two']);
  });

  it('searches questions and answers, treating patterns as text', () => {
    const store = temporaryStore();
    recordRun(store, 'Which Database?');
    recordRun(
      store,
      'Which cloud?',
      makeCompletedCall({ text: 'A DATABASE in the cloud, 100 % safe.' }),
    );
    recordRun(store, 'Which colour?', makeCompletedCall({ text: 'Blue.' }));
    const searchQuestions = (search: string): string[] =>
      store.list({ search }).map((run) => run.question);
    expect(searchQuestions('database')).toEqual(['Which Database?', 'Which cloud?']);
    expect(searchQuestions('BLUE')).toEqual(['Which colour?']);
    expect(searchQuestions('100 %')).toEqual(['Which cloud?']);
    expect(searchQuestions('%')).toEqual(['Which cloud?']);
    expect(searchQuestions("'")).toEqual([]);
    expect(searchQuestions('')).toHaveLength(3);
    expect(store.list({ search: 'which', limit: 1 })).toHaveLength(1);
  });
});

describe('The view `runs`', () => {
  it('has the columns that people rely on', () => {
    const columns = openDatabase(temporaryStore()).prepare('SELECT * FROM runs').columns();
    expect(columns.map(({ name }) => name).slice(0, 9)).toEqual([
      'id',
      'protocol',
      'question',
      'status',
      'started_at',
      'ended_at',
      'tokens_in',
      'tokens_out',
      'cost_usd',
    ]);
  });

  it('shows each run as done, stopped, failed, running or interrupted', () => {
    const store = temporaryStore();
    const makeEnded = (status: 'done' | 'stopped' | 'failed') => fact('run.ended', { status });
    const resumed = fact('run.resumed', { request: { kind: 'convene' } });
    recordRun(store, 'done', makeEnded('done'));
    recordRun(store, 'stopped', makeEnded('stopped')).release();
    recordRun(store, 'failed', makeEnded('failed'));
    recordRun(store, 'running');
    recordRun(store, 'running again', makeEnded('stopped'), resumed);
    recordRun(store, 'interrupted').release();
    recordRun(store, 'interrupted again', makeEnded('done'), resumed).release();
    recordRun(store, 'done in the end', makeEnded('failed'), resumed, makeEnded('done'));
    store.create('board');
    const rows = openDatabase(store)
      .prepare('SELECT question, status, ended_at IS NOT NULL AS ended FROM runs ORDER BY id')
      .raw()
      .all();
    expect(rows).toEqual([
      ['done', 'done', 1],
      ['stopped', 'stopped', 1],
      ['failed', 'failed', 1],
      ['running', 'running', 0],
      ['running again', 'running', 0],
      ['interrupted', 'interrupted', 0],
      ['interrupted again', 'interrupted', 0],
      ['done in the end', 'done', 1],
      [null, 'running', 0],
    ]);
    expect(store.list().map(({ status }) => status)).toEqual(
      rows.map((row) => (row as string[])[1]).reverse(),
    );
  });

  it('adds up the tokens and costs of a run’s calls; the cost is null if no price is known', () => {
    const store = temporaryStore();
    const none = recordRun(store, 'no call');
    const local = recordRun(store, 'unknown price', makeCompletedCall());
    const paid = recordRun(
      store,
      'known price',
      makeCompletedCall({ costUsd: 0.5 }),
      makeCompletedCall({ costUsd: 0.25 }),
      makeCompletedCall(),
    );
    const free = recordRun(store, 'free', makeCompletedCall({ costUsd: 0 }));
    const rows = openDatabase(store)
      .prepare('SELECT id, tokens_in, tokens_out, cost_usd FROM runs ORDER BY id')
      .raw()
      .all();
    expect(rows).toEqual([
      [none.run, 0, 0, null],
      [local.run, 100, 20, null],
      [paid.run, 300, 60, 0.75],
      [free.run, 100, 20, 0],
    ]);
    expect(store.summary(paid.run)).toEqual({
      id: paid.run,
      rehearsal: false,
      protocol: 'board',
      question: 'known price',
      status: 'running',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      endedAt: null,
      tokensIn: 300,
      tokensOut: 60,
      costUsd: 0.75,
      estimated: false,
    });
  });

  it('marks a run as estimated if it has made a call whose tokens were estimated, but not for a copied call', () => {
    const store = temporaryStore();
    const { usage } = makeCompletedCall() as FactOf<'call.completed'>;
    const guessed = makeCompletedCall({ usage: { ...usage, estimated: true } });
    recordRun(store, 'all counted', makeCompletedCall());
    recordRun(store, 'one estimated', makeCompletedCall(), guessed);
    recordRun(store, 'one taken over', makeCompletedCall(), {
      ...guessed,
      inherited: true,
    } as FactBody);
    const readEstimated = (view: string) =>
      openDatabase(store).prepare(`SELECT estimated FROM ${view}`).pluck().all();
    expect(readEstimated('runs ORDER BY id')).toEqual([0, 1, 0]);
    expect(readEstimated('calls ORDER BY run_id, seq')).toEqual([0, 0, 1, 0, 1]);
    expect(store.list().map(({ estimated }) => estimated)).toEqual([false, true, false]);
  });
});

describe('The view `calls`', () => {
  it('has a row for every ended call', () => {
    const store = temporaryStore();
    const {
      v: _v,
      type: _type,
      ...spoken
    } = makeCompletedCall() as ReturnType<typeof makeCompletedCall> & object;
    const journal = recordRun(
      store,
      'Why?',
      makeCompletedCall({ costUsd: 0.5 }),
      { ...spoken, v: 1, type: 'call.failed', code: 'auth', message: 'wrong key' } as never,
      { ...spoken, v: 1, type: 'call.stopped', text: 'N', model: 'bare' } as never,
      fact('step.started', { step: 'more', attempt: 'x', kind: 'call' }),
      makeSynthesisFact(1, 'text'),
    );
    const db = openDatabase(store);
    const select = db.prepare('SELECT * FROM calls ORDER BY seq');
    expect(
      select
        .columns()
        .map(({ name }) => name)
        .slice(0, 12),
    ).toEqual([
      'run_id',
      'seat',
      'role',
      'provider',
      'model',
      'status',
      'tokens_in',
      'tokens_out',
      'cached',
      'latency_ms',
      'attempts',
      'text',
    ]);
    const rows = select.raw().all() as unknown[][];
    const first = [journal.run, 'critic-2', 'critic', 'ollama', 'org/qwen3:8b'];
    expect(rows.map((row) => row.slice(0, 12))).toEqual([
      [...first, 'done', 100, 20, 30, 1500, 2, 'No.'],
      [...first, 'failed', 100, 20, 30, 1500, 2, 'No.'],
      [...first.slice(0, 3), '', 'bare', 'stopped', 100, 20, 30, 1500, 2, 'N'],
    ]);
  });
});

describe('Store.remove', () => {
  it('deletes everything of the named run and nothing of other runs', () => {
    const store = temporaryStore();
    const [gone, kept] = ['gone', 'kept'].map((question) => {
      const journal = recordRun(store, question, makeCompletedCall());
      journal.commit({ step: 'ask', hash: 'h', result: 1 }, [makeSynthesisFact(1, 'text')]);
      journal.keep([{ step: 'more', attempt: '1', text: 'so far', thinking: '' }]);
      return journal;
    });
    gone?.release();
    store.remove(gone?.run ?? '');
    const db = openDatabase(store);
    for (const [table, column, rows] of [
      ['run', 'id', 1],
      ['fact', 'run_id', 3],
      ['step', 'run_id', 1],
      ['chunk', 'run_id', 1],
    ] as const)
      expect(db.prepare(`SELECT ${column} FROM ${table}`).pluck().all(), table).toEqual(
        Array(rows).fill(kept?.run),
      );
    expect(store.list().map(({ question }) => question)).toEqual(['kept']);
  });

  it('refuses to delete a run that a process owns, even its own process, and leaves the owner as it is', () => {
    const store = temporaryStore();
    const journal = recordRun(store, 'mine');
    expect(() => store.remove(journal.run)).toThrow(/is in use/);
    expect(journal.facts()).toHaveLength(1);
    expect(() => store.own(journal.run), 'it is still owned').toThrow(/is in use/);
  });
});

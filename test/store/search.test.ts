/** Tests the full-text search: it finds what people type, and what was removed is gone from the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Journal } from '../../src/kernel/journal.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { MIGRATIONS } from '../../src/store/schema.ts';
import { snippetOf, splitQuery } from '../../src/store/search.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall, makeRunStarted } from './bodies.ts';
import { temporaryFolder } from './folder.ts';

function recordRun(store: Store, question: string, ...texts: string[]): Journal {
  const journal = store.create('test');
  journal.note([makeRunStarted(question)]);
  for (const [index, text] of texts.entries())
    journal.commit({ step: `s/${index}`, hash: 'h', result: null }, [makeCompletedCall({ text })]);
  return journal;
}

const MIGRATIONS_OF_TODAY = [...MIGRATIONS];

function runSql(file: string, text: string): void {
  const db = new Database(file);
  db.exec(text);
  db.close();
}

const searchQuestions = (store: Store, search: string): string[] =>
  store.list({ search }).map(({ question }) => question);

describe('A search query', () => {
  it('is read as words, without any syntax', () => {
    const store = temporaryStore();
    recordRun(
      store,
      'languages',
      'C++ or C#? "Rust", says -x; NEAR(this) AND that* {x} ^y: 100 %.',
    );
    recordRun(store, 'animals', '犬と猫が庭で遊んでいる');
    recordRun(store, 'food', 'Der Käse ist ausgezeichnet, das Café auch. ÆØÅ');
    for (const typed of ['c++', 'C#', '"', '"rust"', '-x', 'near(', 'that*', '{x}', '^y:', '100 %'])
      expect(searchQuestions(store, typed), typed).toEqual(['languages']);
    for (const typed of ['犬', '猫が', '遊んでいる', '犬 庭'])
      expect(searchQuestions(store, typed), typed).toEqual(['animals']);
    for (const typed of ['kase', 'KÄSE', 'cafe', 'Cafe\u0301', 'ausgez', 'æøå'])
      expect(searchQuestions(store, typed), typed).toEqual(['food']);
    for (const typed of [
      'or and',
      'AND OR',
      '*',
      '""',
      'text:rust',
      'a\u0000b',
      "'; DROP TABLE run",
    ])
      expect(() => store.list({ search: typed }), typed).not.toThrow();
    expect(store.list({ search: ' \n ' })).toHaveLength(3);
    expect(searchQuestions(store, 'x'.repeat(100_000))).toEqual([]);
    expect(() => store.list({ search: 'many words '.repeat(5_000) })).not.toThrow();
  });

  it('finds runs while a word is still being typed', () => {
    const store = temporaryStore();
    recordRun(store, 'Split the monolith?', 'Kubernetes is not the point.');
    for (let length = 1; length <= 'monolith kubernetes'.length; length++)
      expect(searchQuestions(store, 'monolith kubernetes'.slice(0, length))).toHaveLength(1);
  });

  it('finds a run that contains every word in any place', () => {
    const store = temporaryStore();
    recordRun(store, 'Split the monolith?', 'Use kafka.', 'Use postgres.');
    recordRun(store, 'Keep the monolith?', 'Use kafka.');
    expect(searchQuestions(store, 'monolith postgres')).toEqual(['Split the monolith?']);
    expect(searchQuestions(store, 'kafka mono')).toHaveLength(2);
    expect(searchQuestions(store, 'kafka redis')).toEqual([]);
  });

  it('returns the best match first', () => {
    const store = temporaryStore();
    recordRun(store, 'first', 'queue');
    recordRun(store, 'often', 'queue queue queue queue queue');
    recordRun(store, 'in passing', `queue ${'and much about something else '.repeat(40)}`);
    recordRun(store, 'second', 'queue');
    const order = searchQuestions(store, 'queue');
    expect(order[0]).toBe('often');
    expect(order.slice(1, 3)).toEqual(['second', 'first']);
    expect(order[3]).toBe('in passing');
    expect(store.list({ search: 'queue', limit: 2 })).toHaveLength(2);
  });

  it('returns the passage around each match', () => {
    const store = temporaryStore();
    recordRun(store, 'q', `${'before '.repeat(50)}the Needle lies here${' after'.repeat(50)}`);
    const [hit] = store.list({ search: 'needle' });
    expect(hit?.snippet).toMatch(/^… (before )+the Needle lies here( after)+ …$/);
    expect(store.list()[0]).not.toHaveProperty('snippet');
  });

  it('finds text of failed and stopped calls, too', () => {
    const store = temporaryStore();
    const journal = recordRun(store, 'q');
    const {
      v: _v,
      type: _type,
      ...spoken
    } = makeCompletedCall() as ReturnType<typeof makeCompletedCall> & object;
    journal.note([
      {
        ...spoken,
        v: 1,
        type: 'call.failed',
        text: 'halfway',
        code: 'auth',
        message: 'm',
      } as never,
      { ...spoken, v: 1, type: 'call.stopped', text: 'interrupted' } as never,
      fact('question.asked', { number: 2, text: 'furthermore?' }),
    ]);
    for (const word of ['halfway', 'interrupted', 'furthermore'])
      expect(searchQuestions(store, word)).toEqual(['q']);
  });
});

describe('A snippet of a match', () => {
  it('has single spaces, begins with a whole word, and never contains half a character', () => {
    expect(snippetOf('short and whole', ['and'])).toBe('short and whole');
    expect(snippetOf('a\n\n  b\tc', ['b'])).toBe('a b c');
    expect(snippetOf('', ['x'])).toBe('');
    const flags = `${'😀'.repeat(100)}x${'😀'.repeat(100)}`;
    expect(snippetOf(flags, ['x'])).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(snippetOf(`${'é '.repeat(80)}FIN`, ['fin'])).toMatch(/^… (é )+FIN$/);
  });
});

describe('splitQuery', () => {
  it('returns the different words of a query, as the person typed them', () => {
    expect(splitQuery('  a  b\ta\n')).toEqual(['a', 'b']);
    expect(splitQuery('\u0000')).toEqual([]);
  });
});

describe('An older database without a search index', () => {
  it('can be searched like a new database', () => {
    const file = join(temporaryFolder(), 'old.db');
    const migrations = MIGRATIONS as string[];
    const later = migrations.splice(1);
    onTestFinished(() => {
      migrations.splice(1, Infinity, ...MIGRATIONS_OF_TODAY.slice(1));
    });
    const old = Store.open(file, FACTS);
    // Create the tables `queue`, `message` and `imported` in the old database for now, because today's code
    // uses them whenever it writes.
    const newer = MIGRATIONS_OF_TODAY.filter((migration) =>
      /CREATE TABLE (queue|message|imported) /.test(migration),
    );
    runSql(file, newer.join('\n'));
    const before = recordRun(old, 'Old question?', 'the earliest answer');
    before.release();
    old.close();
    const made = newer.flatMap((migration) => [...migration.matchAll(/CREATE TABLE (\w+)/g)]);
    runSql(file, made.map(([, table]) => `DROP TABLE ${table};`).join('\n'));
    migrations.push(...later);
    const store = Store.open(file, FACTS);
    onTestFinished(() => store.close());
    recordRun(store, 'New question?', 'the latest answer');
    expect(searchQuestions(store, 'answer')).toHaveLength(2);
    expect(searchQuestions(store, 'earliest')).toEqual(['Old question?']);
    store.remove(before.run);
    expect(searchQuestions(store, 'earliest')).toEqual([]);
    expect(searchQuestions(store, 'answer')).toEqual(['New question?']);
  });
});

describe('A deleted run', () => {
  /**
   * The number of runs. It is so large that their texts fill several pages of the database, and that SQLite
   * has merged parts of the full-text index.
   */
  const RUNS = 40;

  it('is not found, and none of its words remains in the file', () => {
    const store = temporaryStore();
    const runs = Array.from({ length: RUNS }, (_run, index) =>
      recordRun(
        store,
        `question ${index}?`,
        ...[1, 2, 3].map((part) => `zqx${index}word ${'filling '.repeat(600)} end${part}`),
      ),
    );
    const gone = runs[7] as Journal;
    gone.note([
      makeRunStarted('the secretplan of run seven'),
      makeCompletedCall({ text: `${'wvk'.repeat(3000)}` }),
    ]);
    gone.keep([{ step: 'more', attempt: '1', text: 'halfsaidsecret', thinking: '' }]);
    gone.note([makeCompletedCall({ step: 'more', text: 'jjh' })]);
    gone.release();
    expect(searchQuestions(store, 'secretplan')).toHaveLength(1);
    store.remove(gone.run);
    expect(searchQuestions(store, 'secretplan')).toEqual([]);
    expect(searchQuestions(store, 'zqx7word')).toEqual([]);
    expect(searchQuestions(store, 'zqx8word')).toHaveLength(1);

    const bytes = [store.file, `${store.file}-wal`].map((file) => readFileSync(file, 'latin1'));
    for (const secret of ['secretplan', 'zqx7word', 'wvkwvk', 'halfsaidsecret', gone.run])
      expect(
        bytes.some((all) => all.includes(secret)),
        secret,
      ).toBe(false);
    expect(bytes[0], 'the test can see words').toContain('zqx8word');

    const db = new Database(store.file);
    onTestFinished(() => void db.close());
    db.exec("CREATE VIRTUAL TABLE temp.term USING fts5vocab('main', 'passage_index', 'row')");
    const terms = db.prepare('SELECT term FROM temp.term').pluck().all();
    for (const term of ['vkw', 'kwv', 'jjh', 'etp']) expect(terms).not.toContain(term);
    expect(terms, 'the test can see terms').toContain('zqx');
    db.exec("INSERT INTO passage_index(passage_index, rank) VALUES ('integrity-check', 1)");
  });
});

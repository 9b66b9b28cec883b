import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { openDatabase } from '../../src/store/database.ts';
import { SqliteJournal } from '../../src/store/journal.ts';
import { WalFlush } from '../../src/store/wal-flush.ts';
import { withSyncing } from '../setup/unsynced.ts';
import { makeRunStarted } from './bodies.ts';
import { temporaryFolder } from './folder.ts';

/** Returns a flush that ends when the test says so. */
function flushByHand() {
  const flushes: PromiseWithResolvers<void>[] = [];
  const flush = new WalFlush(() => {
    const flush = Promise.withResolvers<void>();
    flushes.push(flush);
    return flush.promise;
  });
  return { flush, flushes };
}

/** Waits for some turns of the event loop, in which everything that is pending goes on. */
async function waitSomeTurns(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns whether a promise is pending, fulfilled or rejected. */
async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'done' | 'failed'> {
  let state: 'pending' | 'done' | 'failed' = 'pending';
  promise.then(
    () => {
      state = 'done';
    },
    () => {
      state = 'failed';
    },
  );
  await waitSomeTurns();
  return state;
}

describe('A flush of the write-ahead log', () => {
  it('is shared by all writes of one turn of the event loop', async () => {
    const { flush, flushes } = flushByHand();
    for (let write = 0; write < 6; write += 1) flush.begin();
    expect(await stateOf(flush.done())).toBe('pending');
    expect(flushes).toHaveLength(1);
    flushes[0]?.resolve();
    expect(await stateOf(flush.done())).toBe('done');
  });

  it('is followed by another flush if something was written after it began', async () => {
    const { flush, flushes } = flushByHand();
    flush.begin();
    await waitSomeTurns();
    flush.begin();
    const later = flush.done();
    flushes[0]?.resolve();
    expect(await stateOf(later)).toBe('pending');
    expect(flushes).toHaveLength(2);
    flushes[1]?.resolve();
    expect(await stateOf(later)).toBe('done');
  });

  it('that failed makes every later flush fail, too', async () => {
    const { flush, flushes } = flushByHand();
    flush.begin();
    await waitSomeTurns();
    flushes[0]?.reject(new Error('EIO'));
    expect(await stateOf(flush.done())).toBe('failed');
    flush.begin();
    expect(await stateOf(flush.done())).toBe('failed');
    expect(flushes).toHaveLength(1);
  });
});

describe('A journal in the database', () => {
  function openJournal(file: string) {
    withSyncing();
    const db = openDatabase(file, FACTS.sqlViews);
    onTestFinished(() => void db.close());
    db.exec("INSERT INTO run (id, protocol, created_at) VALUES ('r', 'test', '2026-01-01')");
    return { db, journal: new SqliteJournal(db, FACTS, 'r', null, () => undefined) };
  }

  it('reports an error to the caller that waits for stored facts if the write-ahead log cannot be flushed', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const { journal } = openJournal(file);
    // A folder in the place of the write-ahead log makes the flush fail, because a folder cannot be opened for writing.
    renameSync(`${file}-wal`, `${file}-away`);
    mkdirSync(`${file}-wal`);
    journal.note([makeRunStarted('Why?')]);
    await expect(journal.outlasts()).rejects.toMatchObject({ code: 'io' });
    rmSync(`${file}-wal`, { recursive: true });
    renameSync(`${file}-away`, `${file}-wal`);
  });

  it('reports its facts as stored if its database was closed right after they were written', async () => {
    const file = join(temporaryFolder(), 'test.db');
    const { db, journal } = openJournal(file);
    journal.note([makeRunStarted('Why?')]);
    db.close();
    await expect(journal.outlasts()).resolves.toBeUndefined();
  });
});

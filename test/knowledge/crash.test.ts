/** Processes that are killed while they index, and several at once: whole documents, each of them once. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LONG } from '../long.ts';
import { type Child, startScript } from '../store/child.ts';
import { Project } from './project.ts';

const DOCUMENTS = 600;
const KILLS = LONG ? 20 : 4;

function makeProject(): Project {
  const made = new Project();
  for (let at = 0; at < DOCUMENTS; at++)
    made.write(`docs/${at % 7}/${at}.md`, `# One\nbadger ${at}\n\n# Two\nsecond part of ${at}\n`);
  return made;
}

function startIndexer({ database, folder }: Project): Child {
  return startScript(import.meta.url, './indexer.ts', [database, folder, join(folder, 'docs')]);
}

/**
 * Checks that every document in the database is complete and occurs once. Returns the number of
 * documents.
 */
function checkWhole({ database }: Project): number {
  const db = new Database(database);
  const readValue = (sql: string): unknown => db.prepare(sql).pluck().get();
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  const documents = readValue('SELECT count(*) FROM context_document') as number;
  expect(readValue('SELECT count(DISTINCT path) FROM context_document')).toBe(documents);
  expect(readValue('SELECT count(*) FROM context_chunk')).toBe(2 * documents);
  expect(
    readValue("SELECT count(*) FROM context_words_1 WHERE context_words_1 MATCH 'badger'"),
  ).toBe(documents);
  db.close();
  return documents;
}

describe('indexing', () => {
  it(`leaves complete documents after ${KILLS} kills, and finishes the next time`, async () => {
    const made = makeProject();
    const seen: number[] = [];
    for (let life = 0; life < KILLS; life++) {
      const child = startIndexer(made);
      await child.readLine();
      if (life % 2 === 0) await child.readLine();
      await sleep((life + 1) * 7);
      await child.kill();
      seen.push(checkWhole(made));
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const last = startIndexer(made);
    expect((await last.ended).code).toBe(0);
    expect(checkWhole(made)).toBe(DOCUMENTS);
    expect(made.open().update()).toMatchObject({ added: [], changed: [], unchanged: DOCUMENTS });
  });

  it('adds every document once if three processes do it at the same time', async () => {
    const made = makeProject();
    const children = [startIndexer(made), startIndexer(made), startIndexer(made)];
    const ended = await Promise.all(children.map(({ ended: end }) => end));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(checkWhole(made)).toBe(DOCUMENTS);
    const added = children.map(({ lines }) => (lines.at(-1) as { added: number }).added);
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(DOCUMENTS);
  });
});

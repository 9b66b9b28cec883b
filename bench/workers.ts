/**
 * Measures workers on one database: boards with slow models, where more workers should be as many times faster,
 * and boards that need only processor time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { queueBoards } from '../test/crash/boards.ts';
import { startOllama } from '../test/servers/index.ts';
import { atLeast, makeRow, PROGRAM, type Row, runMeasured } from './measure.ts';

/** Words of an answer, which takes about half a second; a large model's answer takes ten times as long. */
const WORDS = 50;
const RATE = 100;
const SERVED = 8;
const REHEARSED = 60;

interface Worked {
  /** Boards per second, from the first call to the last end, without the time to start the program. */
  readonly rate: number;
  /** Milliseconds of processor time for a board, without starting. */
  readonly cpuMs: number;
}

/**
 * Runs the boards.
 * @param start milliseconds of processor time of a worker that finds nothing to do
 */
async function runBoards(
  workers: number,
  boards: number,
  models: readonly [string, ...string[]],
  jobs: number,
  env: Record<string, string>,
  start: number,
): Promise<Worked> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const file = join(folder, 'runs.db');
  try {
    await queueBoards(file, boards, models);
    const args = [PROGRAM, 'worker', '--once', '--quiet', '--jobs', String(jobs), '--db', file];
    const taken = await Promise.all(Array.from({ length: workers }, () => runMeasured(args, env)));
    const db = new Database(file, { readonly: true });
    const { first, last, done } = db
      .prepare<[], { first: string; last: string; done: number }>(
        `SELECT (SELECT min(at) FROM fact WHERE type = 'step.started') AS first, max(ended_at) AS last,
          count(*) FILTER (WHERE status = 'done') AS done FROM runs`,
      )
      .get() ?? { first: '', last: '', done: 0 };
    db.close();
    if (done !== boards) throw new Error(`${done} of ${boards} boards are done`);
    const cpu = taken.reduce((sum, { cpuMs }) => sum + cpuMs, 0) - workers * start;
    return {
      rate: boards / ((Date.parse(last) - Date.parse(first)) / 1000),
      cpuMs: cpu / boards,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures workers on one database. Returns rows for the table of `npm run bench`. */
export async function benchWorkers(): Promise<Row[]> {
  const empty = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const { cpuMs: start } = await runMeasured([
    ...[PROGRAM, 'worker', '--once', '--db', join(empty, 'runs.db')],
  ]);
  rmSync(empty, { recursive: true, force: true });
  const server = await startOllama({
    models: ['a', 'b', 'c'],
    answer: 'word '.repeat(WORDS),
    tokensPerSecond: RATE,
  });
  try {
    const served: Worked[] = [];
    const rehearsed: Worked[] = [];
    for (const workers of [1, 2, 3]) {
      const env = { OLLAMA_HOST: server.url };
      const [a, b, c] = ['ollama/a', 'ollama/b', 'ollama/c'] as const;
      served.push(await runBoards(workers, SERVED * workers, [a, b, c], 1, env, start));
      const stand = 'rehearsal/panel';
      rehearsed.push(await runBoards(workers, REHEARSED, [stand, stand, stand], 4, {}, start));
    }
    const getRatio = (list: readonly Worked[], at: number): number =>
      (list[at]?.rate ?? 0) / (list[0]?.rate ?? 1);
    process.stderr.write(
      `${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}; boards a second with 1, 2, 3 workers: ` +
        `${served.map(({ rate }) => rate.toFixed(2)).join(', ')} with models, ` +
        `${rehearsed.map(({ rate }) => rate.toFixed(1)).join(', ')} without; processor for one: ` +
        `${[...served, ...rehearsed].map(({ cpuMs }) => cpuMs.toFixed(0)).join(', ')} ms\n`,
    );
    return [
      atLeast(
        'workers: two over one where models take their time, of 2',
        getRatio(served, 1) / 2,
        0.8,
      ),
      atLeast(
        'workers: three over one where models take their time, of 3',
        getRatio(served, 2) / 3,
        0.7,
      ),
      makeRow(
        'workers: processor for a board, with two over one',
        (rehearsed[1]?.cpuMs ?? 0) / (rehearsed[0]?.cpuMs ?? 1),
        1.5,
      ),
    ];
  } finally {
    await server.close();
  }
}

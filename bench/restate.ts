/**
 * Measures what it costs to have the log of runs at a Restate server: a durable step compared with one in a
 * database on the same disk, and boards per second with one worker and with several. Without the server
 * nothing is measured.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyRemoteRuns, submitRun } from '../src/app/elsewhere/mirror.ts';
import { readFlags } from '../src/app/flags.ts';
import { CollectedOutput } from '../src/io/collected.ts';
import { fact } from '../src/kernel/facts.ts';
import { PROTOCOLS } from '../src/protocols/registry/registry.ts';
import { FACTS } from '../src/protocols/vocabulary.ts';
import { RestateClient, registerWorkers } from '../src/restate/client.ts';
import { serveWorker } from '../src/restate/endpoint.ts';
import type { Batch } from '../src/restate/handed.ts';
import type { Attempt } from '../src/restate/service.ts';
import { Store } from '../src/store/store.ts';
import { queueBoards } from '../test/crash/boards.ts';
import { startOllama } from '../test/servers/index.ts';
import { RESTATE_PROGRAM, RestateProcess } from '../test/servers/restate-process.ts';
import { atLeast, makeRow, PROGRAM, type Row } from './measure.ts';

const STEPS = 300;
const TEXT = 'x'.repeat(4_000);
const SIDE_BY_SIDE = 20;
const SERVED = 24;
const REHEARSED = 60;

/**
 * Measures how long a step takes in a run whose log is at a Restate server, and how many boards a second workers
 * finish there. Returns rows for the table of `npm run bench`; none if no Restate server is installed.
 */
export async function benchRestate(): Promise<Row[]> {
  if (RESTATE_PROGRAM === undefined) {
    process.stderr.write('DELIBERATE_RESTATE_SERVER names no Restate server: passed over\n');
    return [];
  }
  return [...(await measureSteps()), ...(await measureBoards())];
}

async function measureSteps(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const server = await RestateProcess.begin(folder);
  const listening = await serveWorker({
    host: '127.0.0.1',
    port: server.listen,
    isFull: () => false,
    open: () => new Steps(),
  });
  try {
    const never = new AbortController().signal;
    await registerWorkers(
      server.address,
      server.admin,
      `http://127.0.0.1:${listening.port}`,
      never,
    );
    const inDatabase = databaseSteps(join(folder, 'runs.db'));
    const timeRun = async (key: string): Promise<number> => {
      const began = performance.now();
      await fetch(`${server.address}/deliberate/${key}/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }).then((response) => response.text());
      return performance.now() - began;
    };
    await timeRun('warm');
    const alone = (await timeRun('alone')) / STEPS;
    const began = performance.now();
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, at) => timeRun(`beside-${at}`)));
    const beside = (performance.now() - began) / (SIDE_BY_SIDE * STEPS);
    const read = performance.now();
    for (let after = 0; after < STEPS; )
      after += (await new RestateClient(server.address).read('alone', after)).length;
    process.stderr.write(
      `  ms of a step: ${inDatabase.toFixed(2)}, ${alone.toFixed(2)}, ${beside.toFixed(2)}\n`,
    );
    const readMs = (performance.now() - read) / STEPS;
    return [
      makeRow(
        'a durable step of 4 kB on Restate, over one in the database',
        alone / inDatabase,
        30,
        ' x',
        1,
      ),
      makeRow(`the same, ${SIDE_BY_SIDE} runs side by side`, beside / inDatabase, 15, ' x', 1),
      makeRow('a step read from outside, over one made durable there', readMs / alone, 1),
    ];
  } finally {
    listening.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the milliseconds of a step in the database. */
function databaseSteps(file: string): number {
  const store = Store.open(file, FACTS);
  const journal = store.create('board');
  const commitStep = (at: number): void => {
    const step = `step/${at}`;
    journal.commit({ step, hash: '', result: TEXT }, [
      fact('step.completed', { step, attempt: 'a' }),
    ]);
  };
  for (let at = 0; at < STEPS; at += 1) commitStep(at);
  const began = performance.now();
  for (let at = 0; at < STEPS; at += 1) commitStep(STEPS + at);
  const each = (performance.now() - began) / STEPS;
  store.close();
  return each;
}

/** An attempt that only records steps; other methods do nothing. */
class Steps implements Attempt {
  #made = 0;

  next(): Promise<Batch> {
    this.#made += 1;
    const type = this.#made < STEPS ? 'step.completed' : 'run.ended';
    const fact = { run: '', seq: this.#made, at: '', v: 1, type, status: 'done', text: TEXT };
    return Promise.resolve({ entries: [{ facts: [fact] }] });
  }

  take(): void {
    // Restate has confirmed the batch, and this measurement keeps no copy of its own.
  }

  stop(): void {
    // Nothing to do, because this measurement never stops a run.
  }

  answer(): void {
    // Nothing to do, because the runs of this measurement ask no person.
  }

  drop(): void {
    // There is no work to end, because `next` only counts its calls.
  }
}

async function measureBoards(): Promise<Row[]> {
  const server = await startOllama({ models: ['a', 'b', 'c'], tokensPerSecond: 100 });
  try {
    const rates = { served: [] as number[], rehearsed: [] as number[] };
    const env = { OLLAMA_HOST: server.url };
    for (const workers of [1, 2, 3]) {
      rates.served.push(
        await measureRate(workers, SERVED, ['ollama/a', 'ollama/b', 'ollama/c'], 4, env),
      );
      rates.rehearsed.push(await measureRate(workers, REHEARSED, ['rehearsal/panel'], 8, env));
    }
    for (const [what, each] of Object.entries(rates))
      process.stderr.write(
        `  boards a second, ${what}: ${each.map((rate) => rate.toFixed(1)).join(', ')}\n`,
      );
    const toShares = (each: readonly number[]): number[] =>
      each.map((rate, at) => rate / ((each[0] ?? 1) * (at + 1)));
    const [, two = 0, three = 0] = toShares(rates.served);
    const [, twoOfCpu = 0] = toShares(rates.rehearsed);
    return [
      atLeast('boards a second of 2 workers on Restate, of twice one, models take time', two, 0.7),
      atLeast('the same of 3 workers, of three times one', three, 0.5),
      atLeast('boards a second of 2 workers on Restate, of twice one, the stand-in', twoOfCpu, 0.4),
    ];
  } finally {
    await server.close();
  }
}

/** Measures boards per second, from the first call to the last end. */
async function measureRate(
  workers: number,
  count: number,
  models: readonly [string, ...string[]],
  jobs: number,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-bench-'));
  const server = await RestateProcess.begin(folder);
  const children = Array.from({ length: workers }, (_, at) =>
    spawn(
      process.execPath,
      [
        PROGRAM,
        ...server.worker,
        '--listen',
        `${server.listen}`,
        '--jobs',
        `${jobs}`,
        '--concurrency',
        '99',
      ],
      {
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          DELIBERATE_DB: join(folder, `${at}.db`),
          ...env,
        },
        stdio: 'ignore',
      },
    ),
  );
  try {
    await sleep(4_000);
    const file = join(folder, 'runs.db');
    const runs = await queueBoards(file, count, models);
    const store = Store.open(file, FACTS);
    for (const run of runs) {
      store.dequeue(run);
      store.elsewhere.begin(run, { address: server.address, key: run, answered: 'by nobody' });
    }
    await Promise.all(runs.map((run) => submitRun(store, run)));
    const flags = readFlags({ db: file, quiet: true });
    const [out, err] = [new CollectedOutput(), new CollectedOutput()];
    const call = {
      command: '',
      words: [],
      flags,
      env: {},
      protocols: PROTOCOLS,
      stdin: process.stdin,
      out,
      err,
    };
    while (store.elsewhere.openRuns().length > 0) {
      await sleep(1_000);
      await copyRemoteRuns(call, store);
    }
    const times = runs.flatMap((run) => store.facts(run).map(({ type, at }) => ({ type, at })));
    store.close();
    const listTimes = (wanted: string): number[] =>
      times.filter(({ type }) => type === wanted).map((time) => Date.parse(time.at));
    return (
      count /
      ((Math.max(...listTimes('run.ended')) - Math.min(...listTimes('step.started'))) / 1000)
    );
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

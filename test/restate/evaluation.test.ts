/**
 * Promise: an evaluation whose cells are worked on by three workers of a Restate server, one of them killed
 * with -9 again and again, comes to the same answers as one in the database that nobody disturbs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Program } from '../e2e/program.ts';
import { makeAnswerer } from '../evaluation/answerer.ts';
import { outcomesIn, runEvaluation, toComparable } from '../evaluation/evaluations.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { NO_RESTATE, RestateServer } from '../servers/restate.ts';
import { RESTATE } from '../servers/restate-process.ts';
import { needAll } from '../setup/needs.ts';
import { temporaryFolder } from '../store/folder.ts';

const WORKERS = 3;
const ITEMS = LONG ? 60 : 4;
/** Milliseconds from one kill to the next. */
const EVERY_MS = LONG ? 10_000 : 1_500;
/** Tokens a second, so that kills come in the middle of answers. */
const PACE = LONG ? 400 : 1_000;

needAll(RESTATE !== undefined, NO_RESTATE);

it(`three workers, one of them killed every ${EVERY_MS / 1000} s, give the same answers as an evaluation in one process`, async () => {
  const server = await startOllama({
    models: ['a'],
    answer: makeAnswerer(15),
    tokensPerSecond: PACE,
  });
  onTestFinished(() => server.close());
  const flags = {
    arms: 'single,vote,board',
    concurrency: 6,
    model: 'ollama/a',
    size: `${ITEMS}`,
  };
  const whole = await runEvaluation({ folder: temporaryFolder(), server }, ['puzzles'], flags);

  const restate = await RestateServer.start();
  const env = { OLLAMA_HOST: server.url };
  const startWorker = (): Promise<Program> => restate.startWorker(env, ['--jobs', '3']);
  const workers = [];
  for (let at = 0; at < WORKERS; at += 1) workers.push(await startWorker());
  const over = new AbortController();
  let kills = 0;
  const killing = (async () => {
    while (!over.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const victim = workers.shift();
      victim?.child.kill('SIGKILL');
      await victim?.ended;
      kills += 1;
      workers.push(await startWorker());
    }
  })();
  const there = await runEvaluation({ folder: temporaryFolder(), server }, ['puzzles'], {
    ...flags,
    engine: 'restate',
    restate: restate.address,
  });
  over.abort();
  await killing;
  expect([there.code, kills > 0]).toEqual([0, true]);
  const listAnswers = (out: string) =>
    toComparable(outcomesIn(out)).map((outcome) => ({ ...(outcome as object), resent: 0 }));
  expect(listAnswers(there.out)).toEqual(listAnswers(whole.out));
  if (LONG) console.info(`${outcomesIn(there.out).length} answers, ${kills} kills`);
}, 3_600_000);

/**
 * Promise: several workers on one database, killed with -9 again and again, bring every queued run to its
 * end. Nothing that was recorded is asked again, and what is sent twice are the calls that a kill cut off.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { computeDigest } from '../../src/kernel/digest.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { answerRequest, identityOf } from '../e2e/deliberators.ts';
import { Program } from '../e2e/program.ts';
import { closeAfterTest, makeFolder } from '../e2e/scene.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { queueBoards } from './boards.ts';
import { expectSoundLog, findUnfinishedCalls } from './lives.ts';

const RUNS = LONG ? 120 : 8;
const KILLS = LONG ? 40 : 3;
const WORKERS = 2;
/** Calls of one worker that its server answers at the same time. */
const CONCURRENCY = 3;
/** Tokens per second. At this pace most kills come in the middle of an answer. */
const PACE = 120;

it(`${WORKERS} workers that are killed ${KILLS} times finish ${RUNS} boards and repeat no recorded call`, async () => {
  const file = join(makeFolder(), 'runs.db');
  const server = closeAfterTest(
    await startOllama({ models: ['a', 'b', 'c'], answer: answerRequest, tokensPerSecond: PACE }),
  );
  const runs = await queueBoards(file, RUNS, ['ollama/a', 'ollama/b', 'ollama/c']);
  const startWorker = (): Program =>
    new Program(
      ['worker', '--once', '--jobs', '2', '--concurrency', `${CONCURRENCY}`, '--db', file],
      { env: { OLLAMA_HOST: server.url } },
    );
  const listRequests = (): string[] => server.chats().map(identityOf);
  let workers = Array.from({ length: WORKERS }, startWorker);
  let killed = 0;
  while (killed < KILLS) {
    // Wait until the workers send requests: killing a program that is only starting would show
    // nothing.
    const before = listRequests().length;
    const atWork = workers.filter(({ child }) => child.exitCode === null);
    if (atWork.length === 0) break;
    if (listRequests().length === before) await sleep(100 + drawChance(killed) * 400);
    if (listRequests().length === before) continue;
    const victim = atWork[killed % atWork.length];
    victim?.child.kill('SIGKILL');
    const { signal } = (await victim?.ended) ?? {};
    if (signal === 'SIGKILL') killed += 1;
    workers = [...workers.filter((worker) => worker !== victim), startWorker()];
  }
  expect(killed, 'they were done before they could be killed').toBe(KILLS);
  for (const { code, err } of await Promise.all(workers.map(({ ended }) => ended)))
    expect([code, err]).toEqual([0, '']);

  const db = new Database(file, { readonly: true });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.prepare('SELECT count(*) FROM queue').pluck().get()).toBe(0);
  db.close();
  const store = Store.open(file, FACTS);
  let [recorded, cutOff] = [0, 0];
  for (const run of runs) {
    const facts = filterKnownFacts(store.facts(run));
    expectSoundLog(facts);
    expect(viewOf(facts).status).toBe('done');
    expect(listFactsOfType(facts, 'call.failed')).toEqual([]);
    recorded += listFactsOfType(facts, 'call.completed').length;
    cutOff += findUnfinishedCalls(facts).length;
  }
  store.close();
  const sent = listRequests();
  const resent = sent.length - new Set(sent).size;
  // A kill ends one worker, which runs at most `CONCURRENCY` calls at the same time. Only calls that a kill cut
  // off may be sent again.
  expect(resent).toBeLessThanOrEqual(CONCURRENCY * killed);
  expect(sent.length).toBeLessThanOrEqual(recorded + cutOff);
  expect(new Set(sent).size).toBe(recorded);
  if (LONG)
    console.info(`${RUNS} boards, ${killed} kills, ${recorded} calls, ${resent} sent again`);
}, 3_600_000);

/** Returns a number from 0 to below 1, the same for the same number. */
function drawChance(of: number): number {
  return Number.parseInt(computeDigest({ of }).slice(0, 4), 16) / 0xffff;
}

/**
 * Promise: workers and the Restate server itself, killed with -9 again and again, lose no run. Nothing that
 * was recorded is asked again, and what is sent twice are the calls that a kill cut off.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { expectSoundLog, findUnfinishedCalls } from '../crash/lives.ts';
import { answerRequest, identityOf, PANEL_FLAGS } from '../e2e/deliberators.ts';
import { closeAfterTest, makeDatabasePath } from '../e2e/scene.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { LONG } from '../long.ts';
import { startOllama } from '../servers/index.ts';
import { NO_RESTATE, RestateServer } from '../servers/restate.ts';
import { RESTATE_PROGRAM } from '../servers/restate-process.ts';
import { needAll } from '../setup/needs.ts';
import { waitUntil } from '../until.ts';
import { runInThisProcess } from './here.ts';

const BOARDS = LONG ? 40 : 4;
const KILLS = LONG ? 20 : 3;
const WORKERS = 2;
const CONCURRENCY = 3;
/** Tokens a second, so that most kills come in the middle of an answer. */
const PACE = 120;

needAll(RESTATE_PROGRAM !== undefined, NO_RESTATE);

it(`all queued runs finish although workers and the Restate server are killed ${KILLS} times`, async () => {
  const server = closeAfterTest(
    await startOllama({ models: ['a', 'b', 'c'], answer: answerRequest, tokensPerSecond: PACE }),
  );
  // Give the Restate server four partitions, because most servers have several. After a kill, these come back
  // one after another.
  const restate = await RestateServer.start(4);
  const [env, db] = [{ OLLAMA_HOST: server.url }, makeDatabasePath()];
  const startWorker = () =>
    restate.startWorker(env, ['--jobs', '2', '--concurrency', `${CONCURRENCY}`]);
  let workers = [await startWorker(), await startWorker()];
  const seats = ['advocate=ollama/a', 'critic=ollama/b', 'analyst=ollama/c'];
  const own = { ...env, DELIBERATE_DB: db };
  const queueRun = async (words: readonly string[]): Promise<string> =>
    (await runInThisProcess([...words, '--queue', ...restate.flags], own)).trim();
  const runs: string[] = [];
  for (let at = 0; at < BOARDS; at += 1)
    runs.push(
      await queueRun(['board', ...seats.flatMap((seat) => ['--seat', seat]), `Split part ${at}?`]),
    );
  runs.push(await queueRun(['rounds', ...PANEL_FLAGS, '--rounds', '1', '--yes', 'Split it all?']));

  const listRequests = (): string[] => server.chats().map(identityOf);
  let cut = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Wait until the workers send requests, because killing a worker that only waits would show nothing.
    const before = listRequests().length;
    await waitUntil(
      () => listRequests().length > before,
      () => 'they were done before they could be killed',
    );
    await sleep(150 + ((kill * 137) % 300));
    if (kill % 4 === 2) {
      await restate.kill();
      await restate.restart();
      cut += WORKERS;
      continue;
    }
    const [victim, ...others] = workers;
    victim?.child.kill('SIGKILL');
    await victim?.ended;
    cut += 1;
    workers = [...others, await startWorker()];
  }
  for (const id of runs) await runInThisProcess(['watch', id, '--plain', '--quiet'], own);

  const store = Store.open(db, FACTS);
  let [recorded, begun] = [0, 0];
  for (const id of runs) {
    const facts = filterKnownFacts(store.facts(id));
    expectSoundLog(facts);
    expect(viewOf(facts).status).toBe('done');
    expect(listFactsOfType(facts, 'call.failed')).toEqual([]);
    recorded += listFactsOfType(facts, 'call.completed').length;
    begun += findUnfinishedCalls(facts).length;
  }
  store.close();
  const sent = listRequests();
  const resent = sent.length - new Set(sent).size;
  expect(resent).toBeLessThanOrEqual(CONCURRENCY * cut);
  // Every interrupted call has a recorded start, because the start is stored before the request is sent.
  expect(sent.length).toBeLessThanOrEqual(recorded + begun);
  expect(new Set(sent).size).toBe(recorded);
  if (LONG) console.info(`${runs.length} runs, ${cut} cut off, ${recorded} calls, ${resent} again`);
  for (const { child, ended } of workers) {
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
}, 3_600_000);

/** Runs whose log is at a Restate server: the same as any other, read and spoken to from outside. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { RestateClient, registerWorkers } from '../../src/restate/client.ts';
import { serveWorker as serveRuns } from '../../src/restate/endpoint.ts';
import type { Batch, SubmittedRun } from '../../src/restate/handed.ts';
import { Store } from '../../src/store/store.ts';
import { answerRequest, PANEL_FLAGS } from '../e2e/deliberators.ts';
import { runProgram } from '../e2e/program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from '../e2e/scene.ts';
import { type Fact, filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { findFreePorts } from '../servers/free-ports.ts';
import { startOllama } from '../servers/index.ts';
import { NO_RESTATE, RestateServer } from '../servers/restate.ts';
import { RESTATE_PROGRAM } from '../servers/restate-process.ts';
import { needAll } from '../setup/needs.ts';
import { waitUntil } from '../until.ts';
import { runInThisProcess } from './here.ts';

const FAST = ['--rehearse', '--rehearse-speed', '1000'];
/** The stand-in, with a seed whose signals ask after round 6. */
const ASKING = [
  ...['rounds', ...FAST, '--preset', 'software-review', '--rounds', '10', '--seed', '4'],
  ...['--stop-at', 'ask', 'Should we split it?'],
];
const BOARD = ['ollama/a', 'ollama/b', 'ollama/c'].flatMap((model, at) => [
  '--seat',
  `${['advocate', 'critic', 'analyst'][at]}=${model}`,
]);

function inStore<T>(db: string, look: (store: Store) => T): T {
  const store = Store.open(db, FACTS);
  try {
    return look(store);
  } finally {
    store.close();
  }
}

const stepsOf = (db: string) =>
  inStore(db, (store) =>
    store
      .archive(store.find('latest'), '')
      .steps.map(({ key, hash, result }) => `${key} ${hash} ${JSON.stringify(result)}`)
      .sort(),
  );

const factsOf = (db: string, id = 'latest') =>
  inStore(db, (store) => filterKnownFacts(store.facts(store.find(id))));

/**
 * Returns facts without what differs between runs with the same answers, sorted, since parallel calls end in
 * any order.
 */
function reduceToEssence(facts: readonly Fact[]): string[] {
  const own = new Set([
    'run',
    'drafted_in',
    'seq',
    'at',
    'attempt',
    'latencyMs',
    'firstTokenMs',
    'ms',
  ]);
  return facts
    .map((fact) =>
      JSON.stringify(fact, (key, value: unknown) => (own.has(key) ? undefined : value)),
    )
    .sort();
}

/** Waits until `list` shows so many runs with a status. */
async function untilListed(
  status: string,
  env: Readonly<Record<string, string>>,
  count = 1,
): Promise<void> {
  await waitUntil(
    async () => (await runInThisProcess(['list'], env)).split(`  ${status}  `).length > count,
    `${count} runs that are ${status}`,
  );
}

needAll(RESTATE_PROGRAM !== undefined, NO_RESTATE);

it('a board and a deliberation in rounds record the same facts at a Restate server as in the database', async () => {
  const server = closeAfterTest(
    await startOllama({ models: ['a', 'b', 'c'], answer: answerRequest }),
  );
  const restate = await RestateServer.start();
  const env = { OLLAMA_HOST: server.url };
  await restate.startWorker(env);
  const calls = [
    ['board', ...BOARD, '--seed', '3', 'Should we split it?'],
    ['rounds', ...PANEL_FLAGS, '--rounds', '1', '--seed', '3', '--yes', 'Should we split it?'],
  ];
  for (const words of calls) {
    const [db, there] = [makeDatabasePath(), makeDatabasePath()];
    const plain = await runInThisProcess([...words, '--plain'], { ...env, DELIBERATE_DB: db });
    const options = { env: { ...env, DELIBERATE_DB: there } };
    const shown = await runProgram([...words, '--plain', ...restate.flags], options);
    expect([shown.code, shown.err]).toEqual([0, expect.stringMatching(/ done\. /)]);
    expect(shown.out.split('\n').sort()).toEqual(plain.split('\n').sort());
    expect(reduceToEssence(factsOf(there))).toEqual(reduceToEssence(factsOf(db)));
    // The results of steps were copied as well, so a run that continues from the copy asks no model again.
    expect(stepsOf(there)).toEqual(stepsOf(db));
  }
});

it('a run can be listed, watched, exported and stopped from another process', async () => {
  const restate = await RestateServer.start();
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const early = await runProgram(['board', ...FAST, '--queue', ...restate.flags, 'Early?'], {
    env,
  });
  expect([early.code, early.err]).toEqual([1, expect.stringMatching(/no worker has come .* yet/)]);
  const worker = await restate.startWorker();
  // The run `Early?` was queued before this worker started. The next command, here `list`, hands the run over
  // to the worker.
  expect((await runProgram(['list'], { env })).code).toBe(0);
  await waitUntil(() => worker.out.includes(' done '), 'run that is done');

  const slow = ['board', '--rehearse', '--rehearse-speed', '1', '--queue', ...restate.flags];
  const queued = await runProgram([...slow, 'Slow?'], { env });
  const id = queued.out.trim();
  expect(queued.err).toContain('is queued. deliberate worker --engine restate');
  await untilListed('running', env);
  const own = await runProgram(['resume', id], { env });
  expect([own.code, own.err]).toEqual([1, expect.stringContaining('a worker of http://127.0.0.1')]);
  expect((await runProgram(['stop', id], { env })).err).toMatch(/^Stopping\./);
  const watched = await runProgram(['watch', id, '--plain'], { env });
  expect([watched.code, watched.err]).toEqual([0, expect.stringContaining('is asked')]);
  expect(viewIn(env.DELIBERATE_DB).status).toBe('stopped');
  await worker.waitForStderr(/run \S+ stopped/);

  // The stopped run can be resumed, and its export is complete.
  const again = await runProgram(
    ['resume', id, '--rehearse-speed', '1000', '--plain', '--quiet', ...restate.flags],
    { env },
  );
  expect(again.code).toBe(0);
  const file = `${makeFolder()}/run.json`;
  await runInThisProcess(['export', id, '--format', 'json', '--to', file], env);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ run: id, status: 'done' });
  await runInThisProcess(['import', file], { DELIBERATE_DB: makeDatabasePath() });

  await restate.kill();
  const gone = await runProgram([...slow, 'Gone?'], { env });
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('cannot be reached')]);
  const list = await runProgram(['list'], { env });
  expect([list.code, list.err]).toEqual([0, expect.stringContaining('shown is what was copied')]);
  expect(list.out.split('\n')).toHaveLength(4);
  expect(list.out).toMatch(/ {2}done {2}.*Early\?/);
});

it('a worker that is told to shut down returns its runs to the queue', async () => {
  const restate = await RestateServer.start();
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const first = await restate.startWorker();
  const slow = ['board', '--rehearse', '--rehearse-speed', '3', '--queue', ...restate.flags];
  const id = (await runInThisProcess([...slow, 'Why?'], env)).trim();
  await untilListed('running', env);
  first.child.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0, signal: null, out: '' });
  await restate.startWorker();
  await runInThisProcess(['watch', id, '--plain', '--quiet'], env);
  const facts = factsOf(env.DELIBERATE_DB, id);
  // The interrupted calls were recorded before the worker ended, and the worker did not record an end of the
  // attempt.
  expect(listFactsOfType(facts, 'call.stopped').length).toBeGreaterThan(0);
  expect(listFactsOfType(facts, 'run.ended').map(({ status }) => status)).toEqual(['done']);

  const forked = await runProgram(
    ['fork', id, '--at', 'synthesis/1', '--set', 'synthesizer=rehearsal/panel', '--plain'],
    { env },
  );
  expect(forked.code).toBe(0);
  const again = await runProgram(['ask', 'latest', 'And then?', ...restate.flags], { env });
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('forked from')]);
});

it('a run that waits for an answer occupies no worker', async () => {
  const restate = await RestateServer.start();
  const key = 'waits.1';
  const step = 'gate/1';
  const heard: string[] = [];
  const makeFact = (seq: number, body: object) => ({
    run: 'waits',
    seq,
    at: '2026-01-01T00:00:00.000Z',
    v: 1,
    ...(body as { type: string }),
  });
  const end: Batch = { entries: [{ facts: [makeFact(2, { type: 'run.ended', status: 'done' })] }] };
  const gate: Batch = { entries: [{ facts: [makeFact(1, { type: 'gate.opened', step })] }] };
  const wait: Batch = { entries: [], waits: true };
  const batches = [gate, wait, end, end];
  const listening = await serveRuns({
    host: '127.0.0.1',
    port: restate.listen,
    isFull: () => false,
    open: () => ({
      next: () => Promise.resolve(batches[heard.push('next') - 1] ?? { entries: [] }),
      take: () => undefined,
      stop: () => undefined,
      answer: (_step, { value }) => void heard.push(`answer ${value}`),
      drop: () => undefined,
    }),
  });
  onTestFinished(() => listening.close());
  const uri = `http://127.0.0.1:${listening.port}`;
  await registerWorkers(restate.address, restate.admin, uri, new AbortController().signal);
  const client = new RestateClient(restate.address);
  await client.submit(key, {} as SubmittedRun);
  expect(await client.read(key, 1, { wait: true })).toHaveLength(1);
  await sleep(500);
  expect(heard).toEqual(['next', 'next']);
  expect(await client.answer(key, step, { by: 'person', value: 'go' })).toBe(true);
  expect(await client.answer(key, step, { by: 'person', value: 'stop' })).toBe(false);
  expect(await client.read(key, 2, { wait: true })).toHaveLength(1);
  expect(heard).toEqual(['next', 'next', 'answer go', 'next']);
});

it('a worker of a Restate server finishes the runs of another worker that was killed', async () => {
  const restate = await RestateServer.start();
  const ports = await findFreePorts(2);
  const balancer = await startBalancer(ports);
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const workers = await Promise.all(
    ports.map((port) =>
      restate.startWorker({}, ['--listen', `${port}`, '--advertise', balancer], []),
    ),
  );
  const slow = ['board', '--rehearse', '--rehearse-speed', '8', '--queue', ...restate.flags];
  for (let at = 0; at < 12; at += 1) await runInThisProcess([...slow, `Part ${at}?`], env);
  // Wait until each of the two workers has finished a run, so that both work. After the kill, one worker is
  // left for all other runs.
  await waitUntil(
    () => workers.every(({ out }) => out.includes(' done ')),
    'run that is done by each worker',
  );
  workers[0]?.child.kill('SIGKILL');
  await untilListed('done', env, 12);
});

/** Starts a server that passes connections on to the ports in turn. Resolves to its address. */
async function startBalancer(ports: readonly number[]): Promise<string> {
  let turn = 0;
  const connectNext = (from: Socket, left = ports.length): void => {
    const to = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1');
    to.once('connect', () => from.pipe(to).pipe(from));
    to.on('error', () =>
      to.readyState === 'open' || left === 0 ? from.destroy() : connectNext(from, left - 1),
    );
    to.on('close', () => to.bytesRead > 0 && from.destroy());
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  };
  const server = createServer((from) => connectNext(from)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a run’s question can be answered from another process', async () => {
  const restate = await RestateServer.start();
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const first = await restate.startWorker({}, ['--jobs', '1']);
  const id = (await runInThisProcess([...ASKING, '--queue', ...restate.flags], env)).trim();
  await first.waitForStderr(/asks: /);
  // The worker's only slot is free while the first run waits for an answer, so the worker takes the next run.
  await runInThisProcess(['board', ...FAST, '--plain', ...restate.flags, 'Why?'], env);
  const asked = await runProgram(['answer', id], { env });
  expect([asked.code, asked.out]).toEqual([0, expect.stringMatching(/^ {2}stop {2}/m)]);
  first.child.kill('SIGKILL');
  await first.ended;
  const nobody = await runProgram(['answer', id, 'stop'], { env });
  expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('counts once one does')]);
  await restate.startWorker();
  await runInThisProcess(['watch', id, '--plain'], env);
  const late = await runProgram(['answer', id, 'continue'], { env });
  expect([late.code, late.err]).toEqual([
    1,
    expect.stringContaining('is not waiting for an answer'),
  ]);
  expect(await runInThisProcess(['show', id], env)).toMatch(/Stopped by hand after round \d/);
  expect(listFactsOfType(factsOf(env.DELIBERATE_DB, id), 'gate.answered').length).toBe(1);
});

/** Tests runs that are left to workers: queued, started, returned, stopped, waiting for an answer. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { filterKnownFacts } from '../every-fact.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { waitUntil } from '../until.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import { makeDatabasePath, makeFolder, viewIn } from './scene.ts';

const FAST = ['--rehearse', '--rehearse-speed', '1000'];
const ONCE = ['worker', '--once'];
/** Flags of a rehearsal with a seed whose signals lead to a question after round 4. */
const ASKING = [
  ...['rounds', ...FAST, '--preset', 'software-review', '--rounds', '6', '--seed', '5'],
  ...['--stress', 'none', '--stop-at', 'ask', '--queue', 'Should we split it?'],
];

function inStore<T>(db: string, look: (store: Store) => T): T {
  const store = Store.open(db, FACTS);
  try {
    return look(store);
  } finally {
    store.close();
  }
}

const statusOf = (db: string, id: string) => inStore(db, (store) => store.summary(id).status);
const factsOf = (db: string, id: string) =>
  inStore(db, (store) => filterKnownFacts(store.facts(id)));

it('a queued run waits for a worker, and can be watched meanwhile', async () => {
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const queued = await runDeliberate(['board', ...FAST, '--queue', 'Why?'], { env });
  const { id, status, calls } = viewIn(env.DELIBERATE_DB);
  expect(queued).toMatchObject({ code: 0, out: `${id}\n` });
  expect(queued.err).toContain(`run ${id.slice(0, 13)} is queued. deliberate worker`);
  expect([status, calls]).toEqual(['running', {}]);
  expect((await runDeliberate(['list'], { env })).out).toContain('  queued  ');
  const watching = new Program(['watch', id], { env });
  await watching.waitForStderr(/is queued\. deliberate worker/);
  const worked = await runDeliberate(ONCE, { env });
  expect(worked).toMatchObject({ code: 0, err: '' });
  expect(worked.out).toMatch(/^\S{13} {2}.{16} {2}board {3}done {2}.* REHEARSAL Why\?\n$/);
  expect((await watching.ended).out).toContain('# Synthesis v1');
  // The run is done, so no worker takes it again, until a follow-up question puts it into the queue.
  expect(await runDeliberate(ONCE, { env })).toMatchObject({ code: 0, out: '', err: '' });
  await runDeliberate(['ask', id, 'And then?', '--rehearse-speed', '1000', '--queue'], { env });
  const again = await runDeliberate([...ONCE, '--json'], { env });
  expect(JSON.parse(again.out)).toMatchObject({ id, status: 'done' });
  expect(viewIn(env.DELIBERATE_DB).syntheses).toHaveLength(2);
});

it('a run that waits for a person’s answer occupies no worker', async () => {
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const { out } = await runDeliberate(ASKING, { env });
  const id = out.trim();
  await runDeliberate(['board', ...FAST, '--queue', 'Why?'], { env });
  const first = new Program(['worker', '--jobs', '1'], { env });
  await first.waitForStderr(/asks: .*\? deliberate answer \S+ stop\|continue/);
  // The worker has one slot, which goes to the next run while the first run waits for an answer.
  await waitUntil(() => first.out.includes('Why?'), 'line of a run');
  first.child.kill('SIGKILL');
  await first.ended;
  expect(statusOf(env.DELIBERATE_DB, id)).toBe('queued');
  const countGates = (): number =>
    listFactsOfType(factsOf(env.DELIBERATE_DB, id), 'gate.opened').length;
  expect(await runDeliberate(ONCE, { env })).toMatchObject({ code: 0, out: '', err: '' });
  expect(countGates(), 'nobody took it').toBe(1);
  expect(await runDeliberate(['answer', id, 'stop'], { env })).toMatchObject({
    code: 0,
    err: 'Answered.\n',
  });
  const second = await runDeliberate(ONCE, { env });
  expect(second.out).toContain('rounds  done');
  expect((await runDeliberate(['show', id], { env })).out).toMatch(
    /Stopped by hand after round \d/,
  );
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a worker that gets %s returns its runs, and another worker continues them',
  async (signal) => {
    const env = { DELIBERATE_DB: makeDatabasePath() };
    const speed = ['--rehearse', '--rehearse-speed', '3'];
    const { out } = await runDeliberate(['board', ...speed, '--queue', 'Why?'], { env });
    const id = out.trim();
    const first = new Program(['worker'], { env });
    await waitUntil(
      () => listFactsOfType(factsOf(env.DELIBERATE_DB, id), 'step.started').length === 3,
      'three steps',
    );
    first.child.kill(signal);
    expect(await first.ended).toMatchObject({
      code: 0,
      signal: null,
      out: '',
      err: expect.stringContaining(`run ${id.slice(0, 13)} returned to the queue\n`),
    });
    const left = factsOf(env.DELIBERATE_DB, id);
    // The worker that got the signal recorded an end for each of the three begun calls, but none for the
    // attempt.
    expect(
      listFactsOfType(left, 'call.stopped').length + listFactsOfType(left, 'call.completed').length,
    ).toBe(3);
    expect(listFactsOfType(left, 'run.ended')).toEqual([]);
    expect(statusOf(env.DELIBERATE_DB, id)).toBe('queued');
    await runDeliberate(['resume', id, '--queue', '--rehearse-speed', '1000'], { env });
    expect((await runDeliberate(ONCE, { env })).out).toContain('board   done');
    const { syntheses, seats } = viewIn(env.DELIBERATE_DB);
    expect(syntheses[0]?.included).toHaveLength(seats.length);
  },
);

it('a worker stops a run on a person’s request, and skips a queued run that a person has resumed', async () => {
  const env = { DELIBERATE_DB: makeDatabasePath() };
  const speed = ['--rehearse', '--rehearse-speed', '1'];
  const queueRun = async (words: readonly string[]): Promise<string> =>
    (await runDeliberate([...words, '--queue'], { env })).out.trim();
  const resting = await queueRun(['board', ...speed, 'One?']);
  expect((await runDeliberate(['stop', resting], { env })).err).toMatch(
    /^Removed from the queue\. .* resume/,
  );
  const none = await runDeliberate(['stop', resting], { env });
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/run \S+ is not running/)]);

  const working = await queueRun(['board', ...speed, 'Two?']);
  const worker = new Program(['worker'], { env });
  await waitUntil(
    () => listFactsOfType(factsOf(env.DELIBERATE_DB, working), 'step.started').length > 0,
    'step',
  );
  expect((await runDeliberate(['stop', working], { env })).err).toMatch(/^Stopping\./);
  await worker.waitForStderr(/run \S+ stopped\. deliberate resume/);
  expect(worker.out).toContain('board   stopped');
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);

  const taken = await queueRun(['board', ...FAST, 'Three?']);
  expect(
    (await runDeliberate(['resume', taken, '--rehearse-speed', '1000', '--quiet'], { env })).code,
  ).toBe(0);
  expect(await runDeliberate(ONCE, { env })).toMatchObject({ code: 0, out: '', err: '' });
  const both = await runDeliberate(['resume', working, '--queue', '--detach'], { env });
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('cannot be combined')]);
  await queueRun(['resume', working, '--rehearse-speed', '1000']);
  expect((await runDeliberate(ONCE, { env })).out).toContain('board   done');
});

it('a queued run that no worker can continue is reported and leaves the queue', async () => {
  const db = makeDatabasePath();
  const home = makeFolder();
  const env = { DELIBERATE_DB: db };
  await runDeliberate(['board', ...FAST, '--queue', '--look', home, 'Why?'], { env });
  rmSync(home, { recursive: true });
  const worked = await runDeliberate(ONCE, { env });
  expect([worked.code, worked.out]).toEqual([0, '']);
  expect(worked.err).toMatch(/^run \S+ failed: .*is gone\. Name the folder: deliberate resume/);
  const { id } = viewIn(db);
  expect(statusOf(db, id)).toBe('interrupted');
  const words = await runDeliberate(['worker', 'now'], { env });
  expect([words.code, words.err]).toEqual([2, expect.stringContaining('takes no arguments')]);
});

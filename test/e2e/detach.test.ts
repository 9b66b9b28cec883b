/**
 * Tests runs in the background: started by a flag, and watched, answered and stopped from other terminals.
 */
import { expect, it, onTestFinished } from 'vitest';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { listFactsOfType } from '../kernel/desk.ts';
import { killWorkers } from '../mcp/agent.ts';
import { waitUntil } from '../until.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { Program, runProgram } from './program.ts';
import { makeDatabasePath, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

const FAST = ['--rehearse', '--rehearse-speed', '1000'];
/** A board that asks the person soon, because two seats together may exceed its budget. */
const ASKING = ['board', ...FAST, '--budget-tokens', '2000', '--detach', 'Should we split it?'];

function makeScene(): { db: string; env: Record<string, string> } {
  const db = makeDatabasePath();
  onTestFinished(() => killWorkers(db));
  return { db, env: { DELIBERATE_DB: db } };
}

const answersIn = (db: string) => listFactsOfType(factsIn(db), 'gate.answered');
const gateIn = (db: string) => waitUntil(() => viewIn(db).gate, 'question');
const endIn = (db: string) =>
  waitUntil(() => {
    const view = viewIn(db);
    return view.status === 'running' ? undefined : view;
  }, 'end of the run');

it('a board in the background continues after the program that started the board has ended', async () => {
  const { db, env } = makeScene();
  const began = await runProgram(
    ['board', '--rehearse', '--rehearse-speed', '5', '--detach', 'Why?'],
    {
      env,
    },
  );
  const view = viewIn(db);
  expect(began).toMatchObject({ code: 0, out: `${view.id}\n` });
  expect(began.err).toContain(`deliberate watch ${view.id.slice(0, 13)}`);
  expect(view.status).toBe('running');
  const watched = await runDeliberate(['watch', view.id], { env });
  expect(watched.out).toContain('# Synthesis v1');
  const done = await endIn(db);
  expect(done.status).toBe('done');
  // The run has only the attempt that it began with: passing a run to a background process begins no other.
  expect(done.attemptAt).toBe(done.startedAt);
});

it('a run in the background that asks a question goes on after a valid answer, and refuses invalid answers and later answers', async () => {
  const { db, env } = makeScene();
  expect((await runDeliberate(ASKING, { env })).code).toBe(0);
  const gate = await gateIn(db);
  const watching = new Program(['watch', 'latest'], { env });
  await watching.waitForStderr(/Answer it with: deliberate answer \S+ stop\|go-on/);
  expect(await runDeliberate(['answer', 'latest'], { env })).toMatchObject({
    code: 0,
    out: `${gate.prompt}\n  stop  Stop here and keep the answers so far\n  go-on  Continue without a limit\n`,
  });
  const named = `Latest run: ${viewIn(db).id.slice(0, 13)} "Should we split it?"`;
  const asked = await runDeliberate(['answer'], { env });
  expect([asked.err, asked.out.split('\n')[0]]).toEqual([`${named}\n`, gate.prompt]);
  // The answer of the person may let the run continue and cost money, so a command without a terminal has to
  // name the run.
  const paid = await runDeliberate(['answer', 'go-on'], { env });
  expect([paid.code, paid.err]).toEqual([
    2,
    expect.stringMatching(/Name the run: deliberate answer \S+ go-on/),
  ]);
  const wrong = await runDeliberate(['answer', 'latest', 'perhaps'], { env });
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('The choices are stop, go-on.'),
  ]);
  expect(await runDeliberate(['answer', 'latest', 'go-on'], { env })).toMatchObject({
    code: 0,
    err: 'Answered.\n',
  });
  expect(await endIn(db)).toMatchObject({ status: 'done' });
  const after = await runDeliberate(['answer', 'latest', 'go-on'], { env });
  expect([after.code, after.err]).toEqual([
    1,
    expect.stringContaining('is not waiting for an answer'),
  ]);
});

it('an answer to a run in the background is kept until a process continues the run', async () => {
  const { db, env } = makeScene();
  await runDeliberate(ASKING, { env });
  await gateIn(db);
  killWorkers(db);
  const left = await runDeliberate(['answer', 'latest', 'go-on'], { env });
  expect(left.err).toMatch(/Answered\. Run \S+ is not running; resume it with: /);
  const resume = ['resume', 'latest', '--rehearse-speed', '1000', '--budget-tokens', '2000'];
  await runDeliberate([...resume, '--detach'], { env });
  expect(await endIn(db)).toMatchObject({ status: 'done' });
  expect(answersIn(db)).toMatchObject([{ answer: 'go-on', by: 'person' }]);
});

it('a run in the background cannot be resumed while it is running, and can be stopped by another process', async () => {
  const { db, env } = makeScene();
  const slow = ['board', '--rehearse', '--rehearse-speed', '1', '--detach'];
  await runDeliberate([...slow, '--budget-tokens', '50000', 'Why?'], { env });
  const again = await runDeliberate(['resume', 'latest', '--detach', '--budget-tokens', '90000'], {
    env,
  });
  expect([again.code, again.out, again.err]).toEqual([
    1,
    '',
    expect.stringMatching(/is in use by process \d+/),
  ]);
  const store = Store.open(db, FACTS);
  expect(store.detached.find(store.find('latest'))?.limits.budget_tokens).toBe(50_000);
  store.close();

  expect((await runDeliberate(['stop', 'latest'], { env })).code).toBe(0);
  const { id, status } = await endIn(db);
  expect(status).toBe('stopped');
  const none = await runDeliberate(['stop', id], { env });
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/run \S+ is not running/)]);
  const terminal = new Terminal(['resume', id, '--rehearse-speed', '1'], {
    columns: 80,
    rows: 24,
    env,
  });
  await terminal.until(/Advocate/);
  await waitUntil(() => viewIn(db).status === 'running', 'run that goes on');
  expect((await runDeliberate(['stop', id], { env })).code).toBe(0);
  expect((await endIn(db)).status).toBe('stopped');
});

it('a request to stop that arrives after the process was killed does not stop the next process', async () => {
  const { db, env } = makeScene();
  await runDeliberate(['board', '--rehearse', '--rehearse-speed', '1', '--detach', 'Why?'], {
    env,
  });
  const { id } = viewIn(db);
  killWorkers(db);
  const store = Store.open(db, FACTS);
  store.messages.leave(id, { kind: 'stop', by: 'person' });
  store.close();
  await runDeliberate(['resume', id, '--rehearse-speed', '1000', '--detach'], { env });
  expect((await endIn(db)).status).toBe('done');
});

it('a board in which every seat has answered cannot be resumed in the background, and the reason is printed at once', async () => {
  const { env } = makeScene();
  await runDeliberate(['board', ...FAST, '--quiet', 'Why?'], { env });
  const done = await runDeliberate(['resume', 'latest', '--detach'], { env });
  expect([done.code, done.err]).toEqual([1, expect.stringContaining('every seat has answered')]);
  expect(done.out).toBe('');
});

it.each(['--detach', '--queue'])('%s with --yes accepts the default answers', async (how) => {
  const { db, env } = makeScene();
  const words = ASKING.map((word) => (word === '--detach' ? how : word));
  expect((await runDeliberate([...words, '--yes'], { env })).code).toBe(0);
  if (how === '--queue') await runDeliberate(['worker', '--once'], { env });
  expect(await endIn(db)).toMatchObject({ status: 'stopped' });
  expect(answersIn(db)).toMatchObject([{ answer: 'stop', by: 'default' }]);
});

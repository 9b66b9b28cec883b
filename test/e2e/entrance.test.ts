/**
 * Tests that what a run learns about its reader is kept for the next run: the real program, two runs and a
 * fork with one home. The reader takes the entrance test once.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFactsOfType } from '../kernel/desk.ts';
import { startOllama } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, factsIn, promptOf } from './deliberators.ts';
import { UNWRITABLE_HOME } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';

const SEATS = ['action=ollama/a', 'guardian=ollama/b', 'observer=ollama/c', 'critic=ollama/d'];
const ROUNDS = [
  ...['rounds', '--verifier', 'ollama/v', '--seed', '7', '--plain', '--rounds', '1'],
  ...SEATS.flatMap((seat) => ['--seat', seat]),
  'Should we split the monolith?',
];

async function makeScene() {
  const models = ['a', 'b', 'c', 'd', 'v', 'w'];
  const server = closeAfterTest(await startOllama({ models, answer: answerRequest }));
  const home = makeFolder();
  const db = makeDatabasePath();
  const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db, HOME: home };
  const file = join(home, '.local', 'state', 'deliberate', 'profiles.json');
  const countEntrances = () =>
    server.chats().filter((request) => promptOf(request).startsWith('Read this text.')).length;
  const listExamined = () => listFactsOfType(factsIn(db), 'reader.examined');
  return { env, file, entrances: countEntrances, examined: listExamined };
}

it('a model takes the reading test once, and later runs use the stored result for 30 days', async () => {
  const { env, file, entrances, examined } = await makeScene();
  expect((await runDeliberate(ROUNDS, { env })).code).toBe(0);
  expect(examined()).toMatchObject([{ model: 'ollama/v', source: 'held', passed: true }]);
  const asked = entrances();
  expect(asked).toBe(1);
  const profiles = JSON.parse(readFileSync(file, 'utf8'));
  const [host] = Object.values<{ readers: Record<string, object> }>(profiles.hosts);
  expect(host?.readers).toMatchObject({ v: { items: 28, errors: 0, calledTrue: 0 } });

  expect((await runDeliberate(ROUNDS, { env })).code).toBe(0);
  expect(entrances()).toBe(asked);
  expect(examined()).toMatchObject([
    {
      model: 'ollama/v',
      source: 'profile',
      passed: true,
      errors: 0,
      why: expect.stringMatching(/known from an earlier entrance, \d{4}-\d\d-\d\d$/),
    },
  ]);

  const expired = new Date(Date.now() - 31 * 86_400_000).toISOString();
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/("v": \{\s+"at": )"[^"]+"/, `$1"${expired}"`),
  );
  // The fork copies the result for v from its parent run, so only w takes the test.
  const fork = ['fork', 'latest', '--at', 'round-1/E', '--set', 'verifier=ollama/w', '--plain'];
  expect((await runDeliberate(fork, { env })).code).toBe(0);
  expect(examined()).toMatchObject([
    { model: 'ollama/v', source: 'profile' },
    { model: 'ollama/w', source: 'held' },
  ]);

  // A stored result that is older than 30 days does not count, so the verifier takes the reading test again.
  expect((await runDeliberate(ROUNDS, { env })).code).toBe(0);
  expect(entrances()).toBe(asked + 2);
});

it('a reading test’s result keeps its date in a fork', async () => {
  const { env, file, examined } = await makeScene();
  expect((await runDeliberate(ROUNDS, { env })).code).toBe(0);
  const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
  const text = readFileSync(file, 'utf8').replace(/("v": \{\s+"at": )"[^"]+"/, `$1"${old}"`);
  writeFileSync(file, text);
  const fork = ['fork', 'latest', '--at', 'round-1/E', '--set', 'verifier=ollama/w', '--plain'];
  expect((await runDeliberate(fork, { env })).code).toBe(0);
  expect(examined().map(({ model, source }) => [model, source])).toEqual([
    ['ollama/v', 'held'],
    ['ollama/w', 'held'],
  ]);
  const kept = readFileSync(file, 'utf8');
  expect(kept).toContain(old);
  expect(kept).toMatch(/"w": \{\s+"at"/);
});

it('a verifier that has failed the reading test is not tested again, and another model takes the test in its place', async () => {
  const { env, file, entrances, examined } = await makeScene();
  expect((await runDeliberate(ROUNDS, { env })).code).toBe(0);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"errors": 0', '"errors": 5'));
  const asked = entrances();
  expect((await runDeliberate(ROUNDS, { env })).code).toBe(0);
  expect(examined()).toMatchObject([
    { model: 'ollama/v', source: 'profile', passed: false, errors: 5 },
    { model: 'ollama/a', source: 'held', passed: true },
  ]);
  expect(entrances()).toBe(asked + 1);
});

it('a run whose home folder cannot be written is completed, with a warning that the next run will test its reader again', async () => {
  const { env } = await makeScene();
  const { code, err } = await runDeliberate(ROUNDS, { env: { ...env, HOME: UNWRITABLE_HOME } });
  expect(code).toBe(0);
  expect(err).toMatch(
    /profiles\.json cannot be written: .*: the next run will test its reader again\.$/m,
  );
});

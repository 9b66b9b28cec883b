/** Tests models that are named without a server: by flags, by presets, and in a fork. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startOllama, startOpenAI } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from './scene.ts';

const QUIET = ['--plain', '--no-vote'];
const NOBODY = 'http://127.0.0.1:45999';

/** Starts two servers: "shared" is at both, "here:1b" and "alone:latest" are at the first only. */
async function twoServers() {
  const ollama = closeAfterTest(
    await startOllama({ models: ['here:1b', 'shared', 'alone:latest'] }),
  );
  const openai = closeAfterTest(await startOpenAI({ models: ['shared', 'there'] }));
  const db = makeDatabasePath();
  const home = makeFolder();
  const env = {
    DELIBERATE_DB: db,
    HOME: home,
    OLLAMA_HOST: ollama.url,
    OPENAI_BASE_URL: `${openai.url}/v1`,
    OPENAI_API_KEY: 'a-key-of-a-test',
  };
  return { ollama, openai, db, home, env };
}

const modelsOf = (db: string): string[] => viewIn(db).seats.map(({ model }) => model);

it('a model name without a server is looked up at all servers', async () => {
  const { db, env } = await twoServers();
  const seats = ['--seat', 'critic=here:1b', '--seat', 'analyst=there', '--synthesizer', 'alone'];
  const run = await runDeliberate(['board', ...QUIET, ...seats, 'Why?'], { env });
  expect(run).toMatchObject({ code: 0 });
  expect(modelsOf(db)).toEqual(['ollama/here:1b', 'openai/there']);
  expect(viewIn(db).config.synthesizer).toBe('ollama/alone:latest');
  // The chosen server is printed, so that a person knows which one was chosen.
  expect(run.err).toContain('here:1b: ollama/here:1b\n');
  const forked = await runDeliberate(
    ['fork', 'latest', '--at', 'seat/critic', '--set', 'seat.critic.model=there', '--plain'],
    { env },
  );
  expect(forked).toMatchObject({ code: 0 });
  expect(modelsOf(db)).toEqual(['openai/there', 'openai/there']);
  const all = await runDeliberate(['board', ...QUIET, '--model', 'here:1b', 'Why?'], { env });
  expect([all.code, new Set(modelsOf(db))]).toEqual([0, new Set(['ollama/here:1b'])]);
});

it('a model that a preset names without a server is looked up at all servers', async () => {
  const { db, env, home } = await twoServers();
  const own = join(home, '.config', 'deliberate');
  for (const kind of ['boards', 'roles']) mkdirSync(join(own, kind), { recursive: true });
  const head = 'name: Mine\ndescription: Of my own.\n';
  writeFileSync(join(own, 'roles', 'sage.md'), `---\n${head}model: there\n---\nYou are wise.\n`);
  writeFileSync(
    join(own, 'boards', 'mine.yaml'),
    `${head}seats: [{ role: sage }, { role: critic, model: 'here:1b' }]\n`,
  );
  expect(
    await runDeliberate(['board', ...QUIET, '--preset', 'mine', 'Why?'], { env }),
  ).toMatchObject({
    code: 0,
  });
  expect(modelsOf(db)).toEqual(['openai/there', 'ollama/here:1b']);
});

it('no run begins if several servers have a model of the given name, or if none has', async () => {
  const { db, env } = await twoServers();
  const several = await runDeliberate(['board', '--model', 'shared', 'Why?'], { env });
  expect([several.code, several.err]).toEqual([
    2,
    expect.stringContaining('Name the server: ollama/shared, openai/shared.'),
  ]);
  const none = await runDeliberate(['board', '--seat', 'critic=here:2b', 'Why?'], { env });
  expect([none.code, none.err]).toEqual([
    2,
    expect.stringMatching(/Did you mean ollama\/here:1b\? Available: .*openai\/there/),
  ]);
  const away = await runDeliberate(['board', '--model', 'here:1b', 'Why?'], {
    env: { DELIBERATE_DB: db, OLLAMA_HOST: NOBODY },
  });
  expect([away.code, away.err]).toEqual([2, expect.stringContaining(`ollama at ${NOBODY}: `)]);
  expect(() => factsIn(db)).toThrow('no runs yet');
});

it('servers are not asked for their models if the model’s name includes its server', async () => {
  const { db, env, ollama, openai } = await twoServers();
  const args = ['board', ...QUIET, '--model', 'ollama/here:1b', 'Why?'];
  expect(await runDeliberate(args, { env })).toMatchObject({ code: 0 });
  expect(modelsOf(db)[0]).toBe('ollama/here:1b');
  const slip = await runDeliberate(['board', '--model', 'olama/here:1b', 'Why?'], { env });
  expect([slip.code, slip.err]).toEqual([
    2,
    expect.stringContaining('Did you mean ollama/here:1b?'),
  ]);
  const asked = [...ollama.requests, ...openai.requests].map(({ path }) => path);
  expect(asked.filter((path) => /\/api\/tags|\/models$/.test(path))).toEqual([]);
});

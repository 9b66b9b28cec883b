/**
 * Tests that a key and the credentials of an address are in no message, fact or file, whatever a provider
 * repeats and however the program ends; and that files are readable by their owner alone, whatever the
 * umask. Every form of a key is searched for in every byte.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, PANEL_FLAGS } from './deliberators.ts';
import { makeSecretSearch } from './leaks.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const KEYS = {
  anthropic: 'canary+ant/7f3a"zx81',
  openai: 'canary+oai/91cc"qq07',
  ollama: 'canary+oll/c0de"fe55',
  host: 'canary-host/5511-ab+12',
  base: 'canary-base/8e44-cd+34',
} as const;

/** The answer of a model that repeats keys from its prompt. */
const REPEATED = `I was given ${KEYS.host} and ${KEYS.openai}, and ${encodeURIComponent(KEYS.anthropic)}.`;

const leaksIn = makeSecretSearch(Object.values(KEYS));

it('the search for leaked keys finds a key in text, addresses, JSON and Base64', () => {
  const pair = `me:${KEYS.host}`;
  for (const text of [
    KEYS.openai,
    encodeURIComponent(KEYS.openai),
    JSON.stringify({ a: JSON.stringify({ b: KEYS.openai }) }),
    Buffer.from(`xx${KEYS.openai}yy`).toString('base64'),
    Buffer.from(pair).toString('base64url'),
  ])
    expect(leaksIn(text), text).not.toEqual([]);
  expect(leaksIn('nothing of the kind')).toEqual([]);
});

/** Returns the paths of all files and folders below a folder. */
function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  );
}

it('no API key and no password of an address occurs in any output or file of the program', async () => {
  // With this umask, everybody may read and write new files, unless the program restricts them. Set it before the
  // program is first called, since the program inherits it.
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const echo = [
    { status: 500, echoKey: true, retryAfterMs: '10', message: 'your key is' },
    { status: 400, echoKey: true, message: 'I said your key is' },
  ] as const;
  const models = ['a', 'b', 'c', 'echo', 'slow'];
  const ollama = closeAfterTest(
    await startOllama({
      models,
      answer: (request) =>
        request.body?.format ? answerRequest(request) : `${REPEATED}\n\n${answerRequest(request)}`,
      behaviours: { echo, slow: 'stall-mid-stream' },
    }),
  );
  const anthropic = closeAfterTest(
    await startAnthropic({ models: ['claude-echo'], behaviours: { 'claude-echo': echo } }),
  );
  const openai = closeAfterTest(await startOpenAI({ models: ['echo'], behaviours: { echo } }));
  const home = makeFolder();
  const cwd = join(home, 'work');
  const defect = join(cwd, 'defect.cjs');
  // The module `defect.cjs` throws its error only after the test has created the file `showing`, so that the
  // screen is drawn before the crash.
  const showing = join(cwd, 'showing');
  mkdirSync(cwd, { mode: 0o700 });
  mkdirSync(join(cwd, '.git'));
  // Write a module that crashes the program with an error whose message quotes its API keys.
  writeFileSync(
    defect,
    `if (process.stdout.isTTY) setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(showing)})) throw new Error('defect with ' + Object.values(process.env).join(' ')) }, 50);`,
  );
  const own = new Set(listFiles(home));
  const addPassword = (url: string, secret: string) =>
    url.replace('://', `://me:${encodeURIComponent(secret)}@`);
  const env = {
    HOME: home,
    OLLAMA_HOST: addPassword(ollama.url, KEYS.host),
    ANTHROPIC_BASE_URL: anthropic.url,
    OPENAI_BASE_URL: `${openai.url}/v1`,
    ANTHROPIC_API_KEY: KEYS.anthropic,
    OPENAI_API_KEY: KEYS.openai,
    OLLAMA_API_KEY: KEYS.ollama,
  };
  const based = { ...env, OPENAI_BASE_URL: `${addPassword(openai.url, KEYS.base)}/v1` };
  const broken = { ...env, OLLAMA_HOST: `http://me:${KEYS.host}@no host` };
  const heard: Record<string, string> = {};
  const callAndNote = async (
    args: readonly string[],
    more: Record<string, string> = env,
  ): Promise<number | null> => {
    const { code, out, err } = await runDeliberate(args, { cwd, env: more });
    heard[`${Object.keys(heard).length} ${args.slice(0, 3).join(' ')}`] = out + err;
    return code;
  };
  const seats = [
    'advocate=ollama/a',
    'critic=ollama/echo',
    'analyst=anthropic/claude-echo',
    'expert=openai/echo',
  ].flatMap((seat) => ['--seat', seat]);
  const board = ['board', '--idle-timeout', '5s', ...seats, '--synthesizer', 'ollama/a'];

  expect(await callAndNote([...board, '--plain', 'Should we?'])).toBe(0);
  const lastSaid = Object.values(heard).join('');
  expect(lastSaid).toContain('said your key is');
  expect(lastSaid).toContain('I was given [key] and [key], and [key].');
  for (const server of [ollama, anthropic, openai])
    expect(server.chats().length).toBeGreaterThan(0);
  expect(
    leaksIn(
      JSON.stringify(
        [anthropic.chats(), openai.chats(), ollama.chats()].map((all) =>
          all.map(({ headers }) => headers),
        ),
      ),
    ),
  ).not.toEqual([]);
  expect(await callAndNote([...board, '--json', '--deltas', 'Should we?'])).toBe(0);
  await callAndNote([...board, '--plain', 'Should we?'], based);
  await callAndNote(['board', '--plain', '--model', 'ollama/a', 'Should we?'], broken);
  await callAndNote(['board', '--plain', '--model', 'openai/echo', 'Should we?'], based);
  await callAndNote([
    'rounds',
    ...PANEL_FLAGS,
    '--rounds',
    '1',
    '--stop-at',
    'never',
    '--json',
    'Should we?',
  ]);
  await callAndNote(['export', 'latest', '--format', 'records', '--to', 'records/of/it']);
  await Promise.all([
    callAndNote(['export', 'latest', '--format', 'markdown', '--to', 'texts/report.md']),
    callAndNote(['export', 'latest', '--format', 'json', '--to', 'texts/run.json']),
  ]);
  const doctor = ['doctor', '--yes', '--quick', 'anthropic/claude-echo', 'openai/echo'];
  await Promise.all([
    callAndNote([...doctor, 'ollama/echo']),
    callAndNote([...doctor, '--json'], based),
  ]);
  await callAndNote(['doctor', 'ollama/a', '--idle-timeout', '5s']);
  for (const other of [env, based, broken])
    await Promise.all([
      callAndNote(['models'], other),
      callAndNote(['models', '--json'], other),
      callAndNote(['config'], other),
      callAndNote(['config', '--json'], other),
    ]);
  await Promise.all([
    callAndNote(['presets', 'copy', 'roles/critic']),
    callAndNote(['presets', 'copy', 'roles/critic', '--to', 'project']),
    callAndNote(['show', 'latest']),
    callAndNote(['list', '--json']),
  ]);

  // Kill one run, crash the program in another, and save and export a third, which the home screen starts. Each of
  // these leaves files or prints text in which an API key could be.
  const killed = new Program(['board', '--plain', '--model', 'ollama/slow', 'Should we?'], {
    cwd,
    env,
  });
  await expect.poll(() => ollama.chats('slow').length).toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  const { out, err } = await killed.ended;
  heard.killed = out + err;
  const here = process.cwd();
  process.chdir(cwd);
  try {
    const crashed = new Terminal(['board', '--model', 'ollama/slow', 'Should we?'], {
      env: { ...env, NODE_OPTIONS: `--require=${defect}` },
    });
    await crashed.until(/Should we\?/);
    writeFileSync(showing, '');
    expect(await crashed.exited).toBe(1);
    rmSync(showing);
    expect(crashed.raw).toContain('unexpected error: Error: defect with');
    expect(crashed.alternate, 'the screen is given back').toBe(false);
    expect(await crashed.screen()).toContain('unexpected error: Error: defect with');
    heard.crashed = crashed.raw;
    const console_ = new Terminal(['--rehearse-speed', '1000'], { env });
    await console_.until(/ollama\/a/);
    console_.press('Ship it?\r');
    await console_.until(/board · Ship it\?.*(?:✓ done|✗ failed)/);
    console_.press('W');
    await console_.until(/Saved to|no /i);
    console_.press('e');
    await console_.until(/m +Report/);
    console_.press('m');
    await console_.until(/Exported to/);
    console_.press('q');
    await console_.until(/Recent/);
    console_.press('\u0003\u0003');
    await console_.exited;
    heard.console = console_.raw;
  } finally {
    process.chdir(here);
  }

  for (const [what, text] of Object.entries(heard)) expect(leaksIn(text), what).toEqual([]);
  const made = listFiles(home).filter((path) => !own.has(path));
  // The searched files include at least the database, the models' profiles, saved and exported texts, and a copied
  // preset.
  for (const some of [
    /runs?\.db$|deliberate\.db$/,
    /profiles\.json$/,
    /report\.md$/,
    /run\.json$/,
    /claims\.jsonl$/,
    /roles\/critic\.md$/,
  ])
    expect(
      made.some((path) => some.test(path)),
      String(some),
    ).toBe(true);
  for (const path of made) {
    const stat = lstatSync(path);
    expect(`${path} ${(stat.mode & 0o777).toString(8)}`).toBe(
      `${path} ${stat.isDirectory() ? '700' : '600'}`,
    );
    if (stat.isFile()) expect(leaksIn(readFileSync(path, 'utf8')), path).toEqual([]);
  }
});

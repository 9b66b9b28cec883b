/** Tests `deliberate doctor` with the real program and servers that behave well and badly. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AnthropicOptions } from '../servers/anthropic.ts';
import { startAnthropic, startOllama } from '../servers/index.ts';
import type { OllamaOptions } from '../servers/ollama.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest, promptOf } from './deliberators.ts';
import { closeAfterTest, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const PAID = 'claude-haiku-4-5';
const BRIEF = 'one two three four five six seven eight nine ten eleven twelve';

async function makeScene(ollama: OllamaOptions = {}, anthropic: AnthropicOptions = {}) {
  const local = closeAfterTest(await startOllama({ models: ['a', 'b'], answer: BRIEF, ...ollama }));
  const paid = closeAfterTest(
    await startAnthropic({ models: [PAID], answer: BRIEF, ...anthropic }),
  );
  const home = makeFolder();
  const env = { HOME: home, OLLAMA_HOST: local.url, ANTHROPIC_BASE_URL: paid.url };
  const file = join(home, '.local', 'state', 'deliberate', 'profiles.json');
  return { local, paid, env, file };
}

it('the doctor says which models follow a JSON schema, and which push each other out of memory', async () => {
  const { env, file } = await makeScene({
    schemas: { a: 'obeys', b: 'obeys-words' },
    loadOneAtATime: true,
  });
  const { code, out, err } = await runDeliberate(['doctor', 'ollama/a', 'ollama/b'], { env });
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {4}ollama: version 0.12.0 at http:\S+: 2 models$/m);
  expect(out).toMatch(/^ok {4}ollama\/a: follows a JSON schema$/m);
  expect(out).toMatch(
    /^warn {2}ollama\/b: a JSON schema is ignored, and followed when put in the prompt\n {6}\w/m,
  );
  expect(out).toMatch(/^warn {2}ollama: a and b push each other out of memory/m);
  expect(out).not.toMatch(/anthropic|openai/);
  expect(err).toContain(`Saved for 30 days in ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('127.0.0.1');
  const { out: list } = await runDeliberate(['models'], { env });
  expect(list).toMatch(
    /ollama\/b +33k context +4.7 GB .*doctor \d{4}-\d\d-\d\d: .*schemas in the prompt/,
  );
});

it('the doctor fails if a model fails, or if no model can be reached', async () => {
  const { env } = await makeScene({
    behaviours: { b: { status: 500, message: 'no memory left' } },
  });
  const { code, out } = await runDeliberate(['doctor', 'ollama/b', 'ollama/gone'], { env });
  expect(code).toBe(1);
  expect(out).toMatch(/^fail {2}ollama\/b: no memory left \(HTTP 500\)\n {6}\w/m);
  expect(out).toMatch(
    /^fail {2}ollama\/gone: model "gone" is not installed\n {6}Try: ollama pull gone/m,
  );
  const nowhere = { HOME: env.HOME, OLLAMA_HOST: 'http://127.0.0.1:9' };
  const none = await runDeliberate(['doctor'], { env: nowhere });
  expect(none.code).toBe(1);
  expect(none.out).toMatch(/^fail {2}ollama: cannot reach/m);
  // A missing API key of Anthropic is only a warning. The exit code 1 comes from the failures.
  expect(none.out).toMatch(/^warn {2}anthropic: there is no API key$/m);
  expect(none.out).toMatch(/^fail {2}models: no model is reachable$/m);
});

it('the doctor makes paid calls without a terminal only with --yes', async () => {
  const { env, paid } = await makeScene(
    { schemas: { a: 'obeys', b: 'obeys' } },
    { schemas: { [PAID]: 'obeys' } },
  );
  const spec = `anthropic/${PAID}`;
  const { code, out } = await runDeliberate(['doctor', spec], { env });
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {4}anthropic: http:\S+: 1 model$/m);
  expect(out).toMatch(
    /^warn {2}anthropic\/claude-haiku-4-5: not probed: its calls cost money\n {6}Add --yes/m,
  );
  expect(paid.chats()).toEqual([]);
  expect((await runDeliberate(['doctor', spec, '--yes'], { env })).out).toMatch(
    /follows a JSON schema/,
  );
  expect(paid.chats().length).toBeGreaterThan(0);
});

it('the doctor says what paid calls may cost, and accepts a no', async () => {
  const { env, paid } = await makeScene();
  const terminal = new Terminal(['doctor', `anthropic/${PAID}`], { env });
  await terminal.until(
    /up to 4 short calls and the entrance test each, up to \$0.0\d\d in all\. Continue\?/,
  );
  terminal.press('n\r');
  expect(await terminal.exited).toBe(0);
  expect(await terminal.screen()).toMatch(/not probed: its calls cost money/);
  expect(paid.chats()).toEqual([]);
});

it('the doctor says which models pass the reading test and may settle claims', async () => {
  const { env, file, paid, local } = await makeScene(
    {
      schemas: {},
      answer: (request) =>
        request.model === 'b' && promptOf(request).startsWith('Read this text.')
          ? JSON.stringify(allTrue())
          : answerRequest(request),
    },
    { schemas: { [PAID]: 'obeys' } },
  );
  const { code, out } = await runDeliberate(
    ['doctor', 'ollama/a', 'ollama/b', `anthropic/${PAID}`],
    {
      env,
    },
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {4}ollama\/a: reads: passed, 28 of 28; may settle claims$/m);
  expect(out).toMatch(
    /^warn {2}ollama\/b: reads: failed, 7 of 28, 21 of 21 wrongly called true; may verify, but not settle claims\n {6}In rounds, name another --verifier$/m,
  );
  // Nobody has agreed to pay for the paid model, so the doctor must not call it.
  expect(paid.chats()).toEqual([]);
  const { hosts } = JSON.parse(readFileSync(file, 'utf8'));
  const [host] = Object.values<{ readers: unknown }>(hosts);
  expect(host?.readers).toMatchObject({
    a: { items: 28, errors: 0, calledTrue: 0 },
    b: { items: 28, errors: 21, calledTrue: 21 },
  });
  const { out: list } = await runDeliberate(['models'], { env });
  expect(list).toMatch(/ollama\/a .*; reader \d{4}-\d\d-\d\d: passed, 28 of 28$/m);
  expect(list).toMatch(/ollama\/b .*; reader \d{4}-\d\d-\d\d: failed, 7 of 28$/m);
  const asked = local.chats().length;
  await runDeliberate(['doctor', 'ollama/a', '--quick'], { env });
  expect(local.chats()).toHaveLength(asked + 1);
});

it('the doctor gives a paid model the reading test if --yes accepts the price', async () => {
  const { env } = await makeScene({}, { schemas: { [PAID]: 'obeys' } });
  const { out } = await runDeliberate(['doctor', `anthropic/${PAID}`, '--yes'], { env });
  expect(out).toMatch(/^warn {2}anthropic\/\S+: reads: failed, 0 of 28/m);
});

function allTrue() {
  const answers = Array.from({ length: 28 }, (_, at) => ({
    item: at + 1,
    finding: 'true_in_text',
  }));
  return { answers };
}

it('the doctor prints one JSON object per line with --json', async () => {
  const { env } = await makeScene();
  const { out, err } = await runDeliberate(['doctor', 'ollama/a', '--quick', '--json', '--quiet'], {
    env,
  });
  expect(err).toBe('');
  const [host, model] = out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(host).toMatchObject({
    subject: 'ollama',
    verdicts: [{ mark: 'ok' }],
    measured: { listed: 2 },
  });
  expect(model).toMatchObject({ subject: 'ollama/a', measured: { spec: 'ollama/a' } });
});

it('a damaged file with the doctor’s results is ignored with a warning, and written anew', async () => {
  const { env, file } = await makeScene({ schemas: { a: 'obeys' } });
  await runDeliberate(['doctor', 'ollama/a', '--quiet'], { env });
  writeFileSync(file, '{"v": 1, "hosts"');
  const { code, err } = await runDeliberate(
    ['board', '--model', 'ollama/a', '--plain', 'Should we?'],
    {
      env: { ...env, DELIBERATE_DB: join(env.HOME, 'runs.db') },
    },
  );
  expect(code).toBe(0);
  expect(err).toContain(`${file} is unusable and was ignored`);
  await runDeliberate(['doctor', 'ollama/a', '--quiet'], { env });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ v: 1 });
});

/** Tests the measurements of the doctor, on real connections to servers that behave and misbehave. */
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  measureHost,
  measureModel,
  measureTogether,
  type Thoroughness,
} from '../../src/models/probe/measure.ts';
import type { Provider } from '../../src/models/provider.ts';
import { providersOf } from '../../src/models/providers.ts';
import { startAnthropic, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import type { OllamaOptions } from '../servers/ollama.ts';
import { envOf, type Servers } from './ask.ts';

function closeAfterTest<T extends TestServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}
function providerOf(name: 'ollama' | 'anthropic' | 'openai', servers: Servers): Provider {
  const found = providersOf(envOf(servers)).find((provider) => provider.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}
const how: Thoroughness = {
  quick: false,
  thorough: false,
  free: true,
  idleMs: 3_000,
  signal: new AbortController().signal,
};
const BRIEF = 'one two three four five six seven eight nine ten eleven twelve '.repeat(3);

async function measureOllama(options: OllamaOptions, model = 'alpha') {
  const ollama = closeAfterTest(
    await startOllama({ answer: BRIEF, contextLength: 8_192, ...options }),
  );
  const provider = providerOf('ollama', { ollama });
  return { ollama, found: await measureModel(provider, model, how) };
}

describe("The doctor's measurement of a model", () => {
  test('has only good results for a model without problems', async () => {
    const { found } = await measureOllama({ schemas: { alpha: 'obeys' }, tokensPerSecond: 400 });
    expect(found).toMatchObject({
      spec: 'ollama/alpha',
      window: 8_192,
      answer: { output: 36, thought: false },
      schema: { given: 'obeyed' },
    });
    expect(found.schema?.unthinking).toBeUndefined();
    const { sent, read } = found.context as { sent: number; read: number };
    expect(sent).toBeGreaterThan(6_000);
    expect(Math.abs(read / sent - 1)).toBeLessThan(0.02);
    expect(found.cancel).toMatchObject({ closedMs: expect.any(Number) });
  });

  test.each([
    ['ok', 'obeys-words', { given: 'ignored', inWords: 'obeyed' }],
    ['ok', undefined, { given: 'ignored', inWords: 'ignored' }],
    ['thinking', 'obeys', { given: 'obeyed', unthinking: 'obeyed' }],
    ['thinking', 'obeys-thinking', { given: 'obeyed', unthinking: 'ignored' }],
    ['thinking', 'obeys-unthinking', { given: 'ignored', unthinking: 'obeyed' }],
    ['max-tokens', undefined, { given: 'failed', inWords: 'failed' }],
  ] as const)(
    'says how the model follows schemas: the server’s behaviour "%s" with the handling "%s" of schemas gives %j',
    async (behaviour, manner, schema) => {
      const { found } = await measureOllama({
        behaviours: { alpha: behaviour },
        ...(manner === undefined ? {} : { schemas: { alpha: manner } }),
      });
      expect(found.schema).toEqual(schema);
    },
  );

  test('detects a server that silently cuts the prompt', async () => {
    const { found } = await measureOllama({ readsAtMost: 2_048 });
    expect(found.context).toMatchObject({ read: 2_048 });
    expect((found.context as { sent: number }).sent).toBeGreaterThan(6_000);
  });

  test('detects a server that goes on with a call after the call was stopped', async () => {
    const { found } = await measureOllama({ tokensPerSecond: 250, parallel: 1, deafMs: 1_500 });
    // The test server goes on with the stopped call for 1.5 s (`deafMs`), so the doctor's next call has to
    // wait.
    expect((found.cancel as { nextMs: number }).nextMs).toBeGreaterThan(1_000);
  });

  test('times a stop and the next call, which begins only after the stopped call’s connection was closed', async () => {
    const { ollama, found } = await measureOllama({ tokensPerSecond: 250, parallel: 1 });
    expect(found.cancel).toMatchObject({
      closedMs: expect.any(Number),
      nextMs: expect.any(Number),
    });
    const stopped = ollama.chats().findIndex(({ closedAt }) => closedAt !== undefined);
    const [left, next] = ollama.chats().slice(stopped);
    expect(next?.started).toBeGreaterThan(left?.closedAt ?? Number.NaN);
  });

  test('closes the connection of the call that it stops', async () => {
    const { ollama } = await measureOllama({ tokensPerSecond: 60 });
    const left = ollama.chats().filter(({ closedAt }) => closedAt !== undefined);
    expect(left).toHaveLength(1);
    expect(JSON.stringify(left[0]?.body)).toContain('Count from one');
  });

  test('makes only one call to a failing model', async () => {
    const { ollama, found } = await measureOllama({
      behaviours: { alpha: { status: 500, message: 'no memory left' } },
    });
    expect(found.answer).toMatchObject({ message: 'ollama: no memory left (HTTP 500)' });
    expect(ollama.chats()).toHaveLength(1);
  });

  test('makes few and short calls if the model costs money', async () => {
    const anthropic = closeAfterTest(
      await startAnthropic({ schemas: { 'claude-alpha': 'obeys' } }),
    );
    const provider = providerOf('anthropic', { anthropic });
    const found = await measureModel(provider, 'claude-alpha', { ...how, free: false });
    expect(found).toMatchObject({ window: 200_000, schema: { given: 'obeyed' } });
    expect(anthropic.chats()).toHaveLength(2);
    for (const { body } of anthropic.chats()) expect(body?.max_tokens).toBeLessThanOrEqual(1_000);
  });

  test('also works with an OpenAI-compatible server', async () => {
    const openai = closeAfterTest(
      await startOpenAI({ schemas: { alpha: 'obeys' }, answer: BRIEF }),
    );
    const found = await measureModel(providerOf('openai', { openai }), 'alpha', how);
    expect(found).toMatchObject({ schema: { given: 'obeyed' }, answer: { thought: false } });
  });

  test('counts a schema as followed even if the answer arrives as thinking', async () => {
    const schemas = { alpha: 'obeys' } as const;
    const openai = closeAfterTest(
      await startOpenAI({ schemas, answer: BRIEF, answersIn: 'reasoning' }),
    );
    const found = await measureModel(providerOf('openai', { openai }), 'alpha', how);
    expect(found).toMatchObject({ schema: { given: 'obeyed' }, answer: { thought: false } });
  });
});

describe("The doctor's measurement of a server", () => {
  test('has its version and its number of models', async () => {
    const ollama = closeAfterTest(await startOllama());
    const { measured: host } = await measureHost(providerOf('ollama', { ollama }));
    expect(host).toEqual({ name: 'ollama', endpoint: ollama.url, version: '0.12.0', listed: 3 });
  });

  test('has a failure in place of the number of models if nothing answers at the server’s address', async () => {
    const gone = await measureHost(providerOf('ollama', {}));
    expect(gone.measured.listed).toMatchObject({ code: 'unreachable' });
    expect(gone.models).toEqual([]);
  });

  test.each([
    ['both models', false, ['alpha', 'beta']],
    ['only the second model', true, ['beta']],
  ])(
    'says after calls to two models that %s stayed in memory',
    async (_what, loadOneAtATime, loaded) => {
      const ollama = closeAfterTest(await startOllama({ loadOneAtATime, answer: BRIEF }));
      const provider = providerOf('ollama', { ollama });
      expect(await measureTogether(provider, ['alpha', 'beta'], how)).toEqual({
        called: ['alpha', 'beta'],
        loaded,
      });
    },
  );
});

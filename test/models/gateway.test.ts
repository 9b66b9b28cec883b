/** Routing, lists, prices, addresses, and the test servers run by hand. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { createModels } from '../../src/models/gateway.ts';
import { priceListSchema } from '../../src/models/prices.ts';
import { ollamaHost } from '../../src/models/providers/ollama-host.ts';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { callModel, getFailure, modelsFor } from './ask.ts';

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PRICES: unknown = JSON.parse(readFileSync(toPath('../../presets/prices.json'), 'utf8'));

describe('a model name that cannot be used', () => {
  test.each([
    [
      'mistral/large',
      '"mistral/large" does not name a known provider: ollama, anthropic, openai, rehearsal',
    ],
    ['qwen3:8b', '"qwen3:8b" does not name a known provider: ollama, anthropic, openai, rehearsal'],
    ['ollama/', '"ollama/" does not name a model'],
    ['', '"" does not name a known provider: ollama, anthropic, openai, rehearsal'],
  ])('gives an error that explains why: %j', async (spec, message) => {
    const { result, events } = await callModel(modelsFor({}), spec);
    expect(getFailure(result)).toMatchObject({ code: 'not-found', message, attempts: 0 });
    expect(events).toEqual([]);
  });
});

describe('the list of models', () => {
  test('is sorted by provider: Ollama, Anthropic, OpenAI, and last the built-in rehearsal', async () => {
    const ollama = await startOllama({
      models: ['qwen3:8b', 'nomic-embed-text'],
      contextLength: 40_960,
    });
    const anthropic = await startAnthropic({ models: ['claude-alpha'] });
    const openai = await startOpenAI({ models: ['local-7b', 'text-embedding-3'] });
    const listings = await modelsFor({ ollama, anthropic, openai }).list();
    for (const server of [ollama, anthropic, openai]) await server.close();
    expect(listings).toEqual([
      {
        name: 'ollama',
        endpoint: ollama.url,
        models: [
          {
            spec: 'ollama/qwen3:8b',
            sizeBytes: 4_700_000_000,
            contextWindow: 40_960,
            note: '8.2B Q4_K_M',
          },
        ],
      },
      {
        name: 'anthropic',
        endpoint: anthropic.url,
        models: [
          { spec: 'anthropic/claude-alpha', note: 'Test claude-alpha', contextWindow: 200_000 },
        ],
      },
      { name: 'openai', endpoint: `${openai.url}/v1`, models: [{ spec: 'openai/local-7b' }] },
      {
        name: 'rehearsal',
        endpoint: 'built in',
        models: [{ spec: 'rehearsal/panel', note: 'a stand-in for models; it has no opinions' }],
      },
    ]);
  });

  test('says for each provider which address was asked in vain, or which key is missing', async () => {
    const server = await startOpenAI();
    await server.close();
    const models = createModels({ env: { OLLAMA_HOST: server.url, OPENAI_BASE_URL: server.url } });
    const [ollama, anthropic, openai] = await models.list();
    expect(ollama).toEqual({
      name: 'ollama',
      endpoint: server.url,
      models: [],
      error: `ollama: cannot reach ${server.url} (connection refused). Start it with: ollama serve, or set OLLAMA_HOST`,
    });
    expect(anthropic).toEqual({
      name: 'anthropic',
      endpoint: 'https://api.anthropic.com',
      models: [],
      error: 'anthropic: there is no API key. Set ANTHROPIC_API_KEY',
    });
    expect(openai?.error).toBe(
      `openai: cannot reach ${server.url} (connection refused). Start the server, or check OPENAI_BASE_URL`,
    );
  });
});

describe('prices of models', () => {
  const models = createModels({ env: {}, prices: PRICES });
  const million = { ...NO_USAGE, input: 1_000_000, output: 1_000_000 };

  test.each([
    ['anthropic/claude-opus-5-5', 24],
    ['anthropic/claude-opus-5', 30],
    ['anthropic/claude-haiku-4-5-20251001', 6],
    ['anthropic/claude-haiku-4-5', 6],
    ['anthropic/claude-opus-5-7', undefined],
    ['anthropic/claude-unheard-of', undefined],
    // A prompt of a million tokens counts as long, so the higher price of gpt-6.2-sol for long prompts
    // applies.
    ['openai/gpt-6.2-sol', 19],
    ['openai/gpt-6.1-sol-2026-09-29', 19],
    ['openai/gpt-6-luna', 0.95],
    // The price list has no entry for gpt-5.5-pro, which costs six times as much as gpt-5.5 and must not
    // get the price of gpt-5.5.
    ['openai/gpt-5.5-pro', undefined],
    ['openai/gpt-5.4-mini', 5.25],
    ['openai/gpt-5', undefined],
    ['openai/my-own-model', undefined],
    ['ollama/qwen3:8b', 0],
    ['rehearsal/panel', 0],
  ])(
    '%s costs %s dollars for a million tokens in and a million out (undefined: the price is unknown)',
    (model, usd) => {
      expect(models.price(model, million)).toBe(usd);
    },
  );

  test('have separate rates for reading and writing a cache', () => {
    const usage = { ...million, cached: 500_000, cacheWritten: 100_000 };
    // The rates in dollars per million tokens are 3 for 400,000 uncached tokens, 0.3 for 500,000 read from
    // the cache, 3.75 for 100,000 written to the cache, and 15 for the answer.
    expect(models.price('anthropic/claude-sonnet-4-6', usage)).toBeCloseTo(
      1.2 + 0.15 + 0.375 + 15,
      9,
    );
  });

  test('for writing to a cache are twice those for input if Anthropic keeps the cache for an hour', () => {
    const usage = {
      ...NO_USAGE,
      input: 500_000,
      cacheWritten: 400_000,
      cacheWrittenForHour: 300_000,
    };
    // Each price is a number of tokens in millions, times dollars per million tokens.
    const uncached = 0.1 * 3;
    const cachedForFiveMinutes = 0.1 * 3.75;
    const cachedForHour = 0.3 * 6;
    expect(models.price('anthropic/claude-sonnet-4-6', usage)).toBeCloseTo(
      uncached + cachedForFiveMinutes + cachedForHour,
      9,
    );
    const rateWithAndWithoutCache = 0.2;
    expect(models.price('openai/gpt-5.4-nano', usage)).toBeCloseTo(
      0.5 * rateWithAndWithoutCache,
      9,
    );
  });

  test('have a date, and are never zero for a paid model', () => {
    const { usd_per_million_tokens: known } = priceListSchema.parse(PRICES);
    for (const [model, entry] of Object.entries(known)) {
      const { long_prompt: long } = entry;
      for (const rates of [entry, ...(long ? [long] : [])])
        for (const rate of [rates.input, rates.output, rates.cache_read, rates.cache_write])
          expect(rate, model).toBeGreaterThan(0);
    }
  });

  test('can be higher for long prompts', () => {
    const short = { ...NO_USAGE, input: 100_000, output: 1_000 };
    expect(models.price('anthropic/claude-haiku-5-5', short)).toBeCloseTo(0.01 + 0.0005, 9);
    expect(models.price('anthropic/claude-haiku-5-5', { ...short, input: 100_001 })).toBeCloseTo(
      0.0500005 + 0.0025,
      9,
    );
  });

  test('are known only for local models if there is no list, and an invalid list is rejected', () => {
    expect(createModels({ env: {} }).price('anthropic/claude-opus-5', million)).toBeUndefined();
    expect(createModels({ env: {} }).price('ollama/x', million)).toBe(0);
    expect(() => createModels({ env: {}, prices: { as_of: 'today' } })).toThrow(/as_of/);
  });
});

test.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:9000', 'http://127.0.0.1:9000'],
  [':9000', 'http://127.0.0.1:9000'],
  ['gpu-box', 'http://gpu-box:11434'],
  ['gpu-box:80', 'http://gpu-box'],
  ['http://gpu-box', 'http://gpu-box'],
  ['https://gpu.example.org/ollama/', 'https://gpu.example.org/ollama'],
  ['http://[::]:9000', 'http://[::1]:9000'],
  ['"http://quoted:1"', 'http://quoted:1'],
  ['http://me:pass%20word@box:1', 'http://box:1'],
  ['http://[oops', undefined],
])('OLLAMA_HOST=%s means the address %s', (value, url) => {
  expect(ollamaHost(value)?.url).toBe(url);
});

test('credentials in OLLAMA_HOST are sent as a header', () => {
  expect(ollamaHost('http://me:pass%20word@box:1')?.authorization).toBe(
    `Basic ${Buffer.from('me:pass word').toString('base64')}`,
  );
});

test('the servers for tests can be started from the command line', async () => {
  const child = spawn(
    process.execPath,
    [
      toPath('../servers/cli.ts'),
      '--ollama',
      '3',
      '--openai',
      '1',
      '--rate',
      '0',
      '--behave',
      'm2=429',
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString())),
  );
  const started = JSON.parse(line) as Record<
    string,
    { models: string[]; env: Record<string, string> }
  >;
  expect(started.ollama?.models).toEqual(['m1', 'm2', 'm3']);
  const env = { ...started.ollama?.env, ...started.openai?.env };
  const models = modelsFor({}, { env });
  expect((await callModel(models, 'ollama/m1')).result.status).toBe('done');
  expect(getFailure((await callModel(models, 'ollama/m2')).result).code).toBe('rate-limited');
  expect((await callModel(models, 'openai/m1')).result.status).toBe('done');
  child.kill();
});

/**
 * Tests the messages if a server has no such model, or nothing answers at its address: they name what the
 * person can do.
 */
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NamedServer, ServerProtocol } from '../../src/kernel/providers/servers.ts';
import { createModels } from '../../src/models/gateway.ts';
import { findSimilar } from '../../src/text/nearest.ts';
import {
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { callModel, getFailure } from './ask.ts';

const MODELS = ['qwen/qwen3-32b', 'qwen/qwen3-8b', 'x-ai/grok-5', 'two\nlines'];

const WIRES = {
  openai: { start: startOpenAI, base: '/v1' },
  'openai-responses': { start: startResponses, base: '/v1' },
  anthropic: { start: startAnthropic, base: '' },
  ollama: { start: startOllama, base: '' },
} as const;

function modelsAt(speaks: ServerProtocol, url: string, more: Partial<NamedServer> = {}) {
  return createModels({
    env: {},
    idleMs: 2_000,
    retry: { attempts: 1 },
    servers: [{ name: 'lab', speaks, url, keyEnv: [], isOwn: true, ...more }],
  });
}

function closeAfterTest<T extends { close(): unknown }>(server: T): T {
  onTestFinished(async () => {
    await server.close();
  });
  return server;
}

const nextOf = async (models: ReturnType<typeof createModels>, spec: string) =>
  getFailure((await callModel(models, spec)).result).next;

describe.each(Object.keys(WIRES) as ServerProtocol[])(
  'the error for a model that is unknown to a server that speaks %s',
  (speaks) => {
    const { start, base } = WIRES[speaks];
    const labOf = async (models: readonly string[]): Promise<[TestServer, string]> => {
      const server = closeAfterTest(await start({ models }));
      return [server, `${server.url}${base}`];
    };
    const getDirections = (name: string) =>
      speaks === 'ollama'
        ? `Try: ollama pull ${name}`
        : `List its models with: deliberate models lab`;

    it('suggests similar names of models that the server has', async () => {
      const [server, url] = await labOf(MODELS);
      const models = modelsAt(speaks, url);
      expect(await nextOf(models, 'lab/qwen3-32')).toBe(
        `Did you mean lab/qwen/qwen3-32b or lab/qwen/qwen3-8b? ${getDirections('qwen3-32')}`,
      );
      expect(await nextOf(models, 'lab/twolines')).toBe(getDirections('twolines'));
      expect(server.chats().length).toBe(2);
    });

    it('suggests no name if the server lists no models', async () => {
      const [, url] = await labOf([]);
      expect(await nextOf(modelsAt(speaks, url), 'lab/any')).toBe(getDirections('any'));
    });
  },
);

it('similar names are also found in a list of 5,000 models', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `org/model-${index}-instruct`);
  const server = closeAfterTest(await startOpenAI({ models: many }));
  expect(await nextOf(modelsAt('openai', `${server.url}/v1`), 'lab/org/model-4711-instrct')).toBe(
    'Did you mean lab/org/model-4711-instruct or lab/org/model-471-instruct or lab/org/model-4471-instruct? List its models with: deliberate models lab',
  );
});

describe('the address of a server', () => {
  it.each(['openai', 'openai-responses'] as const)(
    'is suggested with /v1 in errors if the given address lacks /v1 and the server speaks %s',
    async (speaks) => {
      const server = closeAfterTest(await WIRES[speaks].start({ models: ['alpha'] }));
      const models = modelsAt(speaks, server.url);
      const says = `Its API answers at ${server.url}/v1: set servers.lab.url to that`;
      expect(await nextOf(models, 'lab/alpha')).toBe(says);
      const listing = (await models.list({ only: 'lab' }))[0];
      expect(listing?.error).toMatch(new RegExp(`^lab: .*${says.replaceAll('/', '\\/')}$`));
    },
  );

  it('is suggested with /v1 in errors even if a web page answers at the given address without /v1', async () => {
    const page = closeAfterTest(
      createServer((request, response) => {
        const isList = request.url === '/v1/models';
        response.writeHead(200, { 'content-type': isList ? 'application/json' : 'text/html' });
        response.end(isList ? '{"data":[{"id":"alpha"}]}' : '<!doctype html><title>Chat</title>');
      }),
    );
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const address = page.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    expect(await nextOf(modelsAt('openai', url), 'lab/alpha')).toBe(
      `Its API answers at ${url}/v1: set servers.lab.url to that`,
    );
  });

  it('that answers neither with nor without /v1 leads to an error that asks to check the address', async () => {
    const server = closeAfterTest(await startOpenAI());
    const url = `${server.url}/elsewhere`;
    const models = modelsAt('openai', url);
    expect(await nextOf(models, 'lab/alpha')).toBe(`Check that ${url} is the right address`);
    expect((await models.list({ only: 'lab' }))[0]?.error).toBe(
      `lab: 404 page not found (HTTP 404). Check that ${url} is the right address; a server without a list is asked by name: lab/MODEL`,
    );
  });

  it('is suggested with /v1 in an error that names the environment variable to change', async () => {
    const server = closeAfterTest(await startOpenAI());
    const models = createModels({
      env: { OPENAI_BASE_URL: server.url },
      idleMs: 2_000,
      retry: { attempts: 1 },
    });
    expect(await nextOf(models, 'openai/alpha')).toBe(
      `Its API answers at ${server.url}/v1: set OPENAI_BASE_URL to that`,
    );
  });

  it('may end with /v1 in ANTHROPIC_BASE_URL', async () => {
    const server = closeAfterTest(await startAnthropic({ models: ['alpha'] }));
    const models = createModels({
      env: { ANTHROPIC_BASE_URL: `${server.url}/v1/` },
      idleMs: 2_000,
    });
    expect((await callModel(models, 'anthropic/alpha')).result.status).toBe('done');
  });
});

it('a model can be called by its name if the server does not list its models', async () => {
  const server = closeAfterTest(
    await startOpenAI({
      redirect: ({ path }) => (path === '/v1/models' ? { status: 404 } : undefined),
    }),
  );
  const models = modelsAt('openai', `${server.url}/v1`);
  expect((await callModel(models, 'lab/alpha')).result.status).toBe('done');
  expect((await models.list({ only: 'lab' }))[0]?.error).toContain('asked by name: lab/MODEL');
  expect(await nextOf(models, 'lab/unknown')).toBe('List its models with: deliberate models lab');
});

describe('findSimilar', () => {
  it('orders names by the share of letter pairs that they have in common with the wrong name', () => {
    const names = ['gpt-5-mini', 'claude-opus-5', 'gpt-5', 'llama3'];
    expect(findSimilar('gpt5', names, 3)).toEqual(['gpt-5', 'gpt-5-mini']);
    expect(findSimilar('opus-5', names, 1)).toEqual(['claude-opus-5']);
    expect(findSimilar('', names, 3)).toEqual([]);
    expect(findSimilar('zzz', names, 3)).toEqual([]);
  });
});

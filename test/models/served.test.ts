/**
 * Tests the model as its server names it, since providers have several models behind a name and replace
 * them.
 */
import { describe, expect, it } from 'vitest';
import { closeAfterTest } from '../e2e/scene.ts';
import {
  type ServerOptions,
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
} from '../servers/index.ts';
import { callModel, modelsFor } from './ask.ts';

const PROTOCOLS = {
  anthropic: async (options: ServerOptions) =>
    modelsFor({ anthropic: closeAfterTest(await startAnthropic({ models: ['a'], ...options })) }),
  openai: async (options: ServerOptions) =>
    modelsFor({ openai: closeAfterTest(await startOpenAI({ models: ['a'], ...options })) }),
  responses: async (options: ServerOptions) =>
    modelsFor({ responses: closeAfterTest(await startResponses({ models: ['a'], ...options })) }),
};

describe.each(['anthropic', 'openai', 'responses'] as const)('An answer by %s', (protocol) => {
  const spec = `${protocol === 'anthropic' ? protocol : 'openai'}/a`;
  const askOf = async (options: ServerOptions) =>
    (await callModel(await PROTOCOLS[protocol](options), spec)).result;

  it('has the model name that the server reports in its result, if that differs from the requested name', async () => {
    expect(await askOf({ served: () => 'a-2026-01-01' })).toMatchObject({
      status: 'done',
      served: 'a-2026-01-01',
    });
  });

  it('has no model name in its result if the server reports the requested name', async () => {
    expect(await askOf({})).not.toHaveProperty('served');
  });

  it.each([
    ['no model name if the server reports null as the name', null, undefined],
    ['no model name if the server reports an empty name', '', undefined],
    ['no model name if the server reports a number as the name', 7, undefined],
    ['no model name if the server reports an object as the name', { name: 'b' }, undefined],
    ['the model name without its escape sequences', '\u001b[31mb\u001b[0m\u0007', 'b'],
    [
      'the first 199 characters of a model name of 100,000',
      'b'.repeat(100_000),
      expect.stringMatching(/^b{199}…$/),
    ],
  ])('has in its result %s', async (_what, served, read) => {
    const result = await askOf({ served: () => served });
    expect(result.status).toBe('done');
    expect(result.served).toEqual(read);
  });

  it('has in its result the model name that was reported for the last request', async () => {
    let asked = 0;
    const result = await askOf({
      served: () => `a-${asked}`,
      answer: () => {
        asked += 1;
        return 'Yes.';
      },
      behaviours: { a: ['reset', 'ok'] },
    });
    expect(result).toMatchObject({ status: 'done', attempts: 2, served: `a-${asked}` });
    expect(asked).toBeGreaterThan(1);
  });
});

it('an answer by Ollama, which always reports the requested name, has no model name in its result', async () => {
  const models = modelsFor({ ollama: closeAfterTest(await startOllama({ models: ['a'] })) });
  expect((await callModel(models, 'ollama/a')).result).not.toHaveProperty('served');
});

/** The model as its server names it: providers keep several behind a name, and replace them. */
import { describe, expect, it } from 'vitest';
import { serve } from '../e2e/scene.ts';
import {
  type ServerOptions,
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
} from '../servers/index.ts';
import { ask, modelsFor } from './ask.ts';

const PROTOCOLS = {
  anthropic: async (options: ServerOptions) =>
    modelsFor({ anthropic: serve(await startAnthropic({ models: ['a'], ...options })) }),
  openai: async (options: ServerOptions) =>
    modelsFor({ openai: serve(await startOpenAI({ models: ['a'], ...options })) }),
  responses: async (options: ServerOptions) =>
    modelsFor({ responses: serve(await startResponses({ models: ['a'], ...options })) }),
};

describe.each(['anthropic', 'openai', 'responses'] as const)('In an answer by %s', (protocol) => {
  const spec = `${protocol === 'anthropic' ? protocol : 'openai'}/a`;
  const askOf = async (options: ServerOptions) =>
    (await ask(await PROTOCOLS[protocol](options), spec)).result;

  it('the name of the answering model is recorded if it differs from the requested name', async () => {
    expect(await askOf({ served: () => 'a-2026-01-01' })).toMatchObject({
      status: 'done',
      served: 'a-2026-01-01',
    });
  });

  it('no name of a model is recorded if it is the requested one', async () => {
    expect(await askOf({})).not.toHaveProperty('served');
  });

  it.each([
    ['null is ignored', null, undefined],
    ['an empty text is ignored', '', undefined],
    ['a number is ignored', 7, undefined],
    ['an object is ignored', { name: 'b' }, undefined],
    ['text with escape sequences is sanitised', '\u001b[31mb\u001b[0m\u0007', 'b'],
    ['100,000 characters is cut', 'b'.repeat(100_000), expect.stringMatching(/^b{199}…$/)],
  ])('a reported model name that is %s', async (_what, served, read) => {
    const result = await askOf({ served: () => served });
    expect(result.status).toBe('done');
    expect(result.served).toEqual(read);
  });

  it('the recorded model name is that of the last request', async () => {
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

it('no name is recorded for Ollama, which always repeats the requested one', async () => {
  const models = modelsFor({ ollama: serve(await startOllama({ models: ['a'] })) });
  expect((await ask(models, 'ollama/a')).result).not.toHaveProperty('served');
});

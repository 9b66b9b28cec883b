/**
 * Tests context windows: who knows them, and that a prompt that is too long is refused with numbers and
 * never cut.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseFigures, tooLongFailure } from '../../src/models/window.ts';
import { startAnthropic, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { callModel, getFailure, makeUserMessage, modelsFor } from './ask.ts';

function closeAfterTest<T extends TestServer>(server: T): T {
  onTestFinished(() => server.close());
  return server;
}

describe('The check of whether a prompt fits the window', () => {
  test.each([
    [7_000, 8_192, undefined, undefined],
    [7_168, 8_192, undefined, undefined],
    [7_169, 8_192, undefined, 8_193],
    [8_000, 8_192, 100, undefined],
    // For the answer, 1,024 tokens are kept free, but at most a quarter of the window: 1,000 of 4,000.
    [3_000, 4_000, undefined, undefined],
    [3_001, 4_000, undefined, 4_001],
    [10 ** 9, undefined, undefined, undefined],
  ])(
    'finds that a prompt of %d tokens, with a window of %j and maxTokens %j, needs a window of %j (undefined: no objection)',
    (prompt, window, maxTokens, needs) => {
      expect(tooLongFailure('x/y', prompt, window, maxTokens)?.needs).toBe(needs);
    },
  );

  test('returns a failure that names the model, the token counts and a remedy', () => {
    expect(tooLongFailure('ollama/x', 9_900, 8_192)).toEqual({
      code: 'too-long',
      message:
        'ollama/x holds 8,192 tokens; the prompt needs about 9,900, and 1,024 more for an answer',
      next: 'Shorten the attachments, or give this seat a model with a larger context',
      retry: false,
      window: 8_192,
      needs: 10_924,
    });
  });
});

test.each([
  ['prompt is too long: 208310 tokens > 200000 maximum', { needs: 208_310, window: 200_000 }],
  [
    "This model's maximum context length is 8,192 tokens. However, your messages resulted in 9,900 tokens.",
    { needs: 9_900, window: 8_192 },
  ],
  [
    'request (9900 tokens) exceeds the available context size (8192 tokens), try increasing it',
    { needs: 9_900, window: 8_192 },
  ],
  ['the prompt is too long', {}],
])(
  'parseFigures finds the context window and the prompt’s tokens in a server’s error message: %s',
  (words, figures) => {
    expect(parseFigures(words)).toEqual(figures);
  },
);

describe("The context window of a server's models", () => {
  const messages = [makeUserMessage('word '.repeat(5_000))];

  test.each(['context_length', 'max_model_len', 'context_window', 'loaded_context_length'])(
    'makes a longer prompt fail before it is sent, if the server lists the window as %s',
    async (field) => {
      const openai = closeAfterTest(await startOpenAI({ described: { [field]: 4_096 } }));
      const models = modelsFor({ openai });
      const { result } = await callModel(models, 'openai/alpha', { messages });
      expect(getFailure(result)).toMatchObject({
        code: 'too-long',
        message: expect.stringMatching(/^openai\/alpha holds 4,096 tokens; .* about 6,266, and/),
        window: 4_096,
        needs: 7_290,
      });
      expect(openai.chats()).toEqual([]);
      const listed = (await models.list()).find(({ name }) => name === 'openai');
      expect(listed?.models[0]?.contextWindow).toBe(4_096);
    },
  );

  test.each([0, -1, 1e-9, Number.NaN, '200000' as never])(
    'counts as unknown if the server gives an impossible number of tokens: %j',
    async (window) => {
      const anthropic = closeAfterTest(await startAnthropic({ window }));
      const ollama = closeAfterTest(await startOllama({ contextLength: window }));
      const models = modelsFor({ anthropic, ollama });
      expect((await callModel(models, 'anthropic/claude-alpha', { messages })).result.status).toBe(
        'done',
      );
      for (const { name, models: found } of await models.list())
        if (name === 'anthropic' || name === 'ollama')
          expect(found.map(({ contextWindow }) => contextWindow)).toEqual(
            found.map(() => undefined),
          );
    },
  );

  test('is asked for once per model', async () => {
    const anthropic = closeAfterTest(await startAnthropic({ window: 5_000 }));
    const models = modelsFor({ anthropic });
    const listRequests = () => anthropic.requests.filter(({ path }) => path !== '/v1/messages');
    expect((await callModel(models, 'anthropic/claude-alpha')).result.status).toBe('done');
    for (const model of ['claude-alpha', 'claude-beta'])
      expect(
        getFailure((await callModel(models, `anthropic/${model}`, { messages })).result).code,
      ).toBe('too-long');
    expect(listRequests().map(({ path }) => path)).toEqual([
      '/v1/models/claude-alpha',
      '/v1/models/claude-beta',
    ]);
  });

  test('comes from the program’s own table of models if the server gives no window', async () => {
    const openai = closeAfterTest(await startOpenAI());
    const findWindow = (model: string) => (model === 'openai/alpha' ? 4_096 : undefined);
    const models = modelsFor({ openai }, { windows: findWindow });
    expect(getFailure((await callModel(models, 'openai/alpha', { messages })).result).window).toBe(
      4_096,
    );
    expect((await callModel(models, 'openai/beta', { messages })).result.status).toBe('done');
  });

  test('is read from the server’s message about a long prompt', async () => {
    const message = 'prompt is too long: 208310 tokens > 200000 maximum';
    const anthropic = closeAfterTest(
      await startAnthropic({ behaviours: { 'claude-alpha': { status: 400, message } } }),
    );
    const { result } = await callModel(modelsFor({ anthropic }), 'anthropic/claude-alpha');
    expect(getFailure(result)).toMatchObject({ code: 'too-long', window: 200_000, needs: 208_310 });
  });

  test('may be unknown: the call is made anyway', async () => {
    const ollama = closeAfterTest(await startOllama({ show: 'missing' }));
    expect(
      (await callModel(modelsFor({ ollama }), 'ollama/alpha', { messages })).result.status,
    ).toBe('done');
  });

  test('is requested from Ollama as the fixed size 49,152, not as the exact size that a prompt of 26,000 words needs', async () => {
    const ollama = closeAfterTest(await startOllama({ contextLength: 131_072 }));
    const long = [makeUserMessage('word '.repeat(26_000))];
    await callModel(modelsFor({ ollama }), 'ollama/alpha', { messages: long });
    expect(ollama.chats()[0]?.body?.options).toEqual({ num_ctx: 49_152 });
  });
});

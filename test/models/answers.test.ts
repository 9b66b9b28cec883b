/** Tests whole answers: the requests for them, and the results that are made of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Message } from '../../src/kernel/model.ts';
import { estimatePrompt } from '../../src/kernel/tokens.ts';
import {
  ANSWER,
  type OllamaServer,
  type RecordedRequest,
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
  THINKING,
} from '../servers/index.ts';
import { waitUntil } from '../until.ts';
import { callModel, getFailure, makeUserMessage, modelsFor, typesOf } from './ask.ts';

type Name = 'ollama' | 'anthropic' | 'openai' | 'responses';
const NAMES: readonly Name[] = ['ollama', 'anthropic', 'openai', 'responses'];
const SPECS = {
  ollama: 'ollama/alpha',
  anthropic: 'anthropic/claude-alpha',
  openai: 'openai/alpha',
  responses: 'openai/alpha',
};
const START = {
  ollama: startOllama,
  anthropic: startAnthropic,
  openai: startOpenAI,
  responses: startResponses,
};

let servers: Record<Exclude<Name, 'ollama'>, TestServer> & { ollama: OllamaServer };
const modelsOf = (name: Name) => modelsFor({ [name]: servers[name] });

beforeAll(async () => {
  servers = {
    ollama: await startOllama(),
    anthropic: await startAnthropic({ cacheRead: 100, cacheWritten: 20 }),
    openai: await startOpenAI(),
    responses: await startResponses(),
  };
});
afterAll(() => Promise.all(NAMES.map((name) => servers[name].close())));

function lastOf(name: Name): RecordedRequest & { body: Record<string, unknown> } {
  const last = servers[name].chats().at(-1);
  if (!last?.body) throw new Error('no request was made');
  return { ...last, body: last.body };
}

const behave = (name: Name, ...behaviours: Parameters<TestServer['setBehaviour']>[1][]) =>
  servers[name].setBehaviour(SPECS[name].split('/')[1] ?? '', behaviours.flat());

describe.each(NAMES)('the provider %s', (name) => {
  test('streams an answer', async () => {
    behave(name, 'ok');
    const { result, events } = await callModel(modelsOf(name), SPECS[name]);
    expect(result).toMatchObject({
      status: 'done',
      text: ANSWER.trimEnd(),
      attempts: 1,
      notes: [],
    });
    expect(result).not.toHaveProperty('value');
    expect(typesOf(events)).toEqual(['sent']);
    const streamed = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    expect(streamed).toBe(result.text);
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(50);
    expect(result.latencyMs).toBeGreaterThanOrEqual(result.firstTokenMs ?? Number.NaN);
  });

  test('separates thinking from the answer, whether it is sent apart or within the text', async () => {
    for (const kind of ['thinking', 'inline-thinking'] as const) {
      behave(name, kind);
      const { result, events } = await callModel(modelsOf(name), SPECS[name]);
      expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd(), thinking: THINKING });
      expect(events.findIndex(({ type }) => type === 'thinking')).toBeLessThan(
        events.findIndex(({ type }) => type === 'text'),
      );
    }
  });

  test('reads an answer correctly that arrives byte by byte', async () => {
    const bytewise = await START[name]({
      answer: 'Größe: 🙂 ok',
      behaviours: { alpha: { dripMs: 0 }, 'claude-alpha': { dripMs: 0 } },
    });
    const { result } = await callModel(modelsFor({ [name]: bytewise }), SPECS[name]);
    await bytewise.close();
    expect(result).toMatchObject({ status: 'done', text: 'Größe: 🙂 ok' });
  });

  test('ignores data after the end of an answer', async () => {
    behave(name, 'talks-on');
    const { result } = await callModel(modelsOf(name), SPECS[name]);
    expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd() });
    // After the answer's end, the test server sends data until the client closes the connection. So the wait
    // ends only if the client closes the connection.
    await waitUntil(() => lastOf(name).closedAt, 'end of the connection');
  });

  test('uses a connection again after a complete answer', async () => {
    const server = await START[name]();
    const models = modelsFor({ [name]: server });
    for (let time = 0; time < 8; time++) await callModel(models, SPECS[name]);
    await server.close();
    expect(new Set(server.chats().map(({ port }) => port)).size).toBeLessThanOrEqual(4);
    expect(server.chats().filter(({ closedAt }) => closedAt !== undefined)).toEqual([]);
  });

  test('sends no temperature or seed, and no limit that its API does not require, if the request sets none', async () => {
    behave(name, 'ok');
    await callModel(modelsOf(name), SPECS[name]);
    const sent = JSON.stringify(lastOf(name).body);
    expect(sent).not.toMatch(/temperature|seed|num_predict|max_completion|max_output|top_p/);
  });

  test('repeats a call without the temperature that the model rejected, and sends none in later calls', async () => {
    const models = modelsOf(name);
    behave(name, { status: 400, message: '`temperature` is not supported with this model' }, 'ok');
    const first = await callModel(models, SPECS[name], { seat: { temperature: 0.3 } });
    expect(first.result).toMatchObject({
      status: 'done',
      attempts: 2,
      notes: ['the model does not support a temperature: sent without one'],
    });
    const before = servers[name].chats().length;
    await callModel(models, SPECS[name], { seat: { temperature: 0.3 } });
    expect(servers[name].chats().length - before).toBe(1);
    expect(JSON.stringify(lastOf(name).body)).not.toContain('temperature');
  });
});

test('the request that each provider sends for one conversation has exactly the expected fields', async () => {
  const asking = {
    seat: { brief: 'You are the critic.', temperature: 0.4 },
    messages: [
      { role: 'user' as const, parts: [{ text: 'Shared.', stable: true }, { text: 'The task.' }] },
      { role: 'assistant' as const, parts: [{ text: 'Before.' }] },
      makeUserMessage('Again.'),
    ],
    maxTokens: 700,
    seed: 42,
  };
  for (const name of NAMES) {
    behave(name, 'ok');
    await callModel(modelsOf(name), SPECS[name], asking);
  }
  expect(lastOf('ollama').body).toEqual({
    model: 'alpha',
    stream: true,
    truncate: false,
    shift: false,
    messages: [
      { role: 'system', content: 'You are the critic.' },
      { role: 'user', content: 'Shared.\n\nThe task.' },
      { role: 'assistant', content: 'Before.' },
      { role: 'user', content: 'Again.' },
    ],
    options: { num_ctx: 8192, temperature: 0.4, num_predict: 700, seed: 42 },
  });
  expect(lastOf('anthropic').body).toEqual({
    model: 'claude-alpha',
    stream: true,
    max_tokens: 700,
    temperature: 0.4,
    system: [{ type: 'text', text: 'You are the critic.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Shared.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'The task.' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Before.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Again.' }] },
    ],
  });
  expect(lastOf('openai').body).toEqual({
    model: 'alpha',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'You are the critic.' },
      { role: 'user', content: 'Shared.\n\nThe task.' },
      { role: 'assistant', content: 'Before.' },
      { role: 'user', content: 'Again.' },
    ],
    temperature: 0.4,
    max_tokens: 700,
    seed: 42,
  });
  // The Responses API takes no seed, so its request has none.
  expect(lastOf('responses').body).toEqual({
    model: 'alpha',
    stream: true,
    store: false,
    instructions: 'You are the critic.',
    input: [
      { role: 'user', content: 'Shared.\n\nThe task.' },
      { type: 'message', role: 'assistant', content: 'Before.' },
      { role: 'user', content: 'Again.' },
    ],
    temperature: 0.4,
    max_output_tokens: 700,
  });
});

test('the usage has input, output, cached and thinking tokens, although each provider counts them differently', async () => {
  const usages = [];
  for (const name of NAMES) {
    behave(name, 'thinking');
    usages.push((await callModel(modelsOf(name), SPECS[name])).result.usage);
  }
  const thought = THINKING.split(' ').length;
  const [ollama, anthropic, openai, responses] = usages;
  expect(ollama).toEqual({ input: 15, output: 100, cached: 0, cacheWritten: 0, thinking: 0 });
  // Anthropic's input is a sum: 23 tokens outside of the cache, 100 that were read from the cache, and 20
  // that were written to the cache.
  expect(anthropic).toEqual({
    input: 143,
    output: 100,
    cached: 100,
    cacheWritten: 20,
    thinking: thought,
  });
  expect(openai).toEqual({ input: 15, output: 100, cached: 7, cacheWritten: 0, thinking: 3 });
  expect(responses).toEqual({ input: 15, output: 100, cached: 7, cacheWritten: 5, thinking: 3 });
});

test('openai: an answer with a finish reason is complete, even if the connection stays open after it', async () => {
  const server = await startOpenAI({ behaviours: { alpha: 'lingers' } });
  // The server never closes the connection, and the call must end without waiting for that or for the idle
  // timeout of ten minutes.
  const { result } = await callModel(
    modelsFor({ openai: server }, { idleMs: 600_000 }),
    SPECS.openai,
  );
  await server.close();
  expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd(), attempts: 1 });
});

describe('the provider anthropic', () => {
  const countCacheMarks = () =>
    JSON.stringify(lastOf('anthropic').body).split('"cache_control"').length - 1;

  test('marks at most four parts of a prompt for caching', async () => {
    behave('anthropic', 'ok');
    const parts = ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, stable: true }));
    const messages: Message[] = [{ role: 'user', parts }];
    await callModel(modelsFor(servers), SPECS.anthropic, { seat: { brief: 'A brief.' }, messages });
    expect(countCacheMarks()).toBe(4);
    const [message] = lastOf('anthropic').body.messages as [
      { content: { cache_control?: unknown }[] },
    ];
    expect(message.content.map((block) => block.cache_control !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    await callModel(modelsFor(servers), SPECS.anthropic, { messages });
    expect(countCacheMarks()).toBe(4);
  });

  test('leaves out the parts of a prompt that have no text', async () => {
    await callModel(modelsFor(servers), SPECS.anthropic, {
      messages: [{ role: 'user', parts: [{ text: ' \n', stable: true }, { text: 'Why?' }] }],
    });
    expect(lastOf('anthropic').body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
    ]);
  });

  test('sets max_tokens to 4,096 for an old model, and to 32,000 for a new one, if the server describes neither', async () => {
    const server = await startAnthropic({
      described: 'missing',
      models: ['claude-3-haiku-20240307', 'claude-sonnet-5-5'],
    });
    const models = modelsFor({ anthropic: server });
    for (const model of server.models) await callModel(models, `anthropic/${model}`);
    await server.close();
    expect(server.chats().map(({ body }) => body?.max_tokens)).toEqual([4_096, 32_000]);
  });

  test('sends a token as a Bearer header without x-api-key, and the placeholder "none" if neither token nor key is set', async () => {
    const server = await startAnthropic({ models: ['claude-sonnet-4-5'] });
    const ask = (env: Record<string, string>) =>
      callModel(
        modelsFor({}, { env: { ...env, ANTHROPIC_BASE_URL: server.url } }),
        'anthropic/claude-sonnet-4-5',
      );
    await ask({ ANTHROPIC_AUTH_TOKEN: 'test-token-1234' });
    await ask({});
    await server.close();
    expect(
      server.chats().map(({ headers }) => [headers.authorization, headers['x-api-key']]),
    ).toEqual([
      ['Bearer test-token-1234', undefined],
      ['Bearer none', undefined],
    ]);
  });

  test("sends its key, and turns a model's warning into a note", async () => {
    const server = await startAnthropic({ models: ['claude-sonnet-4-5'] });
    const env = { ANTHROPIC_API_KEY: 'test-key-1234', ANTHROPIC_BASE_URL: server.url };
    const { result } = await callModel(modelsFor({}, { env }), 'anthropic/claude-sonnet-4-5');
    await server.close();
    // The provider sends the key in both headers to a server other than Anthropic's, which may read either one.
    expect(server.chats()[0]?.headers).toMatchObject({
      authorization: 'Bearer test-key-1234',
      'x-api-key': 'test-key-1234',
    });
    expect(result.notes).toEqual([
      "The model 'claude-sonnet-4-5' is deprecated and will reach end-of-life on November 30th, 2026",
    ]);
  });
});

describe('the provider ollama', () => {
  /** The end of an answer that fills a context of 8,192 tokens. Ollama 0.24 counts one token more. */
  const FULL_CONTEXT = {
    prompt_eval_count: 3_000,
    eval_count: 8_192 - 3_000 + 1,
    done_reason: 'length',
  };

  const numCtx = () => (lastOf('ollama').body.options as { num_ctx?: number }).num_ctx;

  test('requests a context that fits the prompt and never shrinks', async () => {
    const models = modelsFor(servers);
    behave('ollama', 'ok');
    await callModel(models, SPECS.ollama);
    expect(numCtx()).toBe(8_192);
    await callModel(models, SPECS.ollama, { messages: [makeUserMessage('word '.repeat(6_000))] });
    expect(numCtx()).toBe(16_384);
    await callModel(models, SPECS.ollama);
    expect(numCtx()).toBe(16_384);
    await callModel(models, SPECS.ollama, { messages: [makeUserMessage('word '.repeat(22_000))] });
    expect(numCtx()).toBe(32_768);
    const shows = servers.ollama.requests.filter(({ path }) => path === '/api/show');
    expect(new Set(shows.map(({ model }) => model)).size).toBeLessThanOrEqual(shows.length);
  });

  test('asks for the description of a model once', async () => {
    const server = await startOllama();
    const models = modelsFor({ ollama: server });
    await callModel(models, SPECS.ollama);
    await callModel(models, SPECS.ollama);
    await server.close();
    expect(server.requests.filter(({ path }) => path === '/api/show')).toHaveLength(1);
  });

  test('asks once more with a larger context if an answer filled its context', async () => {
    const server = await startOllama({ closingFields: [FULL_CONTEXT, {}, FULL_CONTEXT] });
    const models = modelsFor({ ollama: server });
    const { result } = await callModel(models, SPECS.ollama);
    expect(result).toMatchObject({ status: 'done', attempts: 2 });
    const listContexts = () => server.chats().map(({ body }) => body?.options);
    expect(listContexts()).toEqual([{ num_ctx: 8_192 }, { num_ctx: 16_384 }]);
    // The test server cuts its third answer at 8,193 tokens of a context of 16,384, so the context is not full. A
    // larger context cannot help, so the call is not repeated.
    const { result: cut } = await callModel(models, SPECS.ollama);
    await server.close();
    expect(getFailure(cut)).toMatchObject({ code: 'truncated', attempts: 1 });
  });

  test('requests no larger context than the model has', async () => {
    const server = await startOllama({ closingFields: [FULL_CONTEXT], contextLength: 8_192 });
    const { result } = await callModel(modelsFor({ ollama: server }), SPECS.ollama);
    await server.close();
    expect(getFailure(result)).toMatchObject({ code: 'truncated', attempts: 1 });
  });

  test('makes a call fail as too long if the server refuses to cut its prompt', async () => {
    const message = 'the input length exceeds the context length';
    behave('ollama', { status: 400, message });
    const { result } = await callModel(modelsFor(servers), SPECS.ollama);
    expect(getFailure(result)).toMatchObject({ code: 'too-long', attempts: 1 });
  });

  test('rejects a prompt that does not fit the context, and sends nothing', async () => {
    const messages = [makeUserMessage('word '.repeat(30_000))];
    const before = servers.ollama.chats().length;
    const { result } = await callModel(modelsFor(servers), SPECS.ollama, { messages });
    const prompt = estimatePrompt('', messages);
    expect(getFailure(result)).toMatchObject({
      code: 'too-long',
      message: `${SPECS.ollama} holds 32,768 tokens; the prompt needs about ${prompt.toLocaleString('en-US')}, and 1,024 more for an answer`,
      window: 32_768,
      needs: prompt + 1_024,
      attempts: 0,
    });
    expect(servers.ollama.chats().length).toBe(before);
  });

  test('sends no num_ctx after the first call if the server does not describe its models', async () => {
    for (const show of ['missing', 'error'] as const) {
      const server = await startOllama({ show });
      const models = modelsFor({ ollama: server });
      // The first call does not wait for the server's description of the model, and requests a context of 8,192
      // tokens. At the second call, the program knows that the server has no description, and sends no `num_ctx`.
      for (const options of [{ num_ctx: 8_192 }, {}]) {
        const { result } = await callModel(models, SPECS.ollama);
        expect(result.status).toBe('done');
        expect(server.chats().at(-1)?.body?.options).toEqual(options);
      }
      await server.close();
    }
  });

  test('notices that the server cut the beginning of a prompt', async () => {
    const server = await startOllama({ readsAtMost: 2_048 });
    const messages = [makeUserMessage('word '.repeat(5_000))];
    const { result } = await callModel(modelsFor({ ollama: server }), SPECS.ollama, { messages });
    await server.close();
    expect(result.notes).toEqual([
      `ollama read 2048 tokens of a prompt of about ${estimatePrompt('', messages)}: it may have cut the beginning`,
    ]);
  });
});

describe('a structured answer', () => {
  const schema = z.object({
    position: z.string().min(2).max(80),
    confidence: z.number().min(0).max(1),
  });
  const GOOD = '{"position": "split later", "confidence": 0.7}';
  async function askWithAnswers(name: Name, ...answers: string[]) {
    let turn = 0;
    const server = await START[name]({ answer: () => answers[turn++] ?? '' });
    const asked = await callModel(modelsFor({ [name]: server }), SPECS[name], { schema });
    await server.close();
    return { ...asked, requests: server.chats().map(({ body }) => body ?? {}) };
  }

  test.each(NAMES)('is requested from %s in its own format', async (name) => {
    const { result, requests } = await askWithAnswers(name, GOOD);
    expect(result).toMatchObject({
      status: 'done',
      value: { position: 'split later', confidence: 0.7 },
      text: GOOD,
      attempts: 1,
      notes: [],
    });
    const sent = requests[0];
    const shape = { type: 'object', required: ['position', 'confidence'] };
    if (name === 'ollama') expect(sent?.format).toMatchObject(shape);
    if (name === 'openai') {
      expect(sent?.response_format).toMatchObject({
        type: 'json_schema',
        json_schema: { name: 'answer', strict: false, schema: shape },
      });
    }
    if (name === 'responses') {
      expect(sent?.text).toMatchObject({
        format: { type: 'json_schema', name: 'answer', strict: false, schema: shape },
      });
    }
    if (name === 'anthropic') {
      const { format } = (sent?.output_config ?? {}) as {
        format: { type: string; schema: unknown };
      };
      expect(format.type).toBe('json_schema');
      expect(format.schema).toMatchObject({ ...shape, additionalProperties: false });
      // Anthropic's API does not support lengths in a schema, so they are put into the schema as text.
      expect(JSON.stringify(format.schema)).toContain('{minLength: 2, maxLength: 80}');
    }
  });

  test('has a note if it was repaired', async () => {
    const { result } = await askWithAnswers(
      'ollama',
      "```json\n{position: 'split later', confidence: 0.7,}\n```",
    );
    expect(result).toMatchObject({
      status: 'done',
      value: { position: 'split later', confidence: 0.7 },
      notes: ['repaired JSON'],
    });
  });

  test.each(NAMES)(
    'is requested once more from %s, with a description of the mistake, if it is invalid',
    async (name) => {
      const bad = '{"position": "x", "confidence": 7}';
      const { result, requests, events } = await askWithAnswers(name, bad, GOOD);
      expect(result).toMatchObject({ status: 'done', attempts: 2, text: GOOD });
      expect(result.notes[0]).toMatch(/^asked again: position: .*; confidence: /);
      // The usage is the sum of both answers: the refused answer has four words, and the second one has
      // five.
      expect(result.usage.output).toBe(9);
      expect(typesOf(events)).toEqual(['sent', 'retrying', 'sent']);
      const said = JSON.stringify(requests[1]?.messages ?? requests[1]?.input);
      expect(said).toContain(JSON.stringify(bad).slice(1, -1));
      expect(said).toContain('confidence: Too big');
    },
  );

  test('makes the call fail if it is invalid twice', async () => {
    const { result } = await askWithAnswers('openai', 'I would rather not.', 'Still not.');
    expect(getFailure(result)).toMatchObject({
      code: 'invalid-output',
      message:
        'openai: the answer does not have the right form, even when asked again: there is no JSON object in the answer',
      text: 'Still not.',
      attempts: 2,
    });
  });

  test('is not repaired if the answer was cut off', async () => {
    const server = await startOllama({
      answer: '{ "position": "split later", "confidence": 0.7, "and": [1, 2, 3, 4] }',
      behaviours: { alpha: 'max-tokens' },
    });
    const { result } = await callModel(modelsFor({ ollama: server }), SPECS.ollama, { schema });
    await server.close();
    expect(getFailure(result).code).toBe('truncated');
    expect(server.chats()).toHaveLength(1);
  });

  test('is described in the prompt if the server does not support schemas', async () => {
    const server = await startOpenAI({
      answer: GOOD,
      behaviours: { alpha: [{ status: 400, message: 'response_format is not supported' }, 'ok'] },
    });
    const { result } = await callModel(modelsFor({ openai: server }), SPECS.openai, { schema });
    await server.close();
    expect(result).toMatchObject({
      status: 'done',
      notes: ['the model does not support schemas: put in the prompt'],
    });
    const { response_format, messages } = server.chats()[1]?.body ?? {};
    expect(response_format).toBeUndefined();
    expect(JSON.stringify(messages)).toContain('fits this JSON Schema');
  });

  describe('from a server that parses thinking itself, such as vLLM', () => {
    async function askAndParse(
      answersIn: 'reasoning' | 'reasoning_content',
      answer: string,
      asking: { schema?: typeof schema } = { schema },
    ) {
      const server = await startOpenAI({ answer, answersIn });
      const asked = await callModel(modelsFor({ openai: server }), SPECS.openai, asking);
      await server.close();
      return { ...asked, server };
    }

    test.each(['reasoning', 'reasoning_content'] as const)(
      'is read from the thinking in the field %s if nothing else is in this field',
      async (field) => {
        for (const answer of [GOOD, `\n\`\`\`json\n${GOOD}\n\`\`\`\n`, `</think>\n\n${GOOD}`]) {
          const { result, events } = await askAndParse(field, answer);
          expect(result).toMatchObject({
            status: 'done',
            value: { position: 'split later', confidence: 0.7 },
            text: GOOD,
            thinking: '',
            attempts: 1,
            notes: ['the server sent the answer as thinking'],
          });
          expect(events.at(-1)).toEqual({ type: 'text', text: GOOD });
        }
      },
    );

    test('makes the call fail if the thinking is anything but a JSON object alone', async () => {
      for (const thoughts of [
        `Perhaps ${GOOD}, or the other way round.`,
        `${GOOD} But is that so?`,
        `[${GOOD}]`,
        'Hm.',
      ]) {
        const { result } = await askAndParse('reasoning', thoughts);
        expect(getFailure(result)).toMatchObject({ code: 'empty', text: '', thinking: thoughts });
      }
    });

    test('is requested once more if it does not fit the schema, and the call fails if the second answer does not fit either', async () => {
      const { result } = await askAndParse('reasoning', '{"position": "split later"}');
      expect(getFailure(result)).toMatchObject({ code: 'invalid-output', attempts: 2 });
      expect(result.thinking).toBe('');
    });
  });

  test('is checked even if the server ignores the schema', async () => {
    const { result, requests } = await askWithAnswers('openai', 'I would split it later.', GOOD);
    expect(result).toMatchObject({
      status: 'done',
      value: { position: 'split later', confidence: 0.7 },
      attempts: 2,
    });
    // Since version 0.12, vLLM ignores `guided_json` without an error, so the provider does not send it.
    expect(JSON.stringify(requests)).not.toContain('guided_');
    expect(JSON.stringify(requests[1]?.messages)).toContain('fits this JSON Schema');
  });
});

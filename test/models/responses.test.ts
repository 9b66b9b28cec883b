/**
 * Tests what is special about OpenAI's Responses API. What holds for every protocol is in the tests of all
 * protocols.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../../src/kernel/model.ts';
import { createModels } from '../../src/models/gateway.ts';
import { wireApiOf } from '../../src/models/providers/openai.ts';
import { askWithTools } from '../../src/protocols/common/asking/asking.ts';
import { listFactsOfType, openAttempt, temporaryStore } from '../kernel/desk.ts';
import {
  type Behaviours,
  type RecordedRequest,
  type ResponsesOptions,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { makeRepository, toolsOver } from '../tools/repository.ts';
import { callModel, getFailure, makeUserMessage, modelsFor } from './ask.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startResponses();
});
afterAll(() => server.close());

function askWith(behaviours: Behaviours, asking: Parameters<typeof callModel>[2] = {}) {
  server.setBehaviour('alpha', behaviours);
  return callModel(modelsFor({ responses: server }), 'openai/alpha', asking);
}

const makeTextEvent = (delta: unknown, more: object = {}) => ({
  type: 'response.output_text.delta',
  item_id: 'msg_9',
  delta,
  ...more,
});
const makeCompletedEvent = (more: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output: [], ...more },
});

describe('The choice of OpenAI’s API, responses or chat completions,', () => {
  it.each([
    ['https://api.openai.com/v1', undefined, 'responses'],
    ['https://eu.api.openai.com/v1', '', 'responses'],
    ['https://api.openai.com.example.net/v1', undefined, 'chat'],
    ['http://127.0.0.1:8000/v1', undefined, 'chat'],
    ['https://openrouter.ai/api/v1', undefined, 'chat'],
    ['http://127.0.0.1:8000/v1', 'responses', 'responses'],
    ['https://api.openai.com/v1', 'chat', 'chat'],
    ['https://api.openai.com/v1', 'constructor', undefined],
  ])('with the address %s and OPENAI_WIRE_API=%j is %j', (endpoint, told, api) => {
    expect(wireApiOf(endpoint, told)).toBe(api);
  });

  it('fails before anything is sent if OPENAI_WIRE_API names an unknown API', async () => {
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_WIRE_API: 'Responses' };
    const before = server.requests.length;
    const { result } = await callModel(modelsFor({}, { env }), 'openai/alpha');
    expect(getFailure(result)).toMatchObject({
      code: 'rejected',
      message: 'openai: OPENAI_WIRE_API is not a known API',
      next: 'Set it to responses or chat, or unset it',
    });
    expect(server.requests.length).toBe(before);
  });
});

describe("A stream of OpenAI's Responses API", () => {
  it('may contain unknown events, and nonsense in known events', async () => {
    const records = [
      { type: 'response.telepathy.delta', delta: 'no' },
      { type: '__proto__', item: null },
      makeTextEvent(5),
      makeTextEvent(null),
      { type: 'response.output_item.done', output_index: 'x', item: [] },
      { type: 'response.output_item.added', item: 'x' },
      makeTextEvent('heard'),
    ];
    const { result } = await askWith({ records });
    expect(result).toMatchObject({ status: 'done', text: 'said \n\nheard', attempts: 1 });
  });

  it('is malformed if its last event contains no response', async () => {
    const { result } = await askWith({
      records: [makeTextEvent('half'), { type: 'response.completed', response: null }],
      alone: true,
    });
    expect(getFailure(result)).toMatchObject({
      code: 'malformed',
      message: 'openai: malformed response at the end of the stream',
      text: 'half',
      attempts: 3,
    });
  });

  it.each([
    ['server', 3, 'it broke', { type: 'error', code: 'server_error', message: 'it broke' }],
    [
      'rate-limited',
      3,
      'slow',
      { type: 'error', error: { type: 'rate_limit_exceeded', message: 'slow' } },
    ],
    ['payment', 1, 'no money', { type: 'error', code: 'insufficient_quota', message: 'no money' }],
    ['malformed', 3, 'malformed error in the stream', { type: 'error' }],
  ] as const)(
    'with an error event makes the call fail as "%s" after %d attempts',
    async (...args) => {
      const [code, attempts, words, record] = args;
      const { result } = await askWith({ records: [makeTextEvent('half'), record], alone: true });
      expect(getFailure(result)).toMatchObject({
        code,
        message: `openai: ${words}`,
        attempts,
        text: 'half',
      });
    },
  );

  it.each([
    ['server', 'it broke', 3, { code: 'server_error', message: 'it broke' }],
    ['rate-limited', 'slow down', 3, { code: 'rate_limit_exceeded', message: 'slow down' }],
    [
      'too-long',
      'input exceeds the context window',
      1,
      { code: 'context_length_exceeded', message: 'input exceeds the context window' },
    ],
    [
      'refused',
      'the model declined to answer: not this',
      1,
      { code: 'invalid_prompt', message: 'not this' },
    ],
    [
      'refused',
      'the model declined to answer: nor that',
      1,
      { code: 'bio_policy', message: 'nor that' },
    ],
    ['malformed', 'the response failed without a reason', 3, null],
  ] as const)(
    'that ends with a failed response makes the call fail as "%s" with "%s"; tokens of all attempts (%d) are counted',
    async (code, words, attempts, error) => {
      const usage = { input_tokens: 30, output_tokens: 4 };
      const failed = { type: 'response.failed', response: { status: 'failed', error, usage } };
      const { result } = await askWith({ records: [makeTextEvent('half'), failed], alone: true });
      expect(getFailure(result)).toMatchObject({ code, message: `openai: ${words}`, attempts });
      expect(result.usage).toMatchObject({ input: 30 * attempts, output: 4 * attempts });
    },
  );

  it('that completes with a refusal in words makes the call fail as "refused"', async () => {
    const refusal = { type: 'response.refusal.delta', delta: 'I would rather not.' };
    const { result } = await askWith({ records: [refusal, makeCompletedEvent()], alone: true });
    expect(getFailure(result)).toMatchObject({
      code: 'refused',
      message: 'openai: the model declined to answer: I would rather not.',
      attempts: 1,
    });
  });

  it('that contains a tool call makes the call fail as "unfinished" if no tools were offered', async () => {
    const item = { type: 'function_call', call_id: 'c', name: 'rm', arguments: '{}' };
    const done = { type: 'response.output_item.done', output_index: 0, item };
    const { result } = await askWith({ records: [done, makeCompletedEvent()], alone: true });
    expect(getFailure(result)).toMatchObject({
      code: 'unfinished',
      message:
        'openai: the answer was not finished: the model called a tool ("function_call"), but none was offered',
    });
  });

  it('is judged by its status and not by the name of its last event', async () => {
    const cut = makeCompletedEvent({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    const { result } = await askWith({ records: [makeTextEvent('half'), cut], alone: true });
    expect(getFailure(result)).toMatchObject({ code: 'truncated', text: 'half', attempts: 1 });
  });
});

describe('A request to an OpenAI-compatible server', () => {
  const makeSeat = (id: string, brief: string) => ({
    id,
    role: id,
    title: id,
    model: 'openai/alpha',
    brief,
  });

  it('by the Responses API has the same cache key for seats of one run whose prompts begin alike', async () => {
    server.setBehaviour('alpha', 'ok');
    const before = server.chats().length;
    const runs: string[] = [];
    for (const briefs of [['Be kind.', 'Be kind.', 'Be harsh.'], ['Be kind.']]) {
      const journal = temporaryStore().create('test');
      runs.push(journal.run);
      const { run } = openAttempt(journal, modelsFor({ responses: server }));
      for (const [at, brief] of briefs.entries())
        await run.ask(`seat/s${at}`, {
          task: 'test/answer',
          seat: makeSeat(`s${at}`, brief),
          messages: [makeUserMessage('Why?')],
        });
    }
    const keys = server
      .chats()
      .slice(before)
      .map(({ body }) => String(body?.prompt_cache_key));
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect(runs.some((run) => run.includes(key) || key.includes(run))).toBe(false);
    }
  });

  it('by the API for chat completions has no cache key', async () => {
    const other = await startOpenAI();
    onTestFinished(() => other.close());
    const { run } = openAttempt(temporaryStore().create('test'), modelsFor({ openai: other }));
    await run.ask('seat/s', {
      task: 't/a',
      seat: makeSeat('s', ''),
      messages: [makeUserMessage('Why?')],
    });
    expect(Object.keys(other.chats()[0]?.body ?? {})).toEqual([
      'model',
      'stream',
      'stream_options',
      'messages',
    ]);
  });

  it('by the Responses API marks the model’s earlier answers with a type, which llama.cpp requires', async () => {
    // If an earlier answer of the model has no field `type`, llama.cpp's server refuses the request: "Cannot
    // determine type of 'item' (HTTP 400)".
    const said: Message = { role: 'assistant', parts: [{ text: 'A rock.' }] };
    await askWith('ok', { messages: [makeUserMessage('Look.'), said, makeUserMessage('Again.')] });
    expect(server.chats().at(-1)?.body?.input).toEqual([
      { role: 'user', content: 'Look.' },
      { type: 'message', role: 'assistant', content: 'A rock.' },
      { role: 'user', content: 'Again.' },
    ]);
  });

  it('contains no earlier turn in the format of another API', async () => {
    const call = { id: 'call_1', name: 'read', arguments: { path: 'a' } };
    const makeMessages = (turn: unknown): Message[] => [
      makeUserMessage('Look.'),
      { role: 'assistant', parts: [], calls: [call], turn },
      { role: 'user', parts: [], results: [{ id: 'call_1', name: 'read', text: 'It says a.' }] },
    ];
    const { result } = await askWith('ok', { messages: makeMessages({ reasoning_content: 'hm' }) });
    expect(result.status).toBe('done');
    const input = [
      { role: 'user', content: 'Look.' },
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'It says a.' },
    ];
    expect(server.chats().at(-1)?.body?.input).toEqual(input);
    await askWith('ok', {
      messages: makeMessages([{ type: 'thinking', thinking: 'hm', signature: 's' }]),
    });
    expect(server.chats().at(-1)?.body?.input).toEqual(input);

    const other = await startOpenAI();
    onTestFinished(() => other.close());
    const items = [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed' }];
    await callModel(modelsFor({ openai: other }), 'openai/alpha', {
      messages: makeMessages({ items }),
    });
    const messages = (other.chats()[0]?.body?.messages ?? []) as object[];
    expect(Object.keys(messages[1] ?? {})).toEqual(['role', 'content', 'tool_calls']);
  });
});

describe("A model that uses tools by OpenAI's Responses API", () => {
  async function runLook(options: ResponsesOptions, thinking = 'I should look first.') {
    const looked = await startResponses({
      answer: 'Three seconds.',
      calls: (_request, results) =>
        results.length > 0
          ? undefined
          : { thinking, calls: [{ name: 'read', arguments: { path: 'src/clock.ts' } }] },
      ...options,
    });
    onTestFinished(() => looked.close());
    const env = { OPENAI_BASE_URL: `${looked.url}/v1`, OPENAI_WIRE_API: 'responses' };
    const models = createModels({ env, retry: { attempts: 1 } });
    const journal = temporaryStore().create('test');
    const { run } = openAttempt(journal, models, { tools: toolsOver(makeRepository()) });
    const askOnce = (key: string) =>
      askWithTools(run, key, {
        task: 'test/look',
        seat: { id: 'critic', role: 'critic', title: 'Critic', model: 'openai/alpha', brief: '' },
        messages: [makeUserMessage('How long is the increment?')],
      });
    return { looked, journal, once: askOnce, reply: await askOnce('seat/critic') };
  }

  const inputOf = (request: RecordedRequest | undefined) =>
    request?.body?.input as Record<string, unknown>[];

  it('gets its encrypted thinking back unchanged', async () => {
    const { looked, journal, reply } = await runLook({ aside: 'Let me see.' });
    expect(reply).toMatchObject({ status: 'done', text: 'Three seconds.' });
    // Text that the model marks as commentary, here before a tool call, counts as thinking, not as an answer.
    expect(listFactsOfType(journal.facts(), 'call.completed')[0]).toMatchObject({
      text: '',
      thinking: 'I should look first.Let me see.',
    });
    const [first, second] = looked.chats();
    expect(first?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    expect(inputOf(second).slice(1, 5)).toMatchObject([
      { type: 'reasoning', id: 'rs_0', encrypted_content: 'sealed rs_0' },
      { type: 'message', phase: 'commentary', content: [{ text: 'Let me see.' }] },
      { type: 'function_call', id: 'fc_0_thought', call_id: 'call_0x', name: 'read' },
      { type: 'function_call_output', call_id: 'call_0x' },
    ]);
  });

  it('gets its tool calls back without their ids if the server has not returned the model’s thinking', async () => {
    const { looked, reply } = await runLook({ keepsThoughts: true });
    expect(reply).toMatchObject({ status: 'done', text: 'Three seconds.' });
    const items = inputOf(looked.chats()[1]).slice(1, 3);
    expect(items.map(({ type }) => type)).toEqual(['function_call', 'function_call_output']);
    expect(items[0]).not.toHaveProperty('id');
  });

  it('is asked for its encrypted thinking only once if the server refuses that request', async () => {
    const { looked, once, reply } = await runLook({ thoughtless: ['alpha'] }, '');
    expect(reply).toMatchObject({ status: 'done', text: 'Three seconds.' });
    const listRequests = () => looked.chats().filter(({ body }) => body?.include !== undefined);
    expect(listRequests()).toHaveLength(1);
    await once('seat/again');
    expect(listRequests()).toHaveLength(1);
  });
});

/** Tests the reasons for which an answer ends: which of them mean a whole answer, a cut one, or neither. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ANSWER,
  type Behaviours,
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { callModel, getFailure, modelsFor } from './ask.ts';

type Name = 'ollama' | 'anthropic' | 'openai' | 'responses';
const NAMES: readonly Name[] = ['ollama', 'anthropic', 'openai', 'responses'];
const SPECS = {
  ollama: 'ollama/alpha',
  anthropic: 'anthropic/claude-alpha',
  openai: 'openai/alpha',
  responses: 'openai/alpha',
} as const;
const START = {
  ollama: startOllama,
  anthropic: startAnthropic,
  openai: startOpenAI,
  responses: startResponses,
};
const modelOf = (name: Name): string => SPECS[name].split('/')[1] ?? '';
/** As its sentences begin. */
const calledOf = (name: Name): string => SPECS[name].split('/')[0] ?? '';
const HALF = ANSWER.slice(0, 100);

let servers: Record<Name, TestServer>;
beforeAll(async () => {
  servers = {
    ollama: await startOllama(),
    anthropic: await startAnthropic(),
    openai: await startOpenAI(),
    responses: await startResponses(),
  };
});
afterAll(() => Promise.all(NAMES.map((name) => servers[name].close())));

function askWith(name: Name, behaviour: Behaviours, asking: Parameters<typeof callModel>[2] = {}) {
  servers[name].setBehaviour(modelOf(name), behaviour);
  return callModel(modelsFor({ [name]: servers[name] }), SPECS[name], asking);
}

const WHOLE: Record<Name, readonly string[]> = {
  ollama: ['stop'],
  anthropic: ['end_turn', 'stop_sequence'],
  openai: ['stop', 'STOP', 'eos', 'eos_token', 'stop_sequence'],
  responses: ['completed'],
};
const CUT: Record<Name, readonly string[]> = {
  ollama: ['length'],
  anthropic: ['max_tokens', 'model_context_window_exceeded'],
  openai: ['length', 'max_tokens', 'model_length', 'MAX_TOKENS'],
  responses: ['max_output_tokens'],
};
const TOOLS: Record<Name, readonly string[]> = {
  ollama: [],
  anthropic: ['tool_use'],
  openai: ['tool_calls', 'function_call'],
  responses: [],
};
const BROKEN_OFF: Record<Name, readonly string[]> = {
  ollama: ['load', 'unload', 'abort'],
  anthropic: [],
  openai: ['insufficient_system_resource', 'error', 'abort'],
  responses: ['cancelled'],
};
const NOBODY_KNOWS = ['timeout', 'constructor', '__proto__', 'toString', 'stopped', ' stop'];
const UNKNOWN: Record<Name, readonly string[]> = {
  ollama: [...NOBODY_KNOWS, 'end_turn'],
  anthropic: [...NOBODY_KNOWS, 'pause_turn', 'stop'],
  openai: [...NOBODY_KNOWS, 'end_turn'],
  responses: [...NOBODY_KNOWS, 'max_messages', 'steered', 'stop'],
};

describe.each(NAMES)('an answer of %s', (name) => {
  const toCases = (reasons: Record<Name, readonly string[]>) =>
    reasons[name].map((reason) => [reason]);

  test.each(toCases(WHOLE))('is complete if its finish reason is "%s"', async (reason) => {
    const { result } = await askWith(name, { ends: reason });
    expect(result).toMatchObject({ status: 'done', attempts: 1, notes: [] });
  });

  test.each(toCases(CUT))('is cut off by a limit if its finish reason is "%s"', async (reason) => {
    const { result } = await askWith(name, { ends: reason });
    const limit = /^model/.test(reason)
      ? "end of the model's context"
      : name === 'openai'
        ? // Without a token limit in its request, `openai` cannot know which of the two limits was reached.
          "limit of the server or the end of the model's context"
        : 'token limit';
    expect(getFailure(result)).toMatchObject({
      code: 'truncated',
      message: expect.stringContaining(`${calledOf(name)}: the answer was cut off at the ${limit}`),
      attempts: 1,
    });
    expect(result.text.startsWith(HALF)).toBe(true);
  });

  // Test the finish reasons for tool calls and those for interruptions in one table. Most providers have only
  // one of these kinds, and vitest refuses a table without cases.
  const unfinished = [...toCases(TOOLS), ...toCases(BROKEN_OFF)];
  test.each(unfinished)(
    'is unfinished if its finish reason is "%s", which means a tool call or an interruption by the server',
    async (reason) => {
      const { result } = await askWith(name, { ends: reason });
      const isTool = TOOLS[name].includes(reason);
      const why = isTool
        ? `the model called a tool ("${reason}"), but none was offered`
        : `the server cut it off with "${reason}"`;
      expect(getFailure(result)).toMatchObject({
        code: 'unfinished',
        message: `${calledOf(name)}: the answer was not finished: ${why}`,
        next: 'Ask again, or give this seat another model',
        attempts: isTool ? 1 : 3,
      });
      expect(result.text.startsWith(HALF)).toBe(true);
    },
  );

  test.each(toCases(UNKNOWN))(
    'is unfinished if its finish reason is unknown: "%s"',
    async (reason) => {
      const { result } = await askWith(name, { ends: reason });
      expect(getFailure(result)).toMatchObject({
        code: 'unfinished',
        message: `${calledOf(name)}: the answer was not finished: the server ended it with "${reason.trim()}"`,
        attempts: 1,
      });
      expect(result.text.startsWith(HALF)).toBe(true);
    },
  );

  test('fails with a message that quotes only the beginning of a long finish reason', async () => {
    const { result } = await askWith(name, { ends: `a\n${'b'.repeat(10_000)}` });
    expect(getFailure(result).message).toMatch(/ended it with "a b{57}…"$/);
  });

  test('is complete if a first attempt breaks off and the second one is complete', async () => {
    const [reason = 'no-end'] = BROKEN_OFF[name];
    const { result } = await askWith(name, [reason === 'no-end' ? reason : { ends: reason }, 'ok']);
    expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd(), attempts: 2 });
  });

  test('is not completed to valid JSON by the program if it was not finished', async () => {
    const schema = z.object({ reasons: z.array(z.string()) });
    // The server sends only the first part of this answer. This part could be repaired to a valid object, but
    // the program must not repair it.
    const server = await START[name]({
      answer: `{"reasons": [${Array.from({ length: 40 }, (_, at) => `"reason ${at}"`).join(', ')}]}`,
    });
    const models = modelsFor({ [name]: server });
    for (const ends of ['paused', ...CUT[name].slice(0, 1)]) {
      server.setBehaviour(modelOf(name), { ends });
      const { result } = await callModel(models, SPECS[name], { schema });
      expect(result).toMatchObject({ status: 'failed', attempts: 1 });
      expect(result).not.toHaveProperty('value');
      expect(result.text.startsWith('{"reasons": ["reason 0"')).toBe(true);
    }
    await server.close();
  });
});

test('an answer without a finish reason is complete for Ollama, but not for Anthropic and OpenAI', async () => {
  const askWithoutReason = async (name: Name) => (await askWith(name, { ends: null })).result;
  expect(await askWithoutReason('ollama')).toMatchObject({
    status: 'done',
    notes: ['ollama did not say why the answer ended'],
  });
  expect(await askWithoutReason('anthropic')).toMatchObject({
    status: 'failed',
    code: 'interrupted',
  });
  expect(await askWithoutReason('openai')).toMatchObject({
    status: 'failed',
    code: 'unfinished',
    message: 'openai: the answer was not finished: the server gave no reason',
    attempts: 1,
  });
});

describe('during an answer of ollama', () => {
  const makeRecord = (more: Record<string, unknown>) => ({
    message: { role: 'assistant', content: 'one ' },
    done: false,
    ...more,
  });
  const then = makeRecord({ message: { role: 'assistant', content: 'two' } });

  test.each([
    { status: 'success' },
    { status: 'success', error: null },
    { error: null },
    { error: '' },
    { error: false },
    { done: null },
    { done: undefined },
  ])('the fields %j in a record are ignored: the answer goes on', async (more) => {
    const { result } = await askWith('ollama', { records: [makeRecord(more), then] });
    expect(result).toMatchObject({ status: 'done', text: 'said one two', attempts: 1 });
  });

  test.each(['true', 'false', 1, {}])(
    'the field "done" makes the answer fail as malformed if its value is no boolean but %j',
    async (done) => {
      const { result } = await askWith('ollama', { records: [makeRecord({ done }), then] });
      expect(getFailure(result)).toMatchObject({
        code: 'malformed',
        message: `ollama: malformed record in the stream: "done" is ${JSON.stringify(done)}`,
        text: 'said ',
        attempts: 1,
      });
    },
  );

  test('a record with an error makes the answer fail, even if the record has text and the status "success"', async () => {
    const { result } = await askWith('ollama', {
      records: [makeRecord({ status: 'success', error: 'the runner has crashed' })],
    });
    expect(getFailure(result)).toMatchObject({
      code: 'server',
      message: 'ollama: the runner has crashed',
    });
  });
});

describe('during an answer of openai', () => {
  const makeChunk = (content: string, finish_reason: unknown) => ({
    choices: [{ index: 0, delta: { content }, finish_reason }],
  });

  test.each(['', 'null', null, 5])(
    'the value %j does not count as a finish reason',
    async (reason) => {
      const { result } = await askWith('openai', {
        records: [makeChunk('one ', reason), makeChunk('two', null)],
      });
      expect(result).toMatchObject({ status: 'done', text: 'said one two' });
      const { result: alone } = await askWith('openai', {
        records: [makeChunk('half', reason)],
        alone: true,
      });
      expect(getFailure(alone).code).toBe('interrupted');
    },
  );

  test('thinking is read from the field "reasoning" if the field "reasoning_content" is empty', async () => {
    const delta = { reasoning_content: '', reasoning: 'Hm.' };
    const { result } = await askWith('openai', {
      records: [{ choices: [{ index: 0, delta, finish_reason: null }] }],
    });
    expect(result).toMatchObject({ status: 'done', thinking: 'Hm.' });
  });

  test.each([
    ['length', 'stop'],
    ['length', 'tool_calls'],
    ['tool_calls', 'length'],
  ])('an answer with the finish reasons %s and %s counts as cut off', async (first, last) => {
    const records = [makeChunk('half', first), makeChunk('', last)];
    const { result } = await askWith('openai', { records, alone: true });
    expect(getFailure(result)).toMatchObject({ code: 'truncated', text: 'half' });
  });
});

/** Starts a server that sends exactly this text. */
async function startServer(text: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('the text in a stream’s event is read even if the event has an unexpected name', async () => {
  const openai = await startServer(
    [
      'event: thread.message\ndata: {"choices":[{"index":0,"delta":{"content":"first "}}]}',
      'data: {"choices":[{"index":0,\ndata: "delta":{"content":"second"},"finish_reason":"stop"}]}',
      'data: [DONE]\n\n',
    ].join('\n\n'),
  );
  const anthropic = await startServer(
    [
      '{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"first "}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"second"}}',
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}',
      '{"type":"message_stop"}',
    ]
      .map((data) => `${data.includes('first') ? 'event: ping\n' : ''}data: ${data}\n\n`)
      .join(''),
  );
  const models = modelsFor(
    {},
    { env: { OPENAI_BASE_URL: openai.url, ANTHROPIC_BASE_URL: anthropic.url } },
  );
  for (const spec of ['openai/alpha', 'anthropic/claude-alpha']) {
    const { result } = await callModel(models, spec);
    expect(result).toMatchObject({ status: 'done', text: 'first second', attempts: 1 });
  }
  openai.close();
  anthropic.close();
});

test('a JSON document instead of a stream is a server error if it describes an error, otherwise malformed', async () => {
  for (const [body, code] of [
    [{ choices: [], error: null }, 'malformed'],
    [{ error: { message: 'the runner has crashed', type: 'server_error' } }, 'server'],
  ] as const) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}` };
    const { result } = await callModel(modelsFor({}, { env }), 'openai/alpha');
    server.close();
    expect(getFailure(result).code).toBe(code);
  }
});

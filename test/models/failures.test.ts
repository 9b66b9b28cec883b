/**
 * Every way in which a server can fail, by every protocol: the code, the sentence, the next step. Well-formed
 * nonsense comes to each protocol either alone or with more before it, in the long form in both ways.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FailureCode } from '../../src/kernel/errors.ts';
import { networkFailure } from '../../src/models/failure.ts';
import { LONG } from '../long.ts';
import {
  ANSWER,
  type Behaviour,
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { callModel, getFailure, modelsFor } from './ask.ts';

type Name = 'ollama' | 'anthropic' | 'openai' | 'responses';
const NAMES: readonly Name[] = ['ollama', 'anthropic', 'openai', 'responses'];
const MODELS = {
  ollama: 'alpha',
  anthropic: 'claude-alpha',
  openai: 'alpha',
  responses: 'alpha',
} as const;
/** As its models are called, and its sentences begin. */
const PROVIDERS = {
  ollama: 'ollama',
  anthropic: 'anthropic',
  openai: 'openai',
  responses: 'openai',
} as const;
const isOpenAI = (name: Name): boolean => PROVIDERS[name] === 'openai';
const specOf = (name: Name): string => `${PROVIDERS[name]}/${MODELS[name]}`;
const modelsOf = (name: Name, config: Parameters<typeof modelsFor>[1] = {}) =>
  modelsFor({ [name]: servers[name] }, config);
/** What stands in ANSWER before the test servers begin to misbehave. */
const HALF = ANSWER.slice(0, 100);

let servers: Record<Name, TestServer>;
const getEndpoint = (name: Name) => `${servers[name].url}${isOpenAI(name) ? '/v1' : ''}`;

beforeAll(async () => {
  servers = {
    ollama: await startOllama(),
    anthropic: await startAnthropic(),
    openai: await startOpenAI(),
    responses: await startResponses(),
  };
});
afterAll(() => Promise.all(NAMES.map((name) => servers[name].close())));

interface Expected {
  readonly behaviour: Behaviour;
  readonly code: FailureCode;
  readonly message: string | ((name: Name) => string);
  readonly next: string | RegExp | undefined | ((name: Name) => string);
  /** How many requests the server gets. */
  readonly attempts: number;
  /** Whether the text that arrived is kept. */
  readonly keeps?: boolean;
  readonly only?: readonly Name[];
}

const TRY_LATER = 'Try again later, or give this seat another model';
const BILLING = "Check this account's plan and billing";
const ADDRESS = (name: Name) => `Check that ${getEndpoint(name)} is the right address`;

const CASES: readonly Expected[] = [
  {
    behaviour: 'reset',
    code: 'interrupted',
    message: 'the connection broke during the answer (connection reset)',
    next: 'Try again',
    attempts: 3,
    keeps: true,
  },
  {
    behaviour: 'reset-at-once',
    code: 'unreachable',
    message: (name) => `cannot reach ${getEndpoint(name)} (connection reset)`,
    next: (name) =>
      ({
        ollama: 'Start it with: ollama serve, or set OLLAMA_HOST',
        anthropic: 'Check the network and ANTHROPIC_BASE_URL',
        openai: 'Start the server, or check OPENAI_BASE_URL',
      })[PROVIDERS[name]],
    attempts: 3,
  },
  {
    behaviour: 'no-end',
    code: 'interrupted',
    message: 'the stream ended before the answer was complete',
    next: 'Try again',
    attempts: 3,
    keeps: true,
  },
  {
    behaviour: 'error-event',
    code: 'server',
    message: 'the model runner has crashed',
    next: TRY_LATER,
    attempts: 3,
    keeps: true,
    only: ['ollama', 'openai', 'responses'],
  },
  {
    behaviour: 'error-event',
    code: 'overloaded',
    message: 'the model runner has crashed',
    next: TRY_LATER,
    attempts: 3,
    keeps: true,
    only: ['anthropic'],
  },
  {
    behaviour: 'truncated-line',
    code: 'malformed',
    message: (name) =>
      `the stream has a line that is not a JSON object: ${
        {
          ollama: '{"model":"alpha","created_at":"2026-01-01T00:00:00.000000Z"…',
          anthropic: '{"type":"content_block_delta","index":0,"delta":{"type":"te…',
          openai: '{"id":"chatcmpl-test","object":"chat.completion.chunk","cre…',
          responses: '{"type":"response.output_text.delta","sequence_number":44,"…',
        }[name]
      }`,
    next: ADDRESS,
    attempts: 3,
    keeps: true,
  },
  {
    behaviour: 'malformed-line',
    code: 'malformed',
    message: 'the stream has a line that is not a JSON object: {"this is": not JSON',
    next: ADDRESS,
    attempts: 3,
    keeps: true,
  },
  {
    behaviour: 'json-primitive',
    code: 'malformed',
    message: 'the stream has a line that is not a JSON object: 42',
    next: ADDRESS,
    attempts: 3,
    keeps: true,
  },
  {
    behaviour: 'invalid-utf8',
    code: 'malformed',
    message: 'the stream is not valid UTF-8',
    next: ADDRESS,
    attempts: 3,
    keeps: true,
  },
  {
    behaviour: 'web-page',
    code: 'malformed',
    message: (name) => `${getEndpoint(name)} answered with a web page instead of a stream`,
    next: ADDRESS,
    attempts: 1,
  },
  {
    behaviour: 'empty',
    code: 'empty',
    message: 'the answer was empty',
    next: 'Try again, or give this seat another model',
    attempts: 1,
  },
  {
    behaviour: 'max-tokens',
    code: 'truncated',
    // The caller sets no token limit, so the provider `openai` sends none to its server. The error message of
    // `openai` therefore names the limit of the server or the model's context.
    message: (name) =>
      name === 'openai'
        ? "the answer was cut off at the limit of the server or the end of the model's context (40 tokens)"
        : 'the answer was cut off at the token limit (40 tokens)',
    next: /^Ask (?:for a shorter answer|a narrower question)/,
    attempts: 1,
    keeps: true,
  },
  {
    behaviour: 'refusal',
    code: 'refused',
    message: 'the model declined to answer: the request touches a policy',
    next: 'Rephrase the question, or give this seat another model',
    attempts: 1,
    keeps: true,
    only: ['anthropic'],
  },
  {
    behaviour: 'refusal',
    code: 'refused',
    message: 'the model declined to answer (content filter)',
    next: 'Rephrase the question, or give this seat another model',
    attempts: 1,
    keeps: true,
    only: ['openai', 'responses'],
  },
  {
    behaviour: 'not-installed',
    code: 'not-found',
    message: (name) =>
      name === 'ollama' ? 'model "alpha" is not installed' : `there is no model "${MODELS[name]}"`,
    next: (name) =>
      name === 'ollama'
        ? 'Try: ollama pull alpha'
        : `List its models with: deliberate models ${PROVIDERS[name]}`,
    attempts: 1,
  },
  {
    behaviour: { status: 401, message: 'invalid key' },
    code: 'auth',
    message: 'invalid key (HTTP 401)',
    next: (name) =>
      ({
        ollama: 'Check OLLAMA_HOST and OLLAMA_API_KEY',
        anthropic: 'Check ANTHROPIC_API_KEY',
        openai: 'Check OPENAI_API_KEY',
      })[PROVIDERS[name]],
    attempts: 1,
  },
  {
    behaviour: { status: 402, message: 'pay first' },
    code: 'payment',
    message: 'pay first (HTTP 402)',
    next: BILLING,
    attempts: 1,
  },
  {
    behaviour: { status: 400, message: 'Your credit balance is too low' },
    code: 'payment',
    message: 'Your credit balance is too low (HTTP 400)',
    next: BILLING,
    attempts: 1,
  },
  {
    behaviour: { status: 403, message: 'not from here' },
    code: 'auth',
    message: 'not from here (HTTP 403)',
    next: /^Check O|^Check A/,
    attempts: 1,
  },
  {
    behaviour: { status: 404, message: 'page not found' },
    code: 'not-found',
    message: 'page not found (HTTP 404)',
    next: ADDRESS,
    attempts: 1,
  },
  {
    behaviour: { status: 400, message: 'no such field' },
    code: 'rejected',
    message: 'no such field (HTTP 400)',
    next: undefined,
    attempts: 1,
  },
  {
    behaviour: { status: 422, message: 'no such field' },
    code: 'rejected',
    message: 'no such field (HTTP 422)',
    next: undefined,
    attempts: 1,
  },
  {
    behaviour: { status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    code: 'too-long',
    message: 'prompt is too long: 250000 tokens > 200000 maximum (HTTP 400)',
    next: 'Shorten the attachments, or give this seat a model with a larger context',
    attempts: 1,
  },
  {
    behaviour: { status: 413, message: 'too much' },
    code: 'too-long',
    message: 'too much (HTTP 413)',
    next: 'Shorten the attachments, or give this seat a model with a larger context',
    attempts: 1,
  },
  {
    behaviour: { status: 409, message: 'busy with it' },
    code: 'rejected',
    message: 'busy with it (HTTP 409)',
    next: undefined,
    attempts: 3,
  },
  {
    behaviour: { status: 408, message: 'too slow' },
    code: 'timeout',
    message: 'too slow (HTTP 408)',
    next: undefined,
    attempts: 3,
  },
  {
    behaviour: { status: 429, message: 'slow down' },
    code: 'rate-limited',
    message: 'slow down (HTTP 429)',
    next: 'Try again later, or lower --concurrency',
    attempts: 3,
  },
  {
    behaviour: {
      status: 429,
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
    },
    code: 'payment',
    message: 'You exceeded your current quota (HTTP 429)',
    next: BILLING,
    attempts: 1,
  },
  {
    behaviour: { status: 500, message: 'oh no' },
    code: 'server',
    message: 'oh no (HTTP 500)',
    next: TRY_LATER,
    attempts: 3,
  },
  {
    behaviour: {
      status: 503,
      body: '<html><head><title>503 Service Unavailable</title></head><body><h1>nginx</h1></body></html>',
    },
    code: 'overloaded',
    message: '503 Service Unavailable (HTTP 503)',
    next: TRY_LATER,
    attempts: 3,
  },
  {
    behaviour: {
      status: 502,
      body: '<html><body><h1>Bad  Gateway</h1>\n<p>try later</p></body></html>',
    },
    code: 'server',
    message: 'Bad Gateway try later (HTTP 502)',
    next: TRY_LATER,
    attempts: 3,
  },
  {
    behaviour: { status: 500, body: '   ' },
    code: 'server',
    message: 'HTTP 500 Internal Server Error',
    next: TRY_LATER,
    attempts: 3,
  },
  {
    behaviour: { status: 500, body: JSON.stringify({ error: 'x'.repeat(200_000) }) },
    code: 'server',
    message: `{"error":"${'x'.repeat(289)}… (HTTP 500)`,
    next: TRY_LATER,
    attempts: 3,
  },
  {
    behaviour: {
      status: 500,
      message: 'model requires more system memory (5.6 GiB) than is available',
    },
    code: 'server',
    message: 'model requires more system memory (5.6 GiB) than is available (HTTP 500)',
    next: 'Give this seat a smaller model',
    attempts: 1,
  },
  {
    behaviour: { status: 529, message: 'Overloaded' },
    code: 'overloaded',
    message: 'Overloaded (HTTP 529)',
    next: TRY_LATER,
    attempts: 3,
  },
];

describe.each(NAMES)('a failed call to %s', (name) => {
  const cases = CASES.filter(({ only }) => !only || only.includes(name)).map(
    (expectation) => [labelOf(expectation.behaviour), expectation] as const,
  );
  test.each(cases)('has the right code and message for: %s', async (_label, expected) => {
    const model = MODELS[name];
    const before = servers[name].chats().length;
    servers[name].setBehaviour(model, expected.behaviour);
    const { result } = await callModel(modelsOf(name), specOf(name));
    const { code, message, next, attempts, text } = getFailure(result);
    const words =
      typeof expected.message === 'function' ? expected.message(name) : expected.message;
    expect({ code, message, attempts }).toEqual({
      code: expected.code,
      message: `${PROVIDERS[name]}: ${words}`,
      attempts: expected.attempts,
    });
    const step = typeof expected.next === 'function' ? expected.next(name) : expected.next;
    if (step instanceof RegExp) expect(next).toMatch(step);
    else expect(next).toBe(step);
    if (expected.keeps) expect(text.startsWith(HALF)).toBe(true);
    else expect(text).toBe('');
    expect(servers[name].chats().length - before).toBe(expected.attempts);
  });

  test('is no internal error if the records of a stream lack fields or have fields with values of wrong types', async () => {
    const values = [null, 5, 'x', true, [], [null], [5], {}, { a: 1 }, -3];
    const keys = ['message', 'delta', 'usage', 'choices', 'content_block', 'index', 'done', 'type'];
    const types = [
      '__proto__',
      'message_start',
      'content_block_start',
      'content_block_delta',
      'message_delta',
      'x',
    ];
    const records: Record<string, unknown>[] = [{}];
    for (const value of values) {
      for (const key of keys) records.push({ [key]: value });
      for (const type of types) records.push({ type, message: value, delta: value, usage: value });
      records.push({ choices: [{ index: 0, delta: value }], usage: value });
      records.push({ choices: [{ index: 0, delta: { content: value, refusal: value } }] });
      records.push({ message: { content: value, thinking: value } });
      records.push({ type: 'message_start', message: { content: value, usage: {} } });
    }
    records.push({ type: 'message_start', message: { content: [], usage: {} } });
    const early = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'x' },
    };
    const models = modelsOf(name, { retry: { attempts: 1 } });
    const codes = new Set<string>();
    for (const [at, record] of records.entries()) {
      // The test server sends a record either alone or after the beginning of an answer. Only the long tests try
      // both ways with every record.
      const isAlone = (at + NAMES.indexOf(name)) % 2 === 0;
      for (const alone of LONG ? [false, true] : [isAlone]) {
        servers[name].setBehaviour(MODELS[name], { records: [record, early], alone });
        const { result } = await callModel(models, specOf(name));
        codes.add(result.status === 'failed' ? result.code : result.status);
        const { estimated, cacheWrittenForHour = 0, ...counts } = result.usage;
        expect(cacheWrittenForHour).toBeGreaterThanOrEqual(0);
        expect([undefined, true]).toContain(estimated);
        for (const count of Object.values(counts))
          expect(Number.isSafeInteger(count) && count >= 0, JSON.stringify(counts)).toBe(true);
        expect(typeof result.text).toBe('string');
      }
    }
    expect(codes).not.toContain('internal');
    expect(codes).toContain('done');
    expect(codes).toContain(name === 'anthropic' ? 'malformed' : 'interrupted');
  });

  test('says after three attempts that nothing answers at the server’s address', async () => {
    const { result, events } = await callModel(modelsFor({}, { env: nowhere }), specOf(name));
    expect(getFailure(result)).toMatchObject({
      code: 'unreachable',
      message: `${PROVIDERS[name]}: cannot reach http://127.0.0.1:${DEAD_PORT}${isOpenAI(name) ? '/v1' : ''} (connection refused)`,
      attempts: 3,
    });
    // Of the two waits, the first is at most 1.5 times the backoff of 10 ms, and the second at most
    // 1.5 times 20 ms.
    const waits = events.map((event) => (event.type === 'retrying' ? event.delayMs : 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(30);
  });
});

/** A port that was free a moment ago. */
let DEAD_PORT = 0;
const nowhere: Record<string, string> = {};
beforeAll(async () => {
  const server = await startOpenAI();
  DEAD_PORT = Number(new URL(server.url).port);
  await server.close();
  nowhere.OLLAMA_HOST = server.url;
  nowhere.ANTHROPIC_BASE_URL = server.url;
  nowhere.OPENAI_BASE_URL = `${server.url}/v1`;
});

test.each([
  ['ECONNREFUSED', 'connection refused', true],
  ['ENOTFOUND', 'no such host', false],
  ['EAI_AGAIN', 'the name could not be looked up', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time', true],
  ['CERT_HAS_EXPIRED', 'certificate has expired', false],
])('a connection that fails with %s is explained', (code, why, retry) => {
  const inner = Object.assign(new Error('certificate has expired'), { code });
  // Build the error as fetch does: the reason is at the end of a chain of causes, and inside an aggregate
  // error if fetch tried two addresses.
  const cause = code === 'ECONNREFUSED' ? new AggregateError([inner]) : inner;
  const about = {
    name: 'openai',
    endpoint: 'https://models.test/v1',
    variable: 'OPENAI_BASE_URL',
    whenUnreachable: 'Start the server, or check OPENAI_BASE_URL',
    whenRefused: '',
    whenNoModel: () => ({ message: '', next: '' }),
  };
  expect(networkFailure(about, new TypeError('fetch failed', { cause }))).toEqual({
    code: 'unreachable',
    message: `openai: cannot reach https://models.test/v1 (${why})`,
    next: 'Start the server, or check OPENAI_BASE_URL',
    retry,
    ...(code === 'ECONNREFUSED' ? { isAway: true } : {}),
  });
});

test.each(NAMES)('%s: a line of 100 MB is read only up to a limit', async (name) => {
  servers[name].setBehaviour(MODELS[name], 'long-line');
  const asked = servers[name].chats().length;
  const { result } = await callModel(modelsOf(name), specOf(name));
  const { text, ...failed } = getFailure(result);
  expect(failed).toMatchObject({
    code: 'malformed',
    message: `${PROVIDERS[name]}: the stream has a line over 8 MB`,
    next: ADDRESS(name),
    attempts: 1,
  });
  expect(text.startsWith(HALF)).toBe(true);
  expect(servers[name].chats().length - asked).toBe(1);
  // `written` also counts bytes that the server has sent and the client has not read, so it may be far
  // above the client's limit of 8 MB.
  const { written = 0 } = servers[name].chats().at(-1) ?? {};
  expect(written).toBeGreaterThan(8 * 1024 * 1024);
  expect(written).toBeLessThan(40 * 1024 * 1024);
});

test('without an API key, a call to Anthropic or OpenAI fails, and the failure names the variable to set', async () => {
  const env = { ANTHROPIC_BASE_URL: '', OPENAI_BASE_URL: '' };
  const models = modelsFor({}, { env });
  expect(getFailure((await callModel(models, 'anthropic/claude-alpha')).result)).toMatchObject({
    code: 'auth',
    message: 'anthropic: there is no API key',
    next: 'Set ANTHROPIC_API_KEY',
  });
  expect(getFailure((await callModel(models, 'openai/alpha')).result)).toMatchObject({
    code: 'auth',
    message: 'openai: there is no API key',
    next: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for another server',
  });
});

test('a call fails if OLLAMA_HOST is not an address, and the message names the variable', async () => {
  const models = modelsFor({}, { env: { OLLAMA_HOST: 'http://[oops' } });
  expect(getFailure((await callModel(models, 'ollama/alpha')).result)).toMatchObject({
    code: 'unreachable',
    message: 'ollama: OLLAMA_HOST is not a valid address',
    attempts: 1,
  });
});

function labelOf(behaviour: Behaviour): string {
  if (typeof behaviour === 'string') return behaviour;
  return JSON.stringify(behaviour).slice(0, 60);
}

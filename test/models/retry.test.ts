/** Tests the retry policy: which failures are retried, when and how often, and the events about it. */

import { afterAll, describe, expect, test } from 'vitest';
import type { CallEvent } from '../../src/kernel/model.ts';
import { NO_USAGE } from '../../src/kernel/model.ts';
import { estimateTokens } from '../../src/kernel/tokens.ts';
import type { Failure } from '../../src/models/failure.ts';
import { httpFailure, retryAfter } from '../../src/models/network/error-reply.ts';
import {
  type AttemptOutcome,
  delayBefore,
  RETRY_POLICY,
  withRetries,
} from '../../src/models/retry.ts';
import {
  ANSWER,
  startAnthropic,
  startOllama,
  startOpenAI,
  type TestServer,
} from '../servers/index.ts';
import { callModel, getFailure, modelsFor, typesOf } from './ask.ts';
import { HandClock } from './hand-clock.ts';

const servers: TestServer[] = [];
afterAll(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe.concurrent('retries of a call over HTTP', () => {
  test('discard the output of the first attempt if the second one succeeds', async () => {
    const ollama = await startOllama({ behaviours: { alpha: ['no-end', 'ok'] } });
    servers.push(ollama);
    const { result, events } = await callModel(modelsFor({ ollama }), 'ollama/alpha');
    expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd(), attempts: 2 });
    expect(typesOf(events)).toEqual(['sent', 'retrying', 'sent']);
    expect(events.filter((event) => event.type === 'sent')).toEqual([
      { type: 'sent', attempt: 1 },
      { type: 'sent', attempt: 2 },
    ]);
    const again = events.findLastIndex(({ type }) => type === 'sent');
    const after = events.slice(again).map((event) => (event.type === 'text' ? event.text : ''));
    expect(after.join('')).toBe(ANSWER.trimEnd());
  });

  test('fail with the error message of the last attempt, and keep the text of the first one', async () => {
    const ollama = await startOllama({
      behaviours: { alpha: ['reset', { status: 500 }, { status: 500, message: 'still ill' }] },
    });
    servers.push(ollama);
    const { result } = await callModel(modelsFor({ ollama }), 'ollama/alpha');
    expect(getFailure(result)).toMatchObject({
      code: 'server',
      message: 'ollama: still ill (HTTP 500)',
    });
    expect(result.text.startsWith('Keep the monolith for now')).toBe(true);
  });

  test('add up the usage of broken-off attempts', async () => {
    const anthropic = await startAnthropic({ behaviours: { 'claude-alpha': ['no-end', 'ok'] } });
    servers.push(anthropic);
    const models = modelsFor({ anthropic });
    const { result: twice, events } = await callModel(models, 'anthropic/claude-alpha');
    const { result: once } = await callModel(models, 'anthropic/claude-alpha');
    expect(twice.usage.input).toBe(2 * once.usage.input);
    // The first attempt broke off before its output was counted, so its output tokens are estimated from its
    // text.
    const broken = events.slice(
      0,
      events.findIndex(({ type }) => type === 'retrying'),
    );
    const said = broken.map((event) => (event.type === 'text' ? event.text : '')).join('');
    expect(said).not.toBe('');
    expect(twice.usage.output).toBe(once.usage.output + estimateTokens(said));
    expect(twice.usage.estimated).toBe(true);
  });

  test.each([
    ['in seconds', { status: 429, retryAfter: '1' }],
    ['in milliseconds', { status: 503, retryAfterMs: '1000' }],
  ])('wait as long as the server asks: %s', async (_label, behaviour) => {
    const ollama = await startOllama({ behaviours: { alpha: [behaviour, 'ok'] } });
    servers.push(ollama);
    const { result, events } = await callModel(modelsFor({ ollama }), 'ollama/alpha');
    expect(result.status).toBe('done');
    const event = events.find((event) => event.type === 'retrying');
    expect(event).toMatchObject({
      attempt: 1,
      reason: `ollama: status ${behaviour.status} (HTTP ${behaviour.status})`,
    });
    expect(event?.type === 'retrying' && event.delayMs >= 1_000 && event.delayMs < 1_300).toBe(
      true,
    );
  });

  test('end at once if the server asks for more than a minute', async () => {
    const ollama = await startOllama({
      behaviours: { alpha: { status: 429, retryAfter: '300', message: 'no more today' } },
    });
    servers.push(ollama);
    const { result, events } = await callModel(modelsFor({ ollama }), 'ollama/alpha');
    expect(getFailure(result)).toMatchObject({
      code: 'rate-limited',
      message: 'ollama: no more today (HTTP 429); the server asks to wait 5 min',
      next: 'Try again in 5 min, or give this seat another model',
      attempts: 1,
    });
    // The call ended without a wait, which would have been announced by the event `retrying`.
    expect(typesOf(events)).toEqual(['sent']);
  });

  test('can be stopped during a wait of a day', async () => {
    const day = 86_400;
    const ollama = await startOllama({
      behaviours: { alpha: { status: 429, retryAfter: String(day) } },
    });
    servers.push(ollama);
    const stop = new AbortController();
    const patient = { backoffMs: 10, longestAskedMs: day * 1_000 };
    const { result, events } = await callModel(
      modelsFor({ ollama }, { retry: patient }),
      'ollama/alpha',
      {
        signal: stop.signal,
        onEvent: ({ type }) => {
          // Stop the call after its wait for the next attempt has begun.
          if (type === 'retrying') setTimeout(() => stop.abort(), 20);
        },
      },
    );
    expect(result).toMatchObject({ status: 'stopped', attempts: 1 });
    expect(typesOf(events)).toEqual(['sent', 'retrying']);
  });

  test('are not made after an idle timeout', async () => {
    const ollama = await startOllama({ behaviours: { alpha: 'stall-before-headers' } });
    servers.push(ollama);
    const { result } = await callModel(modelsFor({ ollama }, { idleMs: 200 }), 'ollama/alpha');
    expect(getFailure(result)).toMatchObject({
      code: 'timeout',
      message: 'ollama: no bytes for 0.2 s',
      next: 'Allow more time with --idle-timeout 1s, or give this seat another model',
      attempts: 1,
    });
  });
});

describe('a server that is loading a model', () => {
  const loading = { status: 503, retryAfterMs: '1', message: 'Loading model' };

  test.each([
    ['ollama', startOllama, 'ollama/alpha'],
    ['openai', startOpenAI, 'openai/alpha'],
  ] as const)(
    'is asked again while it reports loading, more often than after other failures: %s',
    async (name, start, spec) => {
      const server = await start({ behaviours: { alpha: [...Array(7).fill(loading), 'ok'] } });
      servers.push(server);
      const { result, events } = await callModel(modelsFor({ [name]: server }), spec);
      expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd(), attempts: 8 });
      const waits = events.filter((event) => event.type === 'retrying');
      expect(waits).toHaveLength(7);
      for (const wait of waits)
        expect(wait).toMatchObject({ reason: `${name}: Loading model (HTTP 503)`, loading: true });
    },
  );

  test('makes the call fail after five times the idle timeout', async () => {
    const ollama = await startOllama({
      behaviours: { alpha: { ...loading, retryAfterMs: '100' } },
    });
    servers.push(ollama);
    const { result, events } = await callModel(
      modelsFor({ ollama }, { idleMs: 200 }),
      'ollama/alpha',
    );
    expect(getFailure(result)).toMatchObject({
      code: 'loading',
      message: 'ollama: Loading model (HTTP 503); still loading after 1 s',
      next: 'Try again when it is loaded, or give this seat another model',
    });
    const waited = events.reduce(
      (sum, event) => sum + (event.type === 'retrying' ? event.delayMs : 0),
      0,
    );
    expect(waited).toBeGreaterThan(850);
    expect(waited).toBeLessThanOrEqual(1_000);
    expect(result.attempts).toBeGreaterThan(8);
  });

  test('is mentioned in a note if the call is stopped meanwhile', async () => {
    const ollama = await startOllama({
      behaviours: { alpha: { ...loading, retryAfterMs: '9000' } },
    });
    servers.push(ollama);
    const stop = new AbortController();
    const { result } = await callModel(modelsFor({ ollama }), 'ollama/alpha', {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'retrying') setTimeout(() => stop.abort(), 10);
      },
    });
    expect(result).toMatchObject({
      status: 'stopped',
      notes: ['still loading: ollama: Loading model (HTTP 503)'],
    });
  });
});

test.each([
  [503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'loading'],
  [503, { error: 'Model org/name-7b is currently loading', estimated_time: 20 }, 'loading'],
  [500, { error: 'unexpected server status: llm server loading model' }, 'loading'],
  [503, { message: 'The server is starting up' }, 'loading'],
  [
    503,
    { error: 'server busy, please try again. maximum pending requests exceeded' },
    'overloaded',
  ],
  [503, { error: 'no worker is free' }, 'overloaded'],
  [500, { error: 'llama runner process has terminated: error loading model' }, 'server'],
  [503, { error: 'the model is failed: still loading after a crash' }, 'overloaded'],
  [400, { error: 'the model is loading' }, 'rejected'],
  [429, { error: 'the model is loading' }, 'rate-limited'],
])(
  'a response with the status %d and the body %j becomes a failure with the code %j',
  (status, body, code) => {
    const about = {
      name: 'openai',
      endpoint: 'http://models.test',
      variable: 'OPENAI_BASE_URL',
      whenUnreachable: '',
      whenRefused: '',
      whenNoModel: () => ({ message: '', next: '' }),
    };
    const reply = { status, statusText: '', headers: new Headers(), body: JSON.stringify(body) };
    expect(httpFailure(about, 'alpha', reply).code).toBe(code);
  },
);

const OFTEN: Failure = { code: 'server', message: 'ill', retry: true };

const NEVER = new AbortController().signal;

/** Returns an attempt that fails after so many milliseconds of a clock. */
function makeFailingAttempt(
  failure: Failure,
  takesMs = 0,
  spoke = false,
): (clock: HandClock) => Promise<AttemptOutcome> {
  return async (clock) => {
    clock.pass(takesMs);
    return { attempt: { ok: false, failure, usage: NO_USAGE, notes: [] }, spoke };
  };
}

describe('the retry policy', () => {
  const runAttempts = async (
    attempt: (clock: HandClock) => Promise<AttemptOutcome>,
    policy: Partial<typeof RETRY_POLICY>,
  ) => {
    const clock = new HandClock();
    const events: CallEvent[] = [];
    let count = 0;
    const { last } = await withRetries(
      () => {
        count += 1;
        return attempt(clock);
      },
      {
        policy: { ...RETRY_POLICY, ...policy },
        signal: NEVER,
        onEvent: (event) => events.push(event),
        clock,
      },
    );
    return { last, count, events, clock };
  };

  test('waits before every further attempt for the time that it has announced', async () => {
    const { events, clock } = await runAttempts(
      makeFailingAttempt({ ...OFTEN, retryAfterMs: 1_000 }),
      {},
    );
    const said = events.map((event) => (event.type === 'retrying' ? event.delayMs : 0));
    expect(clock.waits).toEqual(said);
    expect(said).toHaveLength(2);
  });

  test('ends the wait for the next attempt when the call is stopped', async () => {
    const stop = new AbortController();
    const clock = new HandClock(0);
    const { last } = await withRetries(() => makeFailingAttempt(OFTEN)(clock), {
      policy: RETRY_POLICY,
      signal: stop.signal,
      onEvent: () => setTimeout(() => stop.abort(), 1),
      clock,
    });
    expect(last.ok).toBe(false);
    expect(clock.waits).toHaveLength(1);
  });

  test('gives up if attempts without any text have taken too long', async () => {
    const { count } = await runAttempts(makeFailingAttempt(OFTEN, 60), {
      backoffMs: 1,
      giveUpMs: 50,
    });
    expect(count).toBe(1);
  });

  test('leaves attempts in which the model sent text out of its time limit', async () => {
    const { count } = await runAttempts(makeFailingAttempt(OFTEN, 60, true), {
      backoffMs: 1,
      giveUpMs: 50,
    });
    expect(count).toBe(3);
  });

  test('leaves waits that the server asked for out of its time limit', async () => {
    const asked = { ...OFTEN, retryAfterMs: 60 };
    const { count } = await runAttempts(makeFailingAttempt(asked), { backoffMs: 1, giveUpMs: 50 });
    expect(count).toBe(3);
  });

  test('has a separate time limit for a server that is loading a model', async () => {
    const wait: Failure = { code: 'loading', message: 'm', retry: true, loading: true };
    let asked = 0;
    const failEitherWay = (clock: HandClock) =>
      asked++ % 2 === 0
        ? makeFailingAttempt({ ...wait, retryAfterMs: 1 }, 150)(clock)
        : makeFailingAttempt(OFTEN)(clock);
    // The first, third and fifth request find that the server is loading a model. Only the other three requests
    // count as attempts and towards the time limit of 250 ms.
    const [loading, counted] = [3, 3];
    expect((await runAttempts(failEitherWay, { backoffMs: 1, giveUpMs: 250 })).count).toBe(
      loading + counted,
    );
    const waits = makeFailingAttempt({ ...wait, retryAfterMs: 10 });
    const { count, last } = await runAttempts(waits, { backoffMs: 1, loadingMs: 55 });
    expect(count).toBe(6);
    expect(last).toMatchObject({
      failure: { message: 'm; still loading after 1 s' },
    });
    expect((await runAttempts(makeFailingAttempt(wait), { loadingMs: 0 })).count).toBe(1);
  });

  test('has a separate time limit for a server that answered before and cannot be reached now', async () => {
    const gone: Failure = { code: 'unreachable', message: 'm', retry: true, isAway: true };
    const waitFor = async (hasAnswered: boolean, answersAfter: number) => {
      const clock = new HandClock();
      const events: CallEvent[] = [];
      let count = 0;
      const { last } = await withRetries(
        () => {
          count += 1;
          return count > answersAfter
            ? Promise.resolve({
                attempt: { ok: true, usage: NO_USAGE, notes: [] },
                spoke: true,
              })
            : makeFailingAttempt(gone)(clock);
        },
        {
          policy: RETRY_POLICY,
          signal: new AbortController().signal,
          onEvent: (event) => events.push(event),
          hasAnswered: () => hasAnswered,
          clock,
        },
      );
      return { last, count, events, waited: clock.waited() };
    };
    const back = await waitFor(true, 10);
    expect(back.last.ok).toBe(true);
    expect(back.events).toHaveLength(10);
    expect(back.events[0]).toMatchObject({ type: 'retrying', attempt: 1, away: true });
    const lost = await waitFor(true, 1_000);
    expect(lost.last).toMatchObject({
      failure: { message: `m; not back after ${Math.round(lost.waited / 1_000)} s` },
    });
    expect(lost.waited).toBeGreaterThanOrEqual(50_000);
    expect(lost.waited).toBeLessThanOrEqual(RETRY_POLICY.awayMs);
    expect((await waitFor(false, 1_000)).count).toBe(RETRY_POLICY.attempts);
  });

  test('asks a loading server again at least every five seconds', async () => {
    const stop = new AbortController();
    const events: CallEvent[] = [];
    const wait: Failure = { code: 'loading', message: 'm', retry: true, loading: true };
    const clock = new HandClock();
    await withRetries(() => makeFailingAttempt(wait)(clock), {
      policy: { ...RETRY_POLICY, backoffMs: 60_000 },
      signal: stop.signal,
      onEvent: (event) => {
        events.push(event);
        stop.abort();
      },
      clock,
    });
    expect(events).toEqual([
      { type: 'retrying', attempt: 1, delayMs: 5_000, reason: 'm', loading: true },
    ]);
  });

  test('does not retry a permanent failure', async () => {
    const { count, events } = await runAttempts(makeFailingAttempt({ ...OFTEN, retry: false }), {
      backoffMs: 1,
    });
    expect(count).toBe(1);
    expect(events).toEqual([]);
  });

  test('waits longer each time, with a random part', () => {
    const getDelay = (number: number, random: number) =>
      delayBefore(number, OFTEN, RETRY_POLICY, () => random);
    expect([getDelay(1, 0), getDelay(1, 0.999), getDelay(2, 0), getDelay(2, 0.999)]).toEqual([
      400, 1199, 800, 2398,
    ]);
    // Even the sum of the longest waits, before the second and the third attempt, is below the time limit for
    // giving up.
    expect(1199 + 2398).toBeLessThan(RETRY_POLICY.giveUpMs);
  });

  test('never retries earlier than the server asked, and not at all if it asked for more than a minute', () => {
    const getAskedDelay = (ms: number) =>
      delayBefore(1, { ...OFTEN, retryAfterMs: ms }, RETRY_POLICY, () => 0.5);
    expect(getAskedDelay(2_000)).toBe(2_125);
    expect(getAskedDelay(60_000)).toBe(60_125);
    expect(getAskedDelay(60_001)).toBeUndefined();
  });

  test('reads from the headers how long a server asks to wait', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    const readWait = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
    expect(readWait({})).toBeUndefined();
    expect(readWait({ 'retry-after': '7' })).toBe(7_000);
    expect(readWait({ 'retry-after': '0.5' })).toBe(500);
    expect(readWait({ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' })).toBe(30_000);
    expect(readWait({ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' })).toBe(0);
    expect(readWait({ 'retry-after': 'soon' })).toBeUndefined();
    expect(readWait({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
    for (const junk of ['-5', 'in 5 minutes', '1e3', '0x10', ' ', '', 'Infinity', '5, 9'])
      expect([junk, readWait({ 'retry-after': junk })]).toEqual([junk, undefined]);
    for (const junk of ['', ' ', '0x10', '1e3', '-1', 'Infinity', '9'.repeat(400)])
      expect([junk, readWait({ 'retry-after-ms': junk, 'retry-after': '7' })]).toEqual([
        junk,
        7_000,
      ]);
  });
});

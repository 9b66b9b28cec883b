/**
 * All faults between the program and a provider, with their expected outcomes. docs/faults.md has a row for
 * each fault, and in the row a cell for each provider.
 */
import type { FailureCode } from '../../src/kernel/errors.ts';
import type { Behaviours } from '../servers/index.ts';

/** The APIs of model servers. `openai` is OpenAI's chat completions, and `responses` its Responses API. */
export const PROVIDERS = ['ollama', 'anthropic', 'openai', 'responses'] as const;
/** The name of one of the APIs in `PROVIDERS`. */
export type ProviderName = (typeof PROVIDERS)[number];

/**
 * Returns the prefix with which model names and messages about failures begin. Both APIs of OpenAI have the
 * prefix `openai`.
 */
export function providerPrefixOf(provider: ProviderName): string {
  return provider === 'responses' ? 'openai' : provider;
}

/** How the program must end a call whose server has a fault. */
export interface ExpectedOutcome {
  /** How the call ends: `done`, `stopped`, or the code of the failure. */
  readonly end: 'done' | 'stopped' | FailureCode;
  /** How many requests for an answer the server gets. */
  readonly requests: number;
  /** Whether text arrives before the fault, which is then kept as a partial answer. */
  readonly partial?: boolean;
}

/** Something that can go wrong between the program and a provider. */
export interface Fault {
  /** The fault in a few words, as in the first column of docs/faults.md. */
  readonly name: string;
  /** Returns how the server behaves; absent if no server is reached, as `where` says. */
  readonly behaviour?: () => Behaviours;
  /** Why no server is reached: nobody listens at the address, or its name does not exist. */
  readonly where?: 'refused' | 'no-such-host';
  /** The number of bytes after which a person stops the seat, since the call would not end by itself. */
  readonly stopAfterBytes?: number;
  /** The outcome for all providers, or for each of them. */
  readonly expected: ExpectedOutcome | Readonly<Record<ProviderName, ExpectedOutcome>>;
}

const makeFailure = (
  end: ExpectedOutcome['end'],
  requests: number,
  partial = false,
): ExpectedOutcome => ({
  end,
  requests,
  partial,
});
const makeStatus =
  (code: number, more: Record<string, string> = {}) =>
  () => ({ status: code, ...more });

const LOADING = { status: 503, retryAfterMs: '10', message: 'Loading model' };

/**
 * The names of the faults in which the server sends so much that only the tests that measure memory and time
 * try them.
 */
export const LARGE_FAULTS = ['record of 100 MB', 'answer without an end'] as const;

/** Returns the time so many seconds from now, in the form of HTTP's headers. */
function httpDate(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toUTCString();
}

/** All faults, in the order of the rows of docs/faults.md. */
export const FAULTS: readonly Fault[] = [
  { name: 'connection refused', where: 'refused', expected: makeFailure('unreachable', 0) },
  { name: 'no such host', where: 'no-such-host', expected: makeFailure('unreachable', 0) },
  {
    name: '401',
    behaviour: makeStatus(401, { message: 'invalid key' }),
    expected: makeFailure('auth', 1),
  },
  {
    name: '402',
    behaviour: makeStatus(402, { message: 'pay first' }),
    expected: makeFailure('payment', 1),
  },
  { name: '404, JSON', behaviour: () => 'not-installed', expected: makeFailure('not-found', 1) },
  {
    name: '404, HTML',
    behaviour: makeStatus(404, { body: '<html><title>404 Not Found</title><h1>nginx</h1></html>' }),
    expected: makeFailure('not-found', 1),
  },
  {
    name: '408',
    behaviour: makeStatus(408, { message: 'too slow' }),
    expected: makeFailure('timeout', 3),
  },
  {
    name: '413',
    behaviour: makeStatus(413, { message: 'too much' }),
    expected: makeFailure('too-long', 1),
  },
  {
    name: '429, retry-after: 1',
    behaviour: () => [{ status: 429, retryAfter: '1', message: 'slow down' }, 'ok'],
    expected: { end: 'done', requests: 2 },
  },
  {
    name: '429, retry-after: 3600',
    behaviour: makeStatus(429, { retryAfter: '3600', message: 'slow down' }),
    expected: makeFailure('rate-limited', 1),
  },
  {
    name: '429, retry-after: a date in 2 s',
    behaviour: () => [{ status: 429, retryAfter: httpDate(2), message: 'slow down' }, 'ok'],
    expected: { end: 'done', requests: 2 },
  },
  { name: '429, always', behaviour: makeStatus(429), expected: makeFailure('rate-limited', 3) },
  {
    name: '500',
    behaviour: makeStatus(500, { message: 'oh no' }),
    expected: makeFailure('server', 3),
  },
  {
    name: '503',
    behaviour: makeStatus(503, { message: 'busy' }),
    expected: makeFailure('overloaded', 3),
  },
  {
    name: '503, then well',
    behaviour: () => [{ status: 503 }, 'ok'],
    expected: { end: 'done', requests: 2 },
  },
  {
    // A server that says that it is loading a model gets more than the usual three attempts, because it will
    // soon be ready.
    name: '503, loading the model, then well',
    behaviour: () => [LOADING, LOADING, LOADING, LOADING, 'ok'],
    expected: { end: 'done', requests: 5 },
  },
  {
    // The program waits once: two waits of 3 s exceed the limit of 5 s in these tests.
    name: '503, loading the model for too long',
    behaviour: () => ({ ...LOADING, retryAfterMs: '3000' }),
    expected: makeFailure('loading', 2),
  },
  {
    name: '307 to another host',
    behaviour: makeStatus(307, { location: 'https://elsewhere.invalid/chat' }),
    expected: makeFailure('redirected', 1),
  },
  {
    name: '302 to another path',
    behaviour: makeStatus(302, { location: '/login' }),
    expected: makeFailure('redirected', 1),
  },
  {
    name: '529',
    behaviour: makeStatus(529, { message: 'Overloaded' }),
    expected: makeFailure('overloaded', 3),
  },
  {
    name: 'reset before the headers',
    behaviour: () => 'reset-at-once',
    expected: makeFailure('unreachable', 3),
  },
  {
    name: 'reset in the middle',
    behaviour: () => 'reset',
    expected: makeFailure('interrupted', 3, true),
  },
  {
    name: 'proper end in the middle',
    behaviour: () => 'no-end',
    expected: makeFailure('interrupted', 3, true),
  },
  {
    name: 'error event in the middle',
    behaviour: () => 'error-event',
    expected: {
      ollama: makeFailure('server', 3, true),
      anthropic: makeFailure('overloaded', 3, true),
      openai: makeFailure('server', 3, true),
      responses: makeFailure('server', 3, true),
    },
  },
  {
    name: 'silence before the headers',
    behaviour: () => 'stall-before-headers',
    expected: makeFailure('timeout', 1),
  },
  {
    name: 'silence after the headers',
    behaviour: () => 'stall-after-headers',
    expected: makeFailure('timeout', 1),
  },
  {
    name: 'silence in the middle',
    behaviour: () => 'stall-mid-stream',
    expected: makeFailure('timeout', 1, true),
  },
  {
    // One byte arrives in each tenth of the idle time, so the connection is never silent. A person
    // stops the call after more than two idle times.
    name: 'one byte now and then',
    behaviour: () => ({ dripMs: 100 }),
    stopAfterBytes: 25,
    expected: makeFailure('stopped', 1),
  },
  {
    name: 'record cut off',
    behaviour: () => 'truncated-line',
    expected: makeFailure('malformed', 3, true),
  },
  {
    name: 'record that is no JSON',
    behaviour: () => 'malformed-line',
    expected: makeFailure('malformed', 3, true),
  },
  {
    name: 'record that is a JSON primitive',
    behaviour: () => 'json-primitive',
    expected: makeFailure('malformed', 3, true),
  },
  {
    name: 'bytes that are not UTF-8',
    behaviour: () => 'invalid-utf8',
    expected: makeFailure('malformed', 3, true),
  },
  {
    name: 'record of 100 MB',
    behaviour: () => 'long-line',
    expected: makeFailure('malformed', 1, true),
  },
  { name: 'web page with 200', behaviour: () => 'web-page', expected: makeFailure('malformed', 1) },
  // Most model servers do not number the pieces of an answer. So a piece that is sent twice cannot be told from a
  // text that repeats itself, and the call succeeds.
  {
    name: 'every piece twice',
    behaviour: () => 'duplicates',
    expected: { end: 'done', requests: 1 },
  },
  {
    name: 'text after the end',
    behaviour: () => 'talks-on',
    expected: { end: 'done', requests: 1 },
  },
  { name: 'empty answer', behaviour: () => 'empty', expected: makeFailure('empty', 1) },
  {
    name: 'answer without an end',
    behaviour: () => 'endless',
    expected: makeFailure('truncated', 1, true),
  },
  {
    name: 'refusal',
    behaviour: () => 'refusal',
    expected: {
      // Ollama does not mark an answer as a refusal, so the call succeeds.
      ollama: { end: 'done', requests: 1 },
      anthropic: makeFailure('refused', 1, true),
      openai: makeFailure('refused', 1, true),
      responses: makeFailure('refused', 1, true),
    },
  },
  {
    name: 'token limit reached',
    behaviour: () => 'max-tokens',
    expected: makeFailure('truncated', 1, true),
  },
  {
    name: 'end for a reason that nobody knows',
    behaviour: () => ({ ends: 'constructor' }),
    expected: makeFailure('unfinished', 1, true),
  },
  {
    name: 'end because the server broke it off',
    behaviour: () => ({ ends: 'abort' }),
    expected: {
      ollama: makeFailure('unfinished', 3, true),
      // In Anthropic's protocol and OpenAI's Responses, `abort` is an unknown reason for the end of an answer. A
      // call whose answer ended for an unknown reason is not retried.
      anthropic: makeFailure('unfinished', 1, true),
      openai: makeFailure('unfinished', 3, true),
      responses: makeFailure('unfinished', 1, true),
    },
  },
  {
    name: 'end without a reason',
    behaviour: () => ({ ends: null }),
    expected: {
      // Ollama leaves out the reason why an answer ended if there is nothing to report, so the answer counts as
      // complete.
      ollama: { end: 'done', requests: 1 },
      anthropic: makeFailure('interrupted', 3, true),
      openai: makeFailure('unfinished', 1, true),
      responses: makeFailure('unfinished', 1, true),
    },
  },
];

/** Returns whether a fault is one of `LARGE_FAULTS`. */
export function isLarge({ name }: Fault): boolean {
  return LARGE_FAULTS.some((fault) => fault === name);
}

/** Returns how a call must end if the server of the given provider has the fault. */
export function expectedOf(fault: Fault, provider: ProviderName): ExpectedOutcome {
  return 'end' in fault.expected ? fault.expected : fault.expected[provider];
}

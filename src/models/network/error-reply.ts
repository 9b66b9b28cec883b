/**
 * The failure for an error that a provider reports: in a response with an error status, or in a stream that
 * began with HTTP 200.
 */
import { entryOf } from '../../kernel/entry.ts';
import type { FailureCode } from '../../kernel/errors.ts';
import { isRecord, parseRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { clipLine, type Failure, malformedFailure, type ServerDescription } from '../failure.ts';
import { parseFigures, SHORTEN } from '../window.ts';

/** A response whose status is an error. */
export interface ErrorReply {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Returns the failure for a response whose status is an error. */
export function httpFailure(about: ServerDescription, model: string, reply: ErrorReply): Failure {
  const { type, words } = providerWords(reply.body);
  const status = `HTTP ${reply.status}`;
  const said = words
    ? `${words} (${status})`
    : `${status}${reply.statusText ? ` ${reply.statusText}` : ''}`;
  const verdict = reply.headers.get('x-should-retry');
  const isInvalid = INVALID.test(words);
  const code = isInvalid ? 'rejected' : codeOfStatus(reply.status);
  const failure = classifyFailure(about, model, code, type, said);
  const retryAfterMs = retryAfter(reply.headers);
  const passing = [408, 409, 429].includes(reply.status) || reply.status >= 500;
  const retry = failure.retry && !isInvalid && verdict !== 'false' && passing;
  return { ...failure, retry, ...withoutUndefined({ retryAfterMs }) };
}

/** Returns the failure for an error inside a stream that began with HTTP 200. */
function streamFailure(
  about: ServerDescription,
  model: string,
  type: string,
  words: string,
): Failure {
  const failure = classifyFailure(
    about,
    model,
    codeOfType(type) ?? 'server',
    type,
    clipLine(words) || type || 'the server reported an error without a message',
  );
  const passing = ['loading', 'overloaded', 'rate-limited', 'server'].includes(failure.code);
  return { ...failure, retry: failure.retry && passing };
}

const BILLING = /credit balance|billing|insufficient[_ ]quota|exceeded your current quota/i;
const TOO_LONG =
  /prompt is too long|context[_ ](length|window|size)|maximum context|too many tokens/i;
/**
 * Messages of servers that are loading a model. llama.cpp: "Loading model"; Hugging Face: "Model … is
 * currently loading"; Ollama: "llm server loading model".
 */
const LOADING =
  /\bloading (?:the )?model\b|\bmodel\b.{0,120}\bloading\b|\b(?:is|still|currently) (?:loading|(?:starting|warming) up)\b/i;
/** Messages such as "error loading model: …", which mean that loading failed. */
const NOT_LOADING = /\b(?:error|failed|failure|unable|could not|cannot|can't)\b/i;
/** llama-cpp-python answers an invalid request with status 500 and this message. */
const INVALID = /^\d+ validation errors?\b/;
const NO_MEMORY = /requires more (system )?memory|out of memory|not enough memory/i;

/**
 * Returns the failure that an error of the server means. `retry` is judged by the server's words
 * alone; the caller also checks the HTTP status.
 */
function classifyFailure(
  about: ServerDescription,
  model: string,
  byStatus: FailureCode,
  type: string,
  said: string,
): Failure {
  const message = `${about.name}: ${said}`;
  const words = `${type} ${said}`;
  const makeFatalFailure = (code: FailureCode, next: string) => ({
    code,
    message,
    next,
    retry: false,
  });
  const makePassingFailure = (code: FailureCode, next?: string) => ({
    code,
    message,
    next,
    retry: true,
  });
  if (BILLING.test(words) || byStatus === 'payment') {
    return makeFatalFailure('payment', "Check this account's plan and billing");
  }
  if (TOO_LONG.test(words) || byStatus === 'too-long') {
    return { ...makeFatalFailure('too-long', SHORTEN), ...parseFigures(said) };
  }
  if (NO_MEMORY.test(words)) return makeFatalFailure('server', 'Give this seat a smaller model');
  if (isLater(byStatus) && LOADING.test(said) && !NOT_LOADING.test(said)) {
    const next = 'Try again when it is loaded, or give this seat another model';
    return { ...makePassingFailure('loading', next), loading: true };
  }
  const missing =
    (byStatus === 'server' && /model\b.*\bnot found/i.test(said)) ||
    /\bmodel_not_found\b/.test(type);
  switch (missing ? 'not-found' : byStatus) {
    case 'not-found':
      // A 404 whose text does not mention a model counts as the answer of an address that is not this provider's
      // API.
      return /model/i.test(words)
        ? { code: 'not-found', retry: false, ...about.whenNoModel(model) }
        : {
            ...makeFatalFailure('not-found', `Check that ${about.endpoint} is the right address`),
            isOffPath: true,
          };
    case 'auth':
      return makeFatalFailure('auth', about.whenRefused);
    case 'rate-limited':
      return makePassingFailure('rate-limited', 'Try again later, or lower --concurrency');
    case 'overloaded':
    case 'server':
      return makePassingFailure(byStatus, 'Try again later, or give this seat another model');
    default:
      return makePassingFailure(byStatus);
  }
}

/** Returns whether the code means that the server cannot answer at present. */
function isLater(code: FailureCode): boolean {
  return code === 'overloaded' || code === 'server';
}

function codeOfStatus(status: number): FailureCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'payment';
  if (status === 404) return 'not-found';
  if (status === 408) return 'timeout';
  if (status === 413) return 'too-long';
  if (status === 429) return 'rate-limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'rejected';
}

/** Codes by the error types of Anthropic's stream and of APIs that use the same. */
const CODES: Readonly<Record<string, FailureCode>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'payment',
  not_found_error: 'not-found',
  request_too_large: 'too-long',
  invalid_request_error: 'rejected',
  rate_limit_error: 'rate-limited',
  rate_limit_exceeded: 'rate-limited',
  overloaded_error: 'overloaded',
};

function codeOfType(type: string): FailureCode | undefined {
  return type
    .split(' ')
    .map((word) => entryOf(CODES, word))
    .find((code) => code !== undefined);
}

/** An HTTP date in the form that senders must use (RFC 9110, 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses a non-negative number of at most 12 digits. */
function amountIn(value: string | null): number | undefined {
  return value !== null && /^\d{1,12}(\.\d{1,12})?$/.test(value) ? Number(value) : undefined;
}

/**
 * Returns the milliseconds that the server asks to wait, from `retry-after` (seconds or an HTTP
 * date) or OpenAI's `retry-after-ms`. Undefined if there is no such header, or none that can be read.
 * `now` is in milliseconds since the epoch.
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const ms = amountIn(headers.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const value = headers.get('retry-after')?.trim() ?? '';
  const seconds = amountIn(value);
  if (seconds !== undefined) return seconds * 1000;
  // Accept a date only in the form of HTTP: `Date.parse` reads `-5` and `in 5 minutes` as dates in the
  // past, which would cause an immediate retry.
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Returns the message of an error body: from the JSON field, the title of a web page, or the text itself.
 */
function providerWords(body: string): { type: string; words: string } {
  const text = body.trim();
  if (text.startsWith('{')) {
    const parsed = parseRecord(text);
    if (parsed) {
      const inner = isRecord(parsed.error) ? parsed.error : parsed;
      const message = [inner.message, parsed.error, parsed.message, parsed.detail].find(
        (value) => typeof value === 'string' && value !== '',
      );
      return {
        type: [inner.type, inner.code].filter((value) => typeof value === 'string').join(' '),
        words: clipLine(typeof message === 'string' ? message : text),
      };
    }
  }
  if (/^<(!doctype|html|\?xml)/i.test(text)) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '';
    return { type: '', words: clipLine((title || text.slice(0, 8_000)).replace(/<[^>]*>/g, ' ')) };
  }
  return { type: '', words: clipLine(text) };
}

/**
 * Returns whether the value of an `error` field means that there is no error, such as null. Some
 * servers send the field with every record.
 */
export function isNoError(error: unknown): boolean {
  return error === undefined || error === null || error === '' || error === false;
}

/**
 * Returns the failure for the error in a record of a stream; undefined if the record has none. The
 * error is in the field `error`, whichever provider's protocol the stream follows.
 */
export function errorIn(
  about: ServerDescription,
  model: string,
  record: Readonly<Record<string, unknown>>,
): Failure | undefined {
  const error = record.error;
  if (isNoError(error)) return undefined;
  const { type, words } = providerWords(JSON.stringify({ error }));
  return streamFailure(about, model, type, words);
}

/**
 * Returns the failure for a response that is one document although a stream was requested: the error
 * that the document reports, if it does, otherwise that the server does not follow the protocol.
 */
export function notAStreamFailure(about: ServerDescription, model: string, body: string): Failure {
  const text = body.trim();
  const document = text.startsWith('{') ? parseRecord(text) : undefined;
  const failure = document && errorIn(about, model, document);
  if (failure) return failure;
  const what = text.startsWith('{') ? 'a JSON document' : 'a web page';
  const words = `${about.endpoint} answered with ${what} instead of a stream`;
  return { ...malformedFailure(about, words, false), isOffPath: true };
}

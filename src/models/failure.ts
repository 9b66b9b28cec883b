/**
 * Every failure of a provider in one form: a code, one sentence with the provider's own words, the next
 * step, and whether another attempt makes sense.
 */
import { entryOf } from '../kernel/entry.ts';
import type { FailureCode } from '../kernel/errors.ts';
import type { CommonResult, ModelResult } from '../kernel/model.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/** A failed attempt at a call. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** The next step for a person; absent if none is known. */
  readonly next?: string | undefined;
  /** Whether the same request may succeed a moment later. */
  readonly retry: boolean;
  /**
   * True if the server is loading the model. The call is then retried while the server says so, up
   * to a limit.
   */
  readonly loading?: boolean | undefined;
  /** True if no program listens at the address. A server that answered before may be restarting. */
  readonly isAway?: boolean | undefined;
  /** True if the stream ended, but the server did not say why the answer ended. */
  readonly isOpen?: boolean | undefined;
  /**
   * True if the answer does not follow the protocol, so that the configured address may be wrong.
   */
  readonly isOffPath?: boolean | undefined;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The model's context window in tokens, for `too-long` if known. */
  readonly window?: number | undefined;
  /** The estimated tokens of the request, for `too-long`. */
  readonly needs?: number | undefined;
}

/**
 * The failure of one request that was stopped. It is not shown for a call, whose result then has the
 * status `stopped`.
 */
export const STOPPED: Failure = { code: 'interrupted', message: 'stopped', retry: false };

/** An exception that carries a failure, for code that can only throw. */
export class ProviderFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ProviderFailure';
    this.failure = failure;
  }
}

/** A server's name and address, and the next steps that a person is told if a request to it fails. */
export interface ServerDescription {
  readonly name: string;
  readonly endpoint: string;
  /** The environment variable or the setting that holds the address. */
  readonly variable: string;
  /** The environment variables that configure proxies. Absent: no proxy is used. */
  readonly network?: Readonly<Record<string, string | undefined>> | undefined;
  /** The next step if nothing answers at `endpoint`. */
  readonly whenUnreachable: string;
  /** The next step if the key is refused. */
  readonly whenRefused: string;
  /** Returns the message and the next step if the server does not have the model. */
  readonly whenNoModel: (model: string) => { readonly message: string; readonly next: string };
}

/** The most characters of a provider's own message in a sentence. */
const MAX_WORDS = 300;

/** Returns a text on one line, shortened to at most `limit` characters. */
export function clipLine(text: string, limit = MAX_WORDS): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/**
 * Returns the failure for a response that does not follow the protocol. `words` says what is wrong;
 * `retry` is whether the same request may succeed a moment later.
 */
export function malformedFailure(about: ServerDescription, words: string, retry: boolean): Failure {
  return {
    code: 'malformed',
    message: `${about.name}: ${words}`,
    next: `Check that ${about.endpoint} is the right address`,
    retry,
  };
}

/** Returns the failure for a response that should be a list of models and is not. */
export function notAListFailure(about: ServerDescription): Failure {
  const words = `${about.endpoint} did not answer with a list of models`;
  return { ...malformedFailure(about, words, false), isOffPath: true };
}

/**
 * Returns the failure for a request that received no data for the idle time.
 *
 * @param model empty for requests about the server itself
 * @param idleMs the idle time in milliseconds
 * @param idles how many idle times in a row passed without data
 */
export function idleFailure(
  about: ServerDescription,
  model: string,
  idleMs: number,
  idles = 1,
): Failure {
  const seconds = Math.round(idleMs / 100) / 10;
  return {
    code: 'timeout',
    message: `${about.name}: no bytes for ${Math.round(10 * seconds * idles) / 10} s`,
    next:
      model === ''
        ? `The server at ${about.endpoint} takes connections and does not answer; start it again`
        : `Allow more time with --idle-timeout ${Math.ceil(seconds * 2)}s, or give this seat another model`,
    // Do not retry: the server was silent for the whole idle time, and a retry would wait as long again.
    retry: false,
  };
}

/** Messages for the error codes of Node and undici, and whether a retry makes sense. */
const NETWORK: Readonly<Record<string, { readonly why: string; readonly retry: boolean }>> = {
  ECONNREFUSED: { why: 'connection refused', retry: true },
  ENOTFOUND: { why: 'no such host', retry: false },
  EAI_AGAIN: { why: 'the name could not be looked up', retry: true },
  ECONNRESET: { why: 'connection reset', retry: true },
  EPIPE: { why: 'connection closed', retry: true },
  UND_ERR_SOCKET: { why: 'connection closed before an answer', retry: true },
  ETIMEDOUT: { why: 'no connection in time', retry: true },
  UND_ERR_CONNECT_TIMEOUT: { why: 'no connection in time', retry: true },
  EHOSTUNREACH: { why: 'no route to the host', retry: true },
  ENETUNREACH: { why: 'no network', retry: true },
};

/** Error codes of Node and OpenSSL for untrusted certificates. */
const UNTRUSTED =
  /SELF_SIGNED|^UNABLE_TO_(?:VERIFY|GET_ISSUER)|^CERT_(?:UNTRUSTED|SIGNATURE|CHAIN)|^ERR_TLS_CERT_/;

/**
 * Returns the failure for a request that got no response. `error` is what `fetch` rejected with.
 */
export function networkFailure(
  about: Pick<ServerDescription, 'name' | 'endpoint' | 'whenUnreachable'>,
  error: unknown,
): Failure {
  const { code, words } = rootCause(error);
  const known = entryOf(NETWORK, code);
  const why = known?.why ?? (clipLine(words) || 'no connection');
  if (UNTRUSTED.test(code))
    return {
      code: 'unreachable',
      message: `${about.name}: the certificate of ${about.endpoint} is not trusted (${why})`,
      next: 'If you trust it, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority',
      retry: false,
    };
  return {
    code: 'unreachable',
    message: `${about.name}: cannot reach ${about.endpoint} (${why})`,
    next: about.whenUnreachable,
    ...(code === 'ECONNREFUSED' ? { isAway: true } : {}),
    // Do not retry an unknown cause: a bad address, a blocked port or a certificate will be the
    // same next time.
    retry: known?.retry ?? false,
  };
}

/** Returns the failure for a connection that broke while the answer arrived. `error` says why, if known. */
export function cutFailure(about: ServerDescription, error: unknown): Failure {
  const { code, words } = rootCause(error);
  const why = entryOf(NETWORK, code)?.why ?? clipLine(words);
  return {
    code: 'interrupted',
    message: `${about.name}: the connection broke during the answer${why ? ` (${why})` : ''}`,
    next: 'Try again',
    retry: true,
  };
}

/** Finds the innermost cause of an error: `fetch` wraps it in a chain of causes or an AggregateError. */
function rootCause(error: unknown): { code: string; words: string } {
  let current: unknown = error;
  let words = '';
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    words = current.message || words;
    const code: unknown = 'code' in current ? current.code : undefined;
    if (typeof code === 'string') return { code, words };
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : current.cause;
    if (!(inner instanceof Error)) break;
    current = inner;
  }
  return { code: '', words };
}

/** Returns the failure for an answer without text. `thought`: whether the model showed thinking. */
export function emptyFailure(name: string, thought = false): Failure {
  return {
    code: 'empty',
    message: `${name}: the answer was empty${thought ? ': the model only thought' : ''}`,
    next: 'Try again, or give this seat another model',
    retry: false,
  };
}

/**
 * Returns the failure for an answer that was cut because it, or the thinking, repeated itself.
 *
 * @param tokens the estimated tokens received until the cut
 */
export function repeatingFailure(name: string, tokens: number): Failure {
  return {
    code: 'truncated',
    message: `${name}: the answer repeats itself and was cut after about ${tokens.toLocaleString('en-US')} tokens`,
    next: 'Ask again, or give this seat another model',
    retry: false,
  };
}

/**
 * Returns the failure for an answer that the server ended early in order to answer another request.
 */
export function displacedFailure(name: string): Failure {
  return {
    code: 'unfinished',
    message: `${name}: the server ended the answer when another request came; requests go one at a time now`,
    next: 'Run it again with --concurrency 1',
    retry: true,
  };
}

/** Returns the failure for an exception that a defect of the program raised. */
export function defectFailure(name: string, error: unknown): Failure {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'internal', message: `${name}: ${clipLine(words)}`, retry: false };
}

/**
 * Returns the result of a failed call. `spoken` has what arrived before the call failed, such as a partial text;
 * `redact` removes secrets from the failure's texts.
 */
export function toFailedResult(
  { code, message, next, window, needs }: Failure,
  spoken: CommonResult,
  redact: (text: string) => string,
): ModelResult {
  return {
    status: 'failed',
    code,
    message: redact(message),
    ...(next === undefined ? {} : { next: redact(next) }),
    ...withoutUndefined({ window, needs }),
    ...spoken,
  };
}

/**
 * Every failure of a provider in one form: a code, one sentence with the provider's own words, the next
 * step, and whether another attempt makes sense.
 */
import { entryOf } from '../kernel/entry.ts';
import type { FailureCode } from '../kernel/model.ts';

/** A failed attempt at a call. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly next?: string | undefined;
  /** Whether the same request may succeed a moment later. */
  readonly retry: boolean;
  /**
   * True if the server is loading the model: the call is retried for as long as it says so, up to a limit.
   */
  readonly loading?: boolean | undefined;
  /** True if nothing listens at the address; if something did before, the server may be restarting. */
  readonly isAway?: boolean | undefined;
  /** True if the stream ended and the server gave no reason for the end of the answer. */
  readonly isOpen?: boolean | undefined;
  /** True if the answer does not follow the protocol, so that the address may be wrong. */
  readonly isOffPath?: boolean | undefined;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /**
   * For `too-long`, if known: the model's context window in tokens, and the estimated tokens of the
   * request.
   */
  readonly window?: number | undefined;
  readonly needs?: number | undefined;
}

/** The failure of a stopped attempt. It is not shown, since the call itself is `stopped`. */
export const STOPPED: Failure = { code: 'interrupted', message: 'stopped', retry: false };

/** Carries a failure through code that can only throw. */
export class ProviderFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ProviderFailure';
    this.failure = failure;
  }
}

/** What a provider's failures have in common: its name, its address, and the next steps for a person. */
export interface About {
  readonly name: string;
  readonly endpoint: string;
  /** The environment variable that holds the address. */
  readonly variable: string;
  /** The environment variables about proxies. Absent: no proxy is used. */
  readonly network?: Readonly<Record<string, string | undefined>> | undefined;
  /** The next step if nothing answers at `endpoint`. */
  readonly whenUnreachable: string;
  /** The next step if the key is refused. */
  readonly whenRefused: string;
  /** The message and the next step if the model does not exist. */
  readonly whenNoModel: (model: string) => { readonly message: string; readonly next: string };
}

/** The most characters of a provider's own message in a sentence. */
const MAX_WORDS = 300;

/** Returns a text as one line of at most `limit` characters. */
export function clip(text: string, limit = MAX_WORDS): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** Returns the failure for a response that does not follow the protocol. */
export function malformedFailure(about: About, words: string, retry: boolean): Failure {
  return {
    code: 'malformed',
    message: `${about.name}: ${words}`,
    next: `Check that ${about.endpoint} is the right address`,
    retry,
  };
}

/** Returns the failure for a response that is not a list of models. */
export function notAListFailure(about: About): Failure {
  const words = `${about.endpoint} did not answer with a list of models`;
  return { ...malformedFailure(about, words, false), isOffPath: true };
}

/**
 * Returns the failure for a request without data for the idle time. `model`: empty for requests about the
 * server itself.
 */
export function idleFailure(about: About, model: string, idleMs: number): Failure {
  const seconds = Math.round(idleMs / 100) / 10;
  return {
    code: 'timeout',
    message: `${about.name}: no bytes for ${seconds} s`,
    next:
      model === ''
        ? `The server at ${about.endpoint} takes connections and does not answer; start it again`
        : `Allow more time with --idle-timeout ${Math.ceil(seconds * 2)}s, or give this seat another model`,
    // No retry: it would take minutes more for a server that has shown no sign of life.
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

/** Returns the failure for a request without a response. `error` is what `fetch` rejected with. */
export function networkFailure(
  about: Pick<About, 'name' | 'endpoint' | 'whenUnreachable'>,
  error: unknown,
): Failure {
  const { code, words } = rootCause(error);
  const known = entryOf(NETWORK, code);
  const why = known?.why ?? (clip(words) || 'no connection');
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
    // An unknown cause, such as a bad address, a blocked port or a certificate, will be the same next time.
    retry: known?.retry ?? false,
  };
}

/** Returns the failure for a connection that broke during the answer. */
export function cutFailure(about: About, error: unknown): Failure {
  const { code, words } = rootCause(error);
  const why = entryOf(NETWORK, code)?.why ?? clip(words);
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

/** Returns the failure for an answer that ended without text. */
export function emptyFailure(name: string, thought = false): Failure {
  return {
    code: 'empty',
    message: `${name}: the answer was empty${thought ? ': the model only thought' : ''}`,
    next: 'Try again, or give this seat another model',
    retry: false,
  };
}

/**
 * Returns the failure for an answer or thinking that began to repeat itself and was cut.
 *
 * @param tokens the estimated tokens received by then
 */
export function repeatingFailure(name: string, tokens: number): Failure {
  return {
    code: 'truncated',
    message: `${name}: the answer repeats itself and was cut after about ${tokens.toLocaleString('en-US')} tokens`,
    next: 'Ask again, or give this seat another model',
    retry: false,
  };
}

/** Returns the failure for an answer that the server ended early to answer another request. */
export function displacedFailure(name: string): Failure {
  return {
    code: 'unfinished',
    message: `${name}: the server ended the answer when another request came; requests go one at a time now`,
    next: 'Run it again with --concurrency 1',
    retry: true,
  };
}

/** Returns the failure for an unexpected exception. */
export function defectFailure(name: string, error: unknown): Failure {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'internal', message: `${name}: ${clip(words)}`, retry: false };
}

/**
 * Fetches one web page that a person has named. Time and size are limited, redirects are followed and
 * recorded, and nothing is kept from one page to the next: no cookies, no credentials, no cache.
 */
import { lookup as systemLookup } from 'node:dns';
import { collectWithin } from '../io/bounded.ts';
import { RefusedFileError } from '../io/decoding/refused.ts';
import type { Env } from '../io/surroundings.ts';
import { formatSize, tooLongReason } from '../io/text-file.ts';
import { networkFailure, ProviderFailure } from '../models/failure.ts';
import { toProxyFailure } from '../models/network/proxy-failure.ts';
import { type Route, routeTo } from '../models/network/route.ts';
import { toLine } from '../text/line.ts';
import { formatCount } from '../text/numbers.ts';
import { readAddress, showAddress } from './address.ts';
import {
  type Lookup,
  openAgent,
  PrivateAddress,
  refusePrivateHost,
  refusePrivateName,
} from './connection.ts';

/** Maximum time for a page with all its redirects, in milliseconds. */
const MOST_MS = 20_000;
/** Maximum size of a page after decompression, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Maximum number of redirects: pages commonly redirect to https, to www, to a language and to a slash. */
const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept:
    'text/html,application/xhtml+xml,application/pdf;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.5',
  // Refuse compression: fetch does not notice if a compressed answer is cut short.
  'accept-encoding': 'identity',
  // Some servers answer only programs that call themselves a browser.
  'user-agent': 'Mozilla/5.0 (compatible; deliberate)',
};
const SAVE = 'Save the page in a browser, and attach the file.';
const SAVE_PART = 'Save the part that matters, and attach the file.';
const ALLOW = 'If you mean it, pass --allow-private.';

/** How to fetch a page. */
export interface PageOptions {
  /** The environment variables, which name proxies and hold the secrets that are not shown. */
  readonly env: Env;
  /** Whether the page may be on this machine or in a private network. */
  readonly allowPrivate: boolean;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Looks up host names; by default the system's own lookup. */
  readonly lookup?: Lookup | undefined;
  /** Maximum time in milliseconds; 20,000 by default. */
  readonly mostMs?: number | undefined;
}

/** A page that was fetched. */
export interface PageAnswer {
  /** The address that was requested, without its fragment. */
  readonly address: string;
  /** The time of the response, in ISO 8601. */
  readonly at: string;
  /** The HTTP status, which is 200: a response with another one is an error. */
  readonly status: number;
  /** The addresses that the request was redirected to, in order. */
  readonly redirects: readonly string[];
  /** The address that sent the body: the last redirect, or the requested address. */
  readonly from: string;
  /** The body, decompressed. */
  readonly bytes: Buffer;
  /** The `Content-Type` header. */
  readonly mediaType?: string | undefined;
}

/**
 * Fetches a web page and follows its redirects.
 *
 * @throws RefusedFileError, with a sentence about the address, if the page cannot be fetched; the error of
 *   the request if the caller aborts it by `options.signal`
 */
export async function fetchPage(address: string, options: PageOptions): Promise<PageAnswer> {
  const { env, allowPrivate, lookup = systemLookup, mostMs = MOST_MS } = options;
  const url = readAddress(address, env);
  const shown = showAddress(url, env);
  const late = AbortSignal.timeout(mostMs);
  const signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
  const agent = await openAgent(allowPrivate, lookup);
  try {
    return await followRedirects(url, { ...options, lookup, agent, signal });
  } catch (error) {
    if (error instanceof RefusedFileError) throw error;
    if (late.aborted)
      throw new RefusedFileError(shown, `did not come to its end within ${mostMs / 1000} s`, SAVE);
    if (options.signal?.aborted === true) throw error;
    throw new RefusedFileError(
      shown,
      'the connection broke while the page was coming',
      'Try again.',
    );
  } finally {
    // Use `destroy`: `close` would wait for the page, which may never end.
    await agent.destroy();
  }
}

interface Way extends Omit<PageOptions, 'lookup' | 'signal'> {
  readonly lookup: Lookup;
  readonly agent: Awaited<ReturnType<typeof openAgent>>;
  readonly signal: AbortSignal;
}

async function followRedirects(start: URL, way: Way): Promise<PageAnswer> {
  const { env } = way;
  const named = showAddress(start, env);
  const redirects: string[] = [];
  const seen = new Set([start.href]);
  let url = start;
  for (;;) {
    const shown = showAddress(url, env);
    const response = await requestPage(url, named, way);
    const { status } = response;
    if (!REDIRECTS.has(status)) {
      const bytes = await bytesOf(response, shown);
      const mediaType = response.headers.get('content-type') ?? undefined;
      const at = new Date().toISOString();
      return { address: named, at, status, redirects, from: shown, bytes, mediaType };
    }
    await response.body?.cancel();
    url = nextOf(url, response, named, env);
    const next = showAddress(url, env);
    if (seen.has(url.href))
      throw new RefusedFileError(
        named,
        `redirects in a circle: ${[...redirects, next].join(', ')}`,
        SAVE,
      );
    redirects.push(next);
    if (redirects.length > MOST_REDIRECTS)
      throw new RefusedFileError(
        named,
        `redirects more than ${formatCount(MOST_REDIRECTS, 'time')}: ${redirects.join(', ')}`,
        'If the last of these is the page, name that address.',
      );
    seen.add(url.href);
  }
}

/**
 * Returns the address that an answer redirects to.
 *
 * @throws RefusedFileError if the address is missing, has a user name or password, or is neither http nor https
 */
function nextOf(from: URL, { headers, status }: Response, named: string, env: Env): URL {
  const target = URL.parse(headers.get('location') ?? '', from.href);
  if (target === null || !headers.has('location'))
    throw new RefusedFileError(named, `redirects to nowhere (HTTP ${status})`);
  const shown = showAddress(target, env);
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw new RefusedFileError(named, `redirects to ${shown}; only http and https are read`);
  if (target.username !== '' || target.password !== '')
    throw new RefusedFileError(named, `redirects to ${shown} with a user name or a password`);
  target.hash = '';
  return target;
}

/**
 * Sends a request to one address, after a check that the address is allowed.
 *
 * @throws RefusedFileError if the address is private or does not answer
 */
async function requestPage(url: URL, named: string, way: Way): Promise<Response> {
  const { env, allowPrivate, lookup, agent, signal } = way;
  const shown = showAddress(url, env);
  const about = { name: 'it', endpoint: url.origin, whenUnreachable: 'Check the address.' };
  let route: Route | undefined;
  try {
    if (!allowPrivate) refusePrivateHost(url);
    route = await routeTo('it', url.href, env);
    const init = { headers: HEADERS, redirect: 'manual', signal } as const;
    if (route.proxy === undefined) {
      const { fetch: send } = (await import('undici')).default;
      const sent = await send(url.href, { ...init, dispatcher: agent });
      return sent as unknown as Response;
    }
    if (!allowPrivate) await refusePrivateName(url, lookup);
    return await route.fetch(url.href, init);
  } catch (error) {
    if (signal.aborted) throw error;
    const at = privateIn(error);
    if (at !== undefined) {
      const where = named === shown ? 'it' : `${shown}, which it redirects to,`;
      const is = at === '' ? '' : ` (${at})`;
      throw new RefusedFileError(
        named,
        `${where} is on this machine or in a private network${is}`,
        ALLOW,
      );
    }
    const failed = networkFailure(about, error);
    const failure =
      error instanceof ProviderFailure
        ? error.failure
        : route?.proxy === undefined
          ? failed
          : toProxyFailure(failed, about, route.proxy);
    throw new RefusedFileError(named, toLine(failure.message.replace(/^it: /, '')), failure.next);
  }
}

/** Finds the private address in a chain of causes. Returns undefined if no cause is a PrivateAddress. */
function privateIn(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof PrivateAddress) return current.address;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
}

/**
 * Reads the body of an answer.
 *
 * @throws RefusedFileError if the status is not 200, or the page is empty or too large
 */
async function bytesOf(response: Response, shown: string): Promise<Buffer> {
  const { status, headers, body } = response;
  if (status !== 200) {
    await body?.cancel();
    throw new RefusedFileError(shown, whyNoPage(status), nextWithout(status));
  }
  const said = Number(headers.get('content-length') ?? 0);
  if (said > MOST_BYTES) {
    await body?.cancel();
    throw new RefusedFileError(
      shown,
      `too large: ${formatSize(said)}, at most ${formatSize(MOST_BYTES)} are read`,
      SAVE_PART,
    );
  }
  const bytes =
    body === null
      ? Buffer.alloc(0)
      : await collectWithin(body as AsyncIterable<Uint8Array>, MOST_BYTES);
  if (bytes === undefined) throw new RefusedFileError(shown, tooLongReason(MOST_BYTES), SAVE_PART);
  if (bytes.length === 0) throw new RefusedFileError(shown, 'the page is empty');
  return bytes;
}

/** Returns what a person can do about a status other than 200. */
function nextWithout(status: number): string | undefined {
  if (status === 404 || status === 410) return 'Check the address.';
  if (status === 429 || status >= 500) return 'Try again later.';
  return status >= 400 ? SAVE : undefined;
}

function whyNoPage(status: number): string {
  switch (status) {
    case 401:
    case 407:
      return `asks for a login (HTTP ${status})`;
    case 402:
      return 'asks to be paid (HTTP 402)';
    case 403:
    case 451:
      return `does not show itself to everybody: it may want a login or a browser (HTTP ${status})`;
    case 404:
    case 410:
      return `there is no such page (HTTP ${status})`;
    case 429:
      return 'asks to be asked later (HTTP 429)';
    default:
      return status >= 500
        ? `its server fails (HTTP ${status})`
        : `the server answers with HTTP ${status} and no page`;
  }
}

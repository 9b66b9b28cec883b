/**
 * Chooses how a request is sent: by Node's own fetch, or through a proxy by a library that is loaded only
 * then.
 */
import type { Dispatcher, RequestInit as UndiciInit } from 'undici';
import { type Failure, ProviderFailure } from '../failure.ts';
import { withoutTimeLimit } from './dispatcher.ts';
import { findProxy, type NamedProxy } from './proxy.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Fetch = typeof globalThis.fetch;

/** How requests reach an address. */
export interface Route {
  /** Sends requests, through the proxy if there is one. */
  readonly fetch: Fetch;
  /** Undefined if no proxy is used. */
  readonly proxy?: NamedProxy | undefined;
}

const DIRECT: Route = { fetch: (input, init) => fetch(input, { ...init, ...withoutTimeLimit() }) };

/** The agent of each proxy, kept for the life of the process. */
const agents = new Map<string, Dispatcher>();

/**
 * Returns how requests reach an address. `name` names the server in messages.
 *
 * @throws ProviderFailure if the proxy configured for this address cannot be used
 */
export async function routeTo(name: string, address: string, env: Env): Promise<Route> {
  const proxy = findProxy(address, env);
  if (proxy === undefined) return DIRECT;
  const protocol = URL.parse(proxy.url)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new ProviderFailure(unusableProxyFailure(name, proxy, protocol));
  // Take the export `default` of undici: in the bundled program, a CommonJS module has no other.
  const { fetch: send, ProxyAgent } = (await import('undici')).default;
  const dispatcher =
    agents.get(proxy.url) ??
    // As in curl, only encrypted requests go through a tunnel.
    new ProxyAgent({ uri: proxy.url, proxyTunnel: false, headersTimeout: 0, bodyTimeout: 0 });
  agents.set(proxy.url, dispatcher);
  const fetchThroughProxy: Fetch = async (input, init) => {
    const sent = { ...init, ...(await formOf(init)), dispatcher } as UndiciInit;
    return (await send(input instanceof Request ? input.url : input, sent)) as unknown as Response;
  };
  return { fetch: fetchThroughProxy, proxy };
}

/** Converts a form to bytes with a boundary, as the library accepts only its own FormData class. */
async function formOf(
  init: RequestInit | undefined,
): Promise<Pick<RequestInit, 'body' | 'headers'>> {
  if (!(init?.body instanceof FormData)) return {};
  const form = new Response(init.body);
  const headers = new Headers(init.headers);
  headers.set('content-type', form.headers.get('content-type') ?? '');
  return { body: new Uint8Array(await form.arrayBuffer()), headers };
}

function unusableProxyFailure(
  name: string,
  { variable }: NamedProxy,
  protocol: string | undefined,
): Failure {
  const what =
    protocol === undefined
      ? 'is not a URL'
      : `speaks ${protocol.slice(0, -1)}, which is not supported`;
  return {
    code: 'unreachable',
    message: `${name}: the proxy in ${variable} ${what}`,
    next: `Set ${variable} to an address such as http://proxy:3128`,
    retry: false,
  };
}

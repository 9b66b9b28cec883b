/** Parses `OLLAMA_HOST` in all the forms that Ollama itself accepts. */
import { decodePercents } from '../../text/percent.ts';
import { type Failure, ProviderFailure } from '../failure.ts';
import type { Access } from './access.ts';

interface OllamaHost {
  /** The address without credentials and without a trailing slash. */
  readonly url: string;
  /** The authorization header for `user:password@` in the address; fetch refuses URLs with credentials. */
  readonly authorization?: string;
}

const DEFAULT_PORT = '11434';

/**
 * Parses the value of `OLLAMA_HOST`: `host`, `host:port`, `:port`, a URL, or nothing. Returns the
 * address without a user name and password, and these as an authorization header. Returns undefined for
 * any other text.
 */
export function ollamaHost(value: string | undefined): OllamaHost | undefined {
  const text = (value ?? '').trim().replace(/^["']|["']$/g, '');
  const schemed = /^https?:\/\//i.test(text);
  if (!schemed && text.includes('://')) return undefined;
  const address = text === '' || text.startsWith(':') ? `127.0.0.1${text}` : text;
  if (!URL.canParse(schemed ? address : `http://${address}`)) return undefined;
  const url = new URL(schemed ? address : `http://${address}`);
  // A server that listens for everybody has the address `0.0.0.0`. Not every system lets a client connect to it.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  // In a URL, a missing port means the port of its scheme. In an address without a scheme, it means Ollama's
  // port.
  if (!schemed && url.port === '' && !/:80\/?$/.test(text)) url.port = DEFAULT_PORT;
  const { username, password } = url;
  const bare = `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, '');
  if (!username) return { url: bare };
  const credentials = decodePercents(`${username}:${password}`);
  return credentials === undefined
    ? undefined
    : { url: bare, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/**
 * Returns the address and key of the built-in Ollama provider, from `OLLAMA_HOST` and, for an https
 * address, `OLLAMA_API_KEY`.
 */
export function ollamaAccess(env: Readonly<Record<string, string | undefined>>): Access {
  const host = ollamaHost(env.OLLAMA_HOST);
  const endpoint = host?.url ?? 'OLLAMA_HOST';
  // Send the key only over an encrypted connection.
  const key = endpoint.startsWith('https:') ? env.OLLAMA_API_KEY || undefined : undefined;
  const fault: Failure | undefined =
    host === undefined
      ? {
          code: 'unreachable',
          message: 'ollama: OLLAMA_HOST is not a valid address',
          next: 'Set it to host:port or a URL',
          retry: false,
        }
      : undefined;
  const { authorization } = host ?? {};
  return {
    name: 'ollama',
    endpoint,
    addressName: 'OLLAMA_HOST',
    fault,
    getKey: async () => {
      if (fault !== undefined) throw new ProviderFailure(fault);
      return authorization === undefined ? key : undefined;
    },
    isNamed: false,
    network: env,
    keyName: 'OLLAMA_HOST and OLLAMA_API_KEY',
    headers: authorization === undefined ? {} : { Authorization: authorization },
  };
}

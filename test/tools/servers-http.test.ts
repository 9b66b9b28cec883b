/** Tests tool servers over Streamable HTTP: who gets the token, and which answers are accepted. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchThroughProxies } from '../../src/app/settings/tool-fetch.ts';
import type { Fetch } from '../../src/tools/servers/http.ts';
import { ToolServers } from '../../src/tools/servers/servers.ts';
import { startProxy } from '../servers/proxy.ts';

const { signal } = new AbortController();
const SEARCH = {
  name: 'search',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

interface Http {
  readonly url: string;
  /** The method and headers of each request. */
  readonly requests: { readonly method: string; readonly headers: IncomingMessage['headers'] }[];
}

/** Starts a tool server. `odd` gets each request first; if it returns true, it has answered the request. */
async function startServer(
  odd: (asked: Asked, response: ServerResponse) => boolean = () => false,
): Promise<Http> {
  const requests: Http['requests'] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const asked = JSON.parse(body) as Asked;
    requests.push({ method: asked.method, headers: request.headers });
    if (odd(asked, response)) return;
    if (asked.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result =
      asked.method === 'initialize'
        ? {
            protocolVersion: asked.params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'elsewhere', version: '1' },
          }
        : asked.method === 'tools/list'
          ? { tools: [SEARCH] }
          : { content: [{ type: 'text', text: 'forty orders' }] };
    const message = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: message\ndata: ${message}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function openToolServers(url: string, ask: typeof fetch | Fetch = fetch): ToolServers {
  const headers = { Authorization: 'Bearer token-of-search', 'X-Team': 'platform' };
  const servers = new ToolServers([{ name: 'search', allow: [], reach: { url, headers } }], {
    version: '1.0',
    startGuard: () => Promise.resolve(undefined),
    fetch: ask,
    conceal: (text) => text.replaceAll('token-of-search', '[key]'),
  });
  onTestFinished(() => servers.close());
  return servers;
}

async function callSearch(servers: ToolServers) {
  const { use } = servers.tools(await servers.list(signal));
  return use({ name: 'search__search', arguments: {} }, signal);
}

const getFailure = (servers: ToolServers): Promise<unknown> =>
  servers.list(signal).catch((error: unknown) => error);

describe('a tool server with a URL', () => {
  it('is sent its token and its headers', async () => {
    const server = await startServer();
    const found = await callSearch(openToolServers(`${server.url}/mcp?key=hidden`));
    expect(found).toMatchObject({
      text: 'forty orders',
      fetched: { server: 'search', address: `${server.url}/mcp` },
    });
    expect(server.requests.map(({ method }) => method)).toContain('tools/call');
    for (const { headers } of server.requests)
      expect(headers).toMatchObject({
        authorization: 'Bearer token-of-search',
        'x-team': 'platform',
      });
  });

  it('cannot redirect a request with its token to another host', async () => {
    const other = await startServer();
    const server = await startServer((_asked, response) => {
      response.writeHead(307, { location: `${other.url}/mcp` }).end();
      return true;
    });
    expect(await getFailure(openToolServers(server.url))).toMatchObject({ name: 'ServerFailure' });
    expect(other.requests).toEqual([]);
  });

  it('is reported without the token if it rejects the token', async () => {
    const server = await startServer((_asked, response) => {
      response.writeHead(401).end('token-of-search is not welcome');
      return true;
    });
    const failed = await getFailure(openToolServers(server.url));
    expect(failed).toMatchObject({ message: expect.stringContaining('search: ') });
    expect(JSON.stringify([String(failed), failed])).not.toContain('token-of-search');
  });

  it('is cut off after 16 MB if it sends 50 MB, and the result of the tool is an error', async () => {
    const server = await startServer((asked, response) => {
      if (asked.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const part = 'x'.repeat(1024 * 1024);
      let sent = 0;
      const writeMore = (): void => {
        sent += 1;
        if (sent > 50) response.end();
        else if (response.write(part)) setImmediate(writeMore);
        else response.once('drain', writeMore);
      };
      writeMore();
      return true;
    });
    expect(await callSearch(openToolServers(server.url))).toMatchObject({
      refused: true,
      text: 'search: it sent more than 16 MB and was cut off',
    });
  });

  it('is asked again after a failed request', async () => {
    let times = 0;
    const server = await startServer((asked, response) => {
      if (asked.method !== 'tools/call') return false;
      times += 1;
      if (times > 1) return false;
      response.writeHead(404).end();
      return true;
    });
    const servers = openToolServers(server.url);
    expect(await callSearch(servers)).toMatchObject({ refused: true });
    expect(await callSearch(servers)).toMatchObject({ text: 'forty orders' });
  });

  it('is reached through the person’s proxy', async () => {
    const server = await startServer();
    const proxy = await startProxy(server.url);
    const found = await callSearch(
      openToolServers('http://mcp.invalid/mcp', fetchThroughProxies({ HTTP_PROXY: proxy.url })),
    );
    expect(found).toMatchObject({
      text: 'forty orders',
      fetched: { address: 'http://mcp.invalid/mcp' },
    });
    expect(proxy.seen).toContain('POST http://mcp.invalid/mcp');
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer token-of-search');
    // A request to a tool server on this machine never goes through a proxy.
    const direct = await callSearch(
      openToolServers(server.url, fetchThroughProxies({ ALL_PROXY: proxy.url })),
    );
    expect(direct).toMatchObject({ text: 'forty orders' });
    expect(proxy.seen.filter((url) => url.includes('127.0.0.1'))).toEqual([]);
  });

  it('is reported with the variable that names the proxy, but not its password, if the proxy does not let it be reached', async () => {
    const wants = await startProxy('', 407);
    const tryProxy = async (proxy: string) => {
      const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
      const failed = await getFailure(
        openToolServers('http://mcp.invalid/mcp', fetchThroughProxies(env)),
      );
      expect(JSON.stringify([String(failed), failed])).not.toContain('s3cret');
      return failed instanceof Error ? failed.message : '';
    };
    expect(await tryProxy(wants.url)).toBe(
      'search: cannot reach http://mcp.invalid through the proxy in HTTP_PROXY (it wants a user name and a password)',
    );
    expect(await tryProxy('http://me:s3cret-pass@127.0.0.1:9')).toBe(
      'search: cannot reach http://mcp.invalid through the proxy in HTTP_PROXY (connection refused)',
    );
    expect(await tryProxy('socks5://127.0.0.1:9')).toBe(
      'search: the proxy in HTTP_PROXY speaks socks5, which is not supported',
    );
  });

  it('is reported as out of reach if nothing listens at its address', async () => {
    expect(await getFailure(openToolServers('http://127.0.0.1:1/mcp'))).toMatchObject({
      message: 'search: it could not be reached',
    });
  });
});

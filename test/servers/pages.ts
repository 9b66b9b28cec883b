/** A web server for tests, on this machine. The test gives the answer at each path. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A function that writes the whole answer to a request. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void;
/**
 * The body of an answer with status 200, a function that answers, or a redirect to another path: `->
 * /there`.
 */
export type Page = string | Buffer | Answer;

/** A running web server, with everything that was requested from it. */
export interface PageServer {
  readonly url: string;
  /** Every request so far as `GET /path`, in order. */
  readonly requests: string[];
  /** The headers of every request so far, in the order of `requests`. */
  readonly headers: IncomingMessage['headers'][];
  /** Returns how many connections were made so far. */
  connections(): number;
  /** Resolves to the number of open connections. */
  open(): Promise<number>;
}

/**
 * Starts a web server with the given pages by path; it answers 404 at other paths. A body that begins with
 * `<` is sent as HTML, any other as plain text. The server is closed after the test.
 */
export async function startPages(pages: Readonly<Record<string, Page>>): Promise<PageServer> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    headers.push(request.headers);
    const page = new Map(Object.entries(pages)).get(path);
    if (page === undefined) response.writeHead(404).end('no such page');
    else if (typeof page === 'function') page(response, request);
    else if (typeof page === 'string' && page.startsWith('-> '))
      response.writeHead(302, { location: page.slice(3) }).end();
    else {
      const type = String(page).trimStart().startsWith('<') ? 'text/html' : 'text/plain';
      response.writeHead(200, { 'content-type': type }).end(page);
    }
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    connections: () => connections,
    open: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  };
}

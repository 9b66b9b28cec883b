/** A web server for tests, on this machine: each path answers as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
/** A body with status 200, the answer itself, or where it redirects to: `-> /there`. */
export type Page = string | Buffer | Answer;

export interface Pages {
  readonly url: string;
  /** `GET /path`, in the order of the requests. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Connections that were made. */
  connections(): number;
  /** Connections that are open. */
  open(): Promise<number>;
}

/** Starts a server of pages; a body that begins with `<` is HTML, any other is plain text. */
export async function startPages(pages: Readonly<Record<string, Page>>): Promise<Pages> {
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

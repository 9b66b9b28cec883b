/** A proxy for tests, on this machine, for requests that are not encrypted. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a proxy that passes all requests on to the server `to`, whatever host they name. With `status`, the
 * proxy answers all requests with this status instead, and repeats their header `proxy-authorization`. Resolves
 * to the proxy's URL and the requests so far, each as `METHOD URL`. The proxy is closed after the test.
 */
export async function startProxy(to: string, status?: number) {
  const seen: string[] = [];
  const server = createServer((asked, answer) => {
    seen.push(`${asked.method} ${asked.url}`);
    if (status !== undefined) {
      answer.writeHead(status).end(`not by ${asked.headers['proxy-authorization']}`);
      return;
    }
    const path = new URL(asked.url ?? '', 'http://x').pathname;
    const { method, headers } = asked;
    asked.pipe(
      request(`${to}${path}`, { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        given.pipe(answer);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

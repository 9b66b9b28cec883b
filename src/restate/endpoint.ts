/**
 * The endpoint at which a Restate server reaches workers: HTTP/2, with several workers of a machine behind
 * one address.
 */
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as restate from '@restatedev/restate-sdk';
import { DeliberateError } from '../kernel/errors.ts';
import { SYSTEM } from '../platform/system.ts';
import type { SubmittedRun } from './handed.ts';
import { type Attempt, createService } from './service.ts';

/**
 * Streams per connection. Few, so that the server opens many connections, which the system distributes
 * among the workers that listen on the same port.
 */
const STREAMS = 4;
const BUSY = 503;

interface Listening {
  readonly port: number;
  /** Refuses new runs; running ones keep their connection. */
  refuse(): void;
  /** Closes all connections; running runs continue on another worker. */
  close(): void;
}

interface Serving {
  readonly host: string;
  readonly port: number;
  readonly open: (handed: SubmittedRun) => Attempt;
  /**
   * Returns whether another run would have to wait here; the server then tries again, perhaps with another
   * worker.
   */
  readonly isFull: () => boolean;
}

/**
 * Starts the server of a worker: listens for runs that a Restate server sends, and passes each to `open`.
 *
 * @throws DeliberateError if the address cannot be used
 */
export async function serveWorker({ host, port, open, isFull }: Serving): Promise<Listening> {
  const handle = restate.createEndpointHandler({
    services: [createService(open)],
    // Suppress the library's messages: workers print their own.
    logger: () => undefined,
  }) as (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  let isRefusing = false;
  const server = http2.createServer({ settings: { maxConcurrentStreams: STREAMS } });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    // The Restate server's connection to this worker broke. Ignore the error: if the server was killed, its runs
    // continue when it is back.
    session.on('error', () => undefined);
  });
  server.on('request', (request, response) => {
    request.on('error', () => undefined);
    const isRun = /\/invoke\/[^/]+\/run$/.test(request.url);
    if (isRefusing || (isRun && isFull())) {
      response.writeHead(BUSY);
      response.end();
      return;
    }
    handle(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new DeliberateError(
          'cannot-listen',
          `cannot listen on ${host}:${port}: ${error.message}`,
          'Name another port with --listen.',
        ),
      ),
    );
    server.listen({ host, port, reusePort: SYSTEM === 'linux' }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    refuse: () => {
      isRefusing = true;
      server.close();
    },
    close: () => {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

/**
 * A proxy in front of a real server that records requests to models, so that another program can send them
 * again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A recorded request to a model. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A running proxy that records requests to models. */
export interface Recorder {
  readonly baseUrl: string;
  /** Returns the requests since the last call, in order of arrival, and forgets them. */
  readonly takeRequests: () => RecordedRequest[];
  /**
   * Returns for how many milliseconds the server had requests to answer since this function was called last. A
   * period counts when its last open request ends.
   */
  readonly takeBusyMs: () => number;
  readonly stop: () => void;
}

/** Paths of the requests that models answer. */
const ANSWERED = /^\/(?:v1\/chat\/completions|v1\/messages|api\/chat)$/;

/**
 * Starts a proxy for the server at `target`, on a free port of the loopback address. The proxy records the
 * requests to models as they arrive.
 * @param fix changes the body of such a request before the proxy sends it to the server
 */
export async function startRecorder(
  target: string,
  fix: (body: Record<string, unknown>) => Record<string, unknown>,
): Promise<Recorder> {
  let recorded: RecordedRequest[] = [];
  let open = 0;
  let busySince = 0;
  let busyMs = 0;
  const server = createServer((request, response) => {
    void passOn(request, response).catch(() => response.destroy());
  });

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '/';
    let body = Buffer.concat(chunks).toString('utf8');
    const headers: Record<string, string> = {
      'content-type': request.headers['content-type'] ?? 'application/json',
    };
    for (const name of ['authorization', 'x-api-key', 'anthropic-version']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    if (request.method === 'POST' && ANSWERED.test(path)) {
      recorded.push({ path, headers, body });
      body = JSON.stringify(fix(JSON.parse(body) as Record<string, unknown>));
      if (open === 0) busySince = performance.now();
      open += 1;
      response.on('close', () => {
        open -= 1;
        if (open === 0) busyMs += performance.now() - busySince;
      });
    }
    const aborting = new AbortController();
    response.on('close', () => aborting.abort());
    const reply = await fetch(`${target}${path}`, {
      method: request.method ?? 'GET',
      headers,
      signal: aborting.signal,
      ...(request.method === 'POST' ? { body } : {}),
    });
    response.writeHead(reply.status, {
      'content-type': reply.headers.get('content-type') ?? 'application/json',
    });
    if (reply.body !== null) for await (const piece of reply.body) response.write(piece);
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    takeRequests: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    takeBusyMs: () => {
      const taken = busyMs;
      busyMs = 0;
      return taken;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

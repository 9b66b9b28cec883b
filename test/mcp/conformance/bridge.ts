/**
 * `bridge.ts PORT`: serves the MCP server over HTTP for the official conformance suite, which can only use
 * HTTP. Each session of the older specifications has a process of the real program; all requests of
 * 2026-07-28 share one. The program rehearses, and its database is removed at the end.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

interface Message {
  readonly jsonrpc?: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly code: number };
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const STATELESS = 'stateless';
const PROGRAM = fileURLToPath(new URL('../../../bin/deliberate.js', import.meta.url));
const FIRST: Message = {
  id: 0,
  method: 'tools/list',
  params: {
    _meta: {
      [VERSION]: '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bridge', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};
const home = mkdtempSync(join(tmpdir(), 'deliberate-conformance-'));

/** A process of the server, and the requests that it has not answered. */
class Session {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, (message: Message, isAnswer: boolean) => void>();
  #last = 0;

  constructor() {
    this.#child = spawn(
      process.execPath,
      [PROGRAM, 'mcp', '--rehearse', '--rehearse-speed', '1000'],
      {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, DELIBERATE_DB: join(home, 'runs.db') },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    createInterface(this.#child.stdout).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.method !== undefined)
        for (const tell of this.#waiting.values()) tell(message, false);
      else {
        this.#waiting.get(Number(message.id))?.(message, true);
        this.#waiting.delete(Number(message.id));
      }
    });
  }

  tell(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a request. `hear` gets every message of the process until the answer, and then the answer. */
  ask(message: Message, hear: (said: Message, isAnswer: boolean) => void): void {
    this.#last += 1;
    const { id } = message;
    this.#waiting.set(this.#last, (said, isAnswer) =>
      hear(isAnswer && id !== undefined ? { ...said, id } : said, isAnswer),
    );
    this.tell({ jsonrpc: '2.0', ...message, id: this.#last });
  }

  end(): void {
    this.#child.kill();
  }
}

const sessions = new Map<string, Session>();

/** Returns the session of a message, or undefined if no session has its name. */
function sessionFor(message: Message, given: string | undefined): [string, Session] | undefined {
  const begins = message.method === 'initialize';
  const statesVersion = message.params?._meta?.[VERSION] !== undefined;
  const hasNoSession = given === undefined && !begins;
  const isStateless = statesVersion || hasNoSession;
  const name = isStateless ? STATELESS : begins ? randomUUID() : (given ?? '');
  // An `initialize` message begins a session of the older version of MCP, and would change how the
  // shared process reads all later messages, so the message gets a process of its own.
  if (isStateless && begins) return [name, new Session()];
  if (sessions.has(name) || isStateless || begins) {
    const session = sessions.get(name) ?? new Session();
    // A process of the MCP server keeps to the version of MCP of its first request. The first request
    // of the conformance suite is deliberately wrong, so send a right request before it.
    if (isStateless && !sessions.has(name)) session.ask(FIRST, () => undefined);
    sessions.set(name, session);
    return [name, session];
  }
  return undefined;
}

function serveRequest(request: IncomingMessage, response: ServerResponse, body: string): void {
  const given = request.headers['mcp-session-id'];
  if (request.method === 'DELETE') {
    sessions.get(String(given))?.end();
    sessions.delete(String(given));
    response.writeHead(200).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const message = JSON.parse(body) as Message;
  const found = sessionFor(message, given === undefined ? undefined : String(given));
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [name, session] = found;
  const headers = message.method === 'initialize' ? { 'mcp-session-id': name } : {};
  if (message.id === undefined || message.method === undefined) {
    session.tell(message);
    response.writeHead(202, headers).end();
    return;
  }
  const streams = ['tools/call', 'subscriptions/listen'].includes(message.method);
  if (streams) response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  session.ask(message, (said, isAnswer) => {
    const text = JSON.stringify(said);
    if (streams) {
      response.write(`event: message\ndata: ${text}\n\n`);
      if (isAnswer) response.end();
    } else if (isAnswer)
      response
        .writeHead(statusOf(said, name), { ...headers, 'content-type': 'application/json' })
        .end(text);
  });
}

/** Returns the HTTP status of an answer. Errors have a status of their own since 2026-07-28. */
function statusOf({ error }: Message, session: string): number {
  if (error === undefined || session !== STATELESS) return 200;
  return error.code === -32601 ? 404 : 400;
}

process.once('exit', () => {
  for (const session of sessions.values()) session.end();
  rmSync(home, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => serveRequest(request, response, body));
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));

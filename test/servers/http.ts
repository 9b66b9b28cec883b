/**
 * Everything that the servers of all protocols share: they listen, record requests, keep a pace and
 * misbehave.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import {
  ANSWER,
  type Behaviour,
  type Behaviours,
  BehaviourTable,
  type StatusBehaviour,
  THINKING,
  type ToolCallingAnswer,
} from './behaviour.ts';
import { makeSchemaAnswer, type SchemaManner } from './schema.ts';
import { makeVariedText } from './varied.ts';

/** The number of recorded events at all servers of this process. */
let happened = 0;

/** Returns the number of the event that happens now. Of two events, the earlier has the smaller number. */
function nextPlace(): number {
  happened += 1;
  return happened;
}

/**
 * A request as the server saw it. The times are not clock times but numbers: of two events at any servers of
 * this process, the earlier has the smaller number.
 */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON; undefined if the request has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The model that the body names; empty if it names none. */
  readonly model: string;
  /** The client's port, which is the same for all requests over one connection. */
  readonly port: number;
  /** When the whole request had arrived. */
  readonly started: number;
  /**
   * When the first byte of a streamed answer was sent. Absent for errors and other answers that are no
   * stream.
   */
  answered?: number;
  /** When the connection was closed before the response was complete. */
  closedAt?: number;
  /** When the response was complete. */
  finished?: number;
  /** How many bytes of a streamed answer were written so far. */
  written: number;
}

/** How a test server answers, whatever API of model servers it speaks. */
export interface ServerOptions {
  /** The names of the models that the server has. Requests for other models get an error. */
  readonly models?: readonly string[];
  /** How many words are sent in a second; 0: without any pause. Default 0. */
  readonly tokensPerSecond?: number;
  /** The text of every answer, or a function that returns the text for a request. Default `ANSWER`. */
  readonly answer?: string | ((request: RecordedRequest) => string);
  /**
   * Returns the answer to a request that offers tools, given the results of earlier calls in this request.
   * With undefined, the request is answered as if it offered none.
   */
  readonly calls?: (
    request: RecordedRequest,
    results: readonly string[],
  ) => ToolCallingAnswer | undefined;
  /**
   * Returns the model that an answer names, since some servers have several models behind a name. By default
   * the answer names the model of the request.
   */
  readonly served?: (request: RecordedRequest) => unknown;
  /** The behaviours by model. By default every request is answered well. */
  readonly behaviours?: Readonly<Record<string, Behaviours>>;
  /** Returns a redirect with which any request is answered, or undefined to answer the request itself. */
  readonly redirect?: (
    request: RecordedRequest,
  ) => { readonly status: number; readonly location?: string } | undefined;
  /** When a model keeps to a schema, by model. Other models answer as if the request had no schema. */
  readonly schemas?: Readonly<Record<string, SchemaManner>>;
}

/** Returns the model that the answer to a request names. */
export function servedModelOf({ served }: ServerOptions, request: RecordedRequest): unknown {
  return served === undefined ? request.model : served(request);
}

/** A running server, with everything that was sent to it. */
export interface TestServer {
  /** `http://127.0.0.1:PORT`, for OLLAMA_HOST, ANTHROPIC_BASE_URL, or with `/v1` for OPENAI_BASE_URL. */
  readonly url: string;
  readonly models: readonly string[];
  /** All requests so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Returns the requests for answers so far, in order: of one model, or of all. */
  chats(model?: string): RecordedRequest[];
  /** Replaces the behaviours of a model from the next request on. */
  setBehaviour(model: string, behaviours: Behaviours): void;
  /**
   * Resolves with request number `count` for an answer, counted from 1, as soon as this request has arrived.
   */
  waitForChat(count?: number): Promise<RecordedRequest>;
  /** Stops listening and breaks off all answers. */
  shutDown(): Promise<void>;
  /** Listens again at the same address. */
  restart(): Promise<void>;
  /** Ends the server and breaks off all answers. */
  close(): Promise<void>;
}

/** Why an answer ends. `as` is the reason exactly as the server's API writes it; null: no reason is given. */
export type EndReason = 'stop' | 'length' | 'refusal' | { readonly as: string | null };

/**
 * A writer of one answer in the form of a model server's API, such as Ollama's. All methods return what the
 * server sends, except `offered`, which reads the request.
 */
export interface Speaker {
  readonly contentType: string;
  /** Returns the beginning of a stream. */
  opening(): string;
  /** Returns the record of a piece of the answer. */
  text(text: string): string;
  /** Returns the record of a piece of the thoughts. */
  thinking(text: string): string;
  /** Returns the records of calls of tools. */
  calls(calls: ToolCallingAnswer['calls']): string;
  /**
   * Returns the results of earlier tool calls that the request contains, in order; undefined if the request
   * offers no tools.
   */
  offered(): readonly string[] | undefined;
  /** The reason for the end of an answer that calls tools, as the API writes it. */
  readonly callsEnd: string;
  /** Returns the end of a stream, with its reason and the number of tokens of the answer. */
  closing(reason: EndReason, tokens: number): string;
  /** Returns the record of an error inside a stream. */
  errorEvent(message: string): string;
  /** Returns a record with the given text as its data, whatever the text is. */
  record(content: string): string;
  /**
   * Returns the body of an answer with an error status. `type` is the type of the error, for APIs that have
   * one.
   */
  errorBody(status: number, message: string, type: string | undefined): string;
  /** Returns the answer to a request for a model that does not exist. */
  noSuchModel(): { readonly status: number; readonly body: string };
}

/** The part of a test server that depends on the API which it speaks, such as Ollama's or OpenAI's. */
export interface ServerApi {
  /** The path of requests for answers. */
  readonly chatPath: string;
  /** Returns the writer of the answer to a request. */
  speaker(request: RecordedRequest): Speaker;
  /**
   * Answers a request to another path than `chatPath`. False: there is no such path, and nothing was sent.
   */
  other(request: RecordedRequest, response: ServerResponse): boolean | Promise<boolean>;
  /**
   * Returns the error for a request that the API does not allow; undefined if the request is allowed.
   */
  refuse?(request: RecordedRequest): { readonly status: number; readonly body: string } | undefined;
  /** Waits until the model may answer. Resolves with a function that is called when the answer has ended. */
  enter?(request: RecordedRequest, response: ServerResponse): Promise<() => void>;
}

/** Starts a server that speaks the API which `protocol` describes. The caller closes the server. */
export async function startServer(
  options: ServerOptions,
  protocol: ServerApi,
): Promise<TestServer> {
  const models = options.models ?? ['alpha', 'beta', 'gamma'];
  const behaviours = new BehaviourTable(options.behaviours);
  const requests: RecordedRequest[] = [];
  const waiting: { readonly count: number; readonly tell: (request: RecordedRequest) => void }[] =
    [];
  const listChats = (model?: string) =>
    requests.filter(
      (request) => request.path === protocol.chatPath && (!model || request.model === model),
    );

  const server = createServer((incoming, response) => {
    void handleRequest(incoming, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });

  async function handleRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await recordedFrom(incoming);
    requests.push(request);
    response.on('close', () => {
      if (!response.writableFinished) request.closedAt ??= nextPlace();
    });
    response.on('finish', () => {
      request.finished = nextPlace();
    });
    const redirect = options.redirect?.(request);
    if (redirect) {
      const { status, location } = redirect;
      response.writeHead(status, location === undefined ? {} : { location }).end('moved');
      return;
    }
    if (request.path !== protocol.chatPath) {
      if (!(await protocol.other(request, response))) sendJson(response, 404, '404 page not found');
      return;
    }
    for (const { count, tell } of waiting) {
      const chat = listChats()[count - 1];
      if (chat) tell(chat);
    }
    const refused = protocol.refuse?.(request);
    if (refused) {
      const { status, body } = refused;
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return;
    }
    const behaviour = models.includes(request.model)
      ? behaviours.next(request.model)
      : 'not-installed';
    const speaker = protocol.speaker(request);
    const early = await beforeTheAnswer(behaviour, speaker, request, response);
    if (early) return;
    const leave = await protocol.enter?.(request, response);
    try {
      await answerRequest(behaviour, speaker, request, response, options);
    } finally {
      leave?.();
    }
  }

  const listenAt = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const closeServer = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listenAt(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    models,
    requests,
    chats: listChats,
    setBehaviour: (model, next) => behaviours.set(model, next),
    waitForChat: (count = 1) =>
      new Promise((resolve) => {
        const there = listChats()[count - 1];
        if (there) resolve(there);
        else waiting.push({ count, tell: resolve });
      }),
    shutDown: closeServer,
    restart: () => listenAt(port),
    close: closeServer,
  };
}

/** Sends a body: a string as plain text, anything else as JSON. Returns true. */
export function sendJson(response: ServerResponse, status: number, body: unknown): true {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(text);
  return true;
}

async function recordedFrom(incoming: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const body = text ? (JSON.parse(text) as Record<string, unknown>) : undefined;
  return {
    method: incoming.method ?? '',
    path: new URL(incoming.url ?? '/', 'http://server').pathname,
    headers: incoming.headers,
    body,
    model: typeof body?.model === 'string' ? body.model : '',
    port: incoming.socket.remotePort ?? 0,
    started: nextPlace(),
    written: 0,
  };
}

/** Sends an answer that never becomes a stream. Returns whether the behavior was one of those. */
async function beforeTheAnswer(
  behaviour: Behaviour,
  speaker: Speaker,
  request: RecordedRequest,
  response: ServerResponse,
): Promise<boolean> {
  if (behaviour === 'not-installed') {
    const { status, body } = speaker.noSuchModel();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  } else if (behaviour === 'reset-at-once') {
    response.socket?.resetAndDestroy();
  } else if (behaviour === 'stall-before-headers') {
    await waitUntilClosed(response);
  } else if (behaviour === 'web-page') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Welcome</title><p>Sign in to the network</p>');
  } else if (typeof behaviour === 'object' && 'status' in behaviour) {
    refuse(behaviour, speaker, request, response);
  } else {
    return false;
  }
  return true;
}

function refuse(
  { status, retryAfter, retryAfterMs, message, type, body, location, echoKey }: StatusBehaviour,
  speaker: Speaker,
  request: RecordedRequest,
  response: ServerResponse,
): void {
  const key = request.headers['x-api-key'] ?? request.headers.authorization ?? '';
  const words = `${message ?? `status ${status}`}${echoKey ? `: ${String(key)}` : ''}`;
  const text = body ?? speaker.errorBody(status, words, type);
  response
    .writeHead(status, {
      'content-type': text.startsWith('<') ? 'text/html' : 'application/json',
      ...withoutUndefined({ 'retry-after': retryAfter, location, 'retry-after-ms': retryAfterMs }),
    })
    .end(text);
}

async function answerRequest(
  behaviour: Behaviour,
  speaker: Speaker,
  request: RecordedRequest,
  response: ServerResponse,
  options: ServerOptions,
): Promise<void> {
  const { answer: given = ANSWER, tokensPerSecond = 0 } = options;
  const results = speaker.offered();
  const wanted = results === undefined ? undefined : options.calls?.(request, results);
  if (behaviour === 'ok' && wanted !== undefined)
    return callTools(wanted, speaker, request, response);
  const text =
    makeSchemaAnswer(request.body, options.schemas?.[request.model]) ??
    (typeof given === 'function' ? given(request) : given);
  const inline = behaviour === 'inline-thinking' ? `<think>${THINKING}</think>\n\n` : '';
  const tokens = behaviour === 'empty' ? [] : (`${inline}${text}`.match(/\s*\S+/g) ?? []);
  const middle = Math.ceil(tokens.length * 0.4);
  const out = new Out(response, request, tokensPerSecond);
  response.writeHead(200, { 'content-type': speaker.contentType });
  if (behaviour === 'stall-after-headers') {
    response.flushHeaders();
    return waitUntilClosed(response);
  }

  if (typeof behaviour === 'object' && 'dripMs' in behaviour) {
    const all = [speaker.opening(), ...tokens.map((token) => speaker.text(token))].join('');
    for (const byte of Buffer.from(all + speaker.closing('stop', tokens.length))) {
      if (!(await out.bytes(Buffer.of(byte)))) return;
      await (behaviour.dripMs > 0 ? sleep(behaviour.dripMs) : turn());
    }
    response.end();
    return;
  }
  if (typeof behaviour === 'object' && 'records' in behaviour) {
    const { records, alone = false } = behaviour;
    await out.bytes(alone ? '' : speaker.opening() + speaker.text('said '));
    for (const record of records) await out.bytes(speaker.record(JSON.stringify(record)));
    await out.bytes(alone ? '' : speaker.closing('stop', 1));
    response.end();
    return;
  }
  if (!(await out.bytes(speaker.opening()))) return;
  if (behaviour === 'thinking' && request.body?.think !== false) {
    for (const token of THINKING.match(/\s*\S+/g) ?? []) {
      if (!(await out.token(speaker.thinking(token)))) return;
    }
  }
  const whole = [
    'ok',
    'thinking',
    'inline-thinking',
    'empty',
    'talks-on',
    'lingers',
    'duplicates',
    'endless',
  ].includes(String(behaviour));
  const half = ['malformed-line', 'json-primitive', 'invalid-utf8'].includes(String(behaviour));
  for (const [index, token] of tokens.entries()) {
    if (index === middle && half) await out.bytes(breakRecord(behaviour, speaker));
    if (index === middle && !whole && !half) break;
    if (!(await out.token(speaker.text(token)))) return;
    if (behaviour === 'duplicates' && !(await out.bytes(speaker.text(token)))) return;
  }
  if (typeof behaviour === 'object' && 'ends' in behaviour) {
    await out.bytes(speaker.closing({ as: behaviour.ends }, middle));
    response.end();
    return;
  }
  switch (behaviour) {
    case 'reset':
      await out.flushed();
      response.socket?.resetAndDestroy();
      return;
    case 'error-event':
      await out.bytes(speaker.errorEvent('the model runner has crashed'));
      break;
    case 'stall-mid-stream':
      return waitUntilClosed(response);
    case 'truncated-line':
      await out.bytes(speaker.text('the end of this line is missing').slice(0, -20));
      break;
    case 'long-line':
      await longLine(out, speaker);
      break;
    case 'max-tokens':
      await out.bytes(speaker.closing('length', middle));
      break;
    case 'refusal':
      await out.bytes(speaker.closing('refusal', middle));
      break;
    case 'no-end':
      break;
    case 'lingers':
      // Send everything up to the finish reason, without usage or end mark, and keep the connection
      // open.
      await out.bytes(speaker.closing('stop', tokens.length).split('\n\n', 1)[0] ?? '');
      await out.bytes('\n\n');
      return waitUntilClosed(response);
    case 'endless': {
      const makePiece = (from: number): string => speaker.text(makeVariedText(25, from));
      for (let from = 0; ; from += 2_500) {
        const pieces = Array.from({ length: 100 }, (_, index) => makePiece(from + index * 25)).join(
          '',
        );
        if (!(await out.bytes(pieces))) break;
        await turn();
      }
      return;
    }
    case 'talks-on':
      await out.bytes(speaker.closing('stop', tokens.length));
      while (await out.bytes(speaker.text(' and more'))) await sleep(20);
      return;
    default:
      await out.bytes(speaker.closing('stop', tokens.length));
  }
  response.end();
}

async function callTools(
  { calls, text = '', thinking = '' }: ToolCallingAnswer,
  speaker: Speaker,
  request: RecordedRequest,
  response: ServerResponse,
): Promise<void> {
  const out = new Out(response, request, 0);
  response.writeHead(200, { 'content-type': speaker.contentType });
  await out.bytes(speaker.opening());
  if (thinking !== '') await out.bytes(speaker.thinking(thinking));
  if (text !== '') await out.bytes(speaker.text(text));
  await out.bytes(speaker.calls(calls));
  await out.bytes(speaker.closing({ as: speaker.callsEnd }, 5));
  response.end();
}

function breakRecord(behaviour: Behaviour, speaker: Speaker): string | Buffer {
  if (behaviour === 'malformed-line') return speaker.record('{"this is": not JSON');
  if (behaviour === 'json-primitive') return speaker.record('42');
  const [before, after] = speaker.text('XX').split('XX');
  return Buffer.concat([
    Buffer.from(before ?? ''),
    Buffer.of(0xc3, 0x28),
    Buffer.from(after ?? ''),
  ]);
}

const MEGABYTE = 1024 * 1024;

async function longLine(out: Out, speaker: Speaker): Promise<void> {
  const [before, after] = speaker.text('XX').split('XX');
  const filling = Buffer.alloc(MEGABYTE, 'a');
  if (!(await out.bytes(before ?? ''))) return;
  for (let megabyte = 0; megabyte < 100; megabyte++) if (!(await out.bytes(filling))) return;
  await out.bytes(after ?? '');
}

const SHORTEST_PAUSE_MS = 10;

/** Writes at a given pace, with back-pressure, until the client is gone. */
class Out {
  private readonly response: ServerResponse;
  private readonly request: RecordedRequest;
  private readonly rate: number;
  /** Milliseconds of all pauses so far. */
  private paused = 0;
  private readonly closed: Promise<void>;
  private sent = 0;

  constructor(response: ServerResponse, request: RecordedRequest, rate: number) {
    this.response = response;
    this.request = request;
    this.rate = rate;
    this.closed = waitUntilClosed(response);
  }

  async token(text: string): Promise<boolean> {
    this.sent += 1;
    const due = this.rate > 0 ? (this.sent / this.rate) * 1000 : 0;
    // Each timer is late by about a millisecond, so few long pauses keep the pace better than many
    // short ones.
    if (due - this.paused >= SHORTEST_PAUSE_MS) {
      await sleep(due - this.paused);
      this.paused = due;
    }
    return this.bytes(text);
  }

  async bytes(bytes: string | Buffer): Promise<boolean> {
    if (this.gone()) return false;
    if (bytes.length === 0) return true;
    this.request.answered ??= nextPlace();
    this.request.written += Buffer.byteLength(bytes);
    if (!this.response.write(bytes)) {
      await Promise.race([
        new Promise((resolve) => this.response.once('drain', resolve)),
        this.closed,
      ]);
    }
    return !this.gone();
  }

  /** Waits 20 ms, by which time what was written has left this process. */
  flushed(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 20));
  }

  private gone(): boolean {
    return this.response.destroyed || this.response.closed;
  }
}

function waitUntilClosed(response: ServerResponse): Promise<void> {
  return response.closed
    ? Promise.resolve()
    : new Promise((resolve) => response.once('close', () => resolve()));
}

/**
 * A server that answers in batches as Anthropic or OpenAI do, and misbehaves as its options say. All other
 * requests go on to a server that answers them one by one, so that both servers can give equal answers to
 * equal requests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendJson, type TestServer } from './http.ts';

/** How the server answers when a batch is submitted. */
export type SubmitManner =
  | 'ok'
  /** The batch is accepted, and the request is never answered. */
  | 'late'
  /** The batch is accepted, and the request is answered with 500. */
  | 'accepted-500'
  /** The batch is not accepted, and the request is answered with 500. */
  | 'lost-500'
  /** The batch is not accepted, and the request is never answered. */
  | 'stall'
  | { readonly status: number; readonly message: string };

/** How the server answers one request of a batch. */
export type ResultManner =
  | 'ok'
  /** An error of the server, after which the request may be made again. */
  | 'errored'
  /** An error that says that the request is wrong. */
  | 'invalid'
  | 'expired'
  | 'canceled'
  /** The results have no line for the request. */
  | 'missing'
  /** The results have two lines for the request, and the second differs. */
  | 'twice'
  /** The line of the request is not JSON. */
  | 'garbage'
  /** The answer contains the key with which the batch was submitted. */
  | 'echoes-key';

/** One request of a batch. */
export interface BatchRequest {
  readonly id: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A batch that the server has accepted, or that `addForeignBatch` has added. */
export interface AcceptedBatch {
  readonly id: string;
  /** The number of the submit, from 1; of a foreign batch, a number from 5000. */
  readonly number: number;
  readonly requests: readonly BatchRequest[];
  readonly metadata: unknown;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** How often clients have asked for the batch's state. */
  looks: number;
  /** The header with the key with which the batch was submitted. */
  key: string;
}

/** How a server of batches behaves. */
export interface BatchOptions {
  /** The company whose API the server speaks. */
  readonly kind: 'anthropic' | 'openai';
  /** The server that answers all requests that have nothing to do with batches. */
  readonly otherServer: TestServer;
  /** Returns the text that answers a request, given its body. */
  readonly answer: (body: Readonly<Record<string, unknown>>) => string;
  /** Returns how a submit is answered, by its number from 1. By default every batch is accepted. */
  readonly submit?: (number: number) => SubmitManner;
  /**
   * Returns how a request of a batch is answered, by its index from 0. By default every request gets its
   * answer.
   */
  readonly result?: (batch: AcceptedBatch, index: number) => ResultManner;
  /**
   * Returns how many of the first requests for a batch's state are told that the batch is unfinished. Infinity:
   * the batch never ends. Default 1.
   */
  readonly looks?: (batch: AcceptedBatch) => number;
  /** Returns why a batch fails as a whole; undefined if it does not. Only for `openai`. */
  readonly failureOf?: (batch: AcceptedBatch) => string | undefined;
  /** Whether the server answers 404 to every request about a single batch. */
  readonly forgets?: boolean;
  /** The number of batches on a page of the list. Default 2. */
  readonly page?: number;
}

/** A running server of batches. */
export interface BatchServer {
  readonly url: string;
  /** The accepted batches in order, without foreign ones. */
  readonly batches: readonly AcceptedBatch[];
  /** The method and path of each request that has to do with batches, in order: `POST /v1/batches`. */
  readonly asked: readonly string[];
  /** Resolves when `count` submits have arrived since the start. */
  waitForSubmits(count: number): Promise<void>;
  /** Resolves at the next request for the state of a batch. */
  waitForLook(): Promise<void>;
  /**
   * Adds a batch of somebody else to the list, with a number of requests and its time in milliseconds since
   * 1970.
   */
  addForeignBatch(requests: number, createdAt?: number): void;
  close(): Promise<void>;
}

const ANTHROPIC = '/v1/messages/batches';
const OPENAI = '/v1/batches';
const DAY_S = 86_400;

/** Starts a server of batches. The caller closes it. */
export async function startBatches(options: BatchOptions): Promise<BatchServer> {
  const made: AcceptedBatch[] = [];
  const others: AcceptedBatch[] = [];
  const files = new Map<string, string>();
  const asked: string[] = [];
  const waiting: { count: number; tell: () => void }[] = [];
  const lookers: (() => void)[] = [];
  let submits = 0;

  const listBatches = (): AcceptedBatch[] =>
    [...made, ...others].toSorted((left, right) => right.createdAt - left.createdAt);

  async function takeBatch(
    requests: readonly BatchRequest[],
    metadata: unknown,
    key: string,
    response: ServerResponse,
  ): Promise<void> {
    submits += 1;
    const number = submits;
    const manner = options.submit?.(number) ?? 'ok';
    const accepts = manner === 'ok' || manner === 'late' || manner === 'accepted-500';
    const id = `batch_${String(number).padStart(4, '0')}`;
    if (accepts)
      made.push({ id, number, requests, metadata, createdAt: Date.now(), looks: 0, key });
    for (const waiter of waiting) if (submits >= waiter.count) waiter.tell();
    if (manner === 'late' || manner === 'stall') return;
    if (typeof manner === 'object') refuse(response, manner.status, manner.message);
    else if (manner !== 'ok') refuse(response, 500, 'internal error');
    else sendJson(response, 200, describeBatch(made.at(-1) as AcceptedBatch));
  }

  const isOver = (batch: AcceptedBatch): boolean => batch.looks > (options.looks?.(batch) ?? 1);

  function describeBatch(batch: AcceptedBatch): object {
    const { id, requests, createdAt, metadata } = batch;
    const over = isOver(batch);
    const manners = requests.map((_one, index) => options.result?.(batch, index) ?? 'ok');
    if (options.kind === 'anthropic') {
      const countManners = (...kinds: ResultManner[]) =>
        over ? manners.filter((manner) => kinds.includes(manner)).length : 0;
      const [canceled, errored, expired] = [
        countManners('canceled'),
        countManners('errored', 'invalid'),
        countManners('expired'),
      ];
      const counts = { canceled, errored, expired };
      const rest = requests.length - canceled - errored - expired;
      return {
        id,
        type: 'message_batch',
        archived_at: null,
        cancel_initiated_at: null,
        processing_status: over ? 'ended' : 'in_progress',
        request_counts: { ...counts, succeeded: over ? rest : 0, processing: over ? 0 : rest },
        created_at: new Date(createdAt).toISOString(),
        ended_at: over ? new Date().toISOString() : null,
        expires_at: new Date(createdAt + DAY_S * 1000).toISOString(),
        results_url: over ? `https://example.invalid${ANTHROPIC}/${id}/results` : null,
      };
    }
    const why = options.failureOf?.(batch);
    const bad = manners.filter((manner) =>
      ['errored', 'invalid', 'expired'].includes(manner),
    ).length;
    const status = manners.includes('expired') ? 'expired' : 'completed';
    return {
      id,
      object: 'batch',
      endpoint: requests[0]?.path,
      completion_window: '24h',
      created_at: Math.floor(createdAt / 1000),
      metadata,
      input_file_id: `file_of_${id}`,
      status: !over ? 'in_progress' : why === undefined ? status : 'failed',
      ...(over && why !== undefined
        ? { errors: { object: 'list', data: [{ code: 'refused', message: why, line: 1 }] } }
        : {}),
      ...(over && why === undefined && bad < requests.length
        ? { output_file_id: `out_${id}` }
        : {}),
      ...(over && why === undefined && bad > 0 ? { error_file_id: `err_${id}` } : {}),
      request_counts: {
        total: requests.length,
        completed: over ? requests.length - bad : 0,
        failed: over ? bad : 0,
      },
    };
  }

  /** Returns the results of a batch in reverse order, since their order has no meaning. */
  function makeRows(batch: AcceptedBatch): { id: string; manner: ResultManner; body: object }[] {
    return batch.requests
      .map(({ id, path, body }, index) => {
        const manner = options.result?.(batch, index) ?? 'ok';
        const text = options.answer(body);
        const said = manner === 'echoes-key' ? `${text}\nIt was asked with ${batch.key}.` : text;
        const make =
          options.kind === 'anthropic'
            ? makeMessage
            : path.endsWith('responses')
              ? makeResponse
              : makeCompletion;
        return { id, manner, body: make(body, said) };
      })
      .toReversed();
  }

  function anthropicLines(batch: AcceptedBatch): string {
    const formatLine = (custom_id: string, result: object) =>
      `${JSON.stringify({ custom_id, result })}\n`;
    const makeFailure = (type: string, text: string) => ({
      type: 'errored',
      error: { type: 'error', error: { type, message: text }, request_id: 'req_1' },
    });
    return makeRows(batch)
      .map(({ id, manner, body }) => {
        switch (manner) {
          case 'missing':
            return '';
          case 'garbage':
            return `{"custom_id": "${id}", "res\n`;
          case 'errored':
            return formatLine(id, makeFailure('api_error', 'it broke'));
          case 'invalid':
            return formatLine(id, makeFailure('invalid_request_error', 'no such thing'));
          case 'expired':
          case 'canceled':
            return formatLine(id, { type: manner });
          case 'twice':
            return (
              formatLine(id, { type: 'succeeded', message: body }) +
              formatLine(id, { type: 'succeeded', message: makeMessage({}, 'ANSWER: nonsense') })
            );
          default:
            return formatLine(id, { type: 'succeeded', message: body });
        }
      })
      .join('');
  }

  function openaiLines(batch: AcceptedBatch, wanted: 'out' | 'err'): string {
    const formatLine = (custom_id: string, response: object | null, error: object | null) =>
      `${JSON.stringify({ id: `row_${custom_id}`, custom_id, response, error })}\n`;
    return makeRows(batch)
      .map(({ id, manner, body }) => {
        const isError = manner === 'errored' || manner === 'invalid' || manner === 'expired';
        if (isError !== (wanted === 'err') || manner === 'missing') return '';
        const formatFailure = (status_code: number, text: string) =>
          formatLine(
            id,
            { status_code, request_id: 'r', body: { error: { message: text } } },
            null,
          );
        switch (manner) {
          case 'garbage':
            return `{"custom_id": "${id}", "res\n`;
          case 'errored':
            return formatFailure(500, 'it broke');
          case 'invalid':
            return formatFailure(400, 'no such thing');
          case 'expired':
            return formatLine(id, null, {
              code: 'batch_expired',
              message: 'This request could not be executed before the completion window expired.',
            });
          case 'canceled':
            return formatLine(id, null, { code: 'batch_cancelled', message: 'It was cancelled.' });
          case 'twice':
            return (
              formatLine(id, { status_code: 200, request_id: 'r', body }, null) +
              formatLine(id, { status_code: 500, request_id: 'r', body: {} }, null)
            );
          default:
            return formatLine(id, { status_code: 200, request_id: 'r', body }, null);
        }
      })
      .join('');
  }

  function sendList(url: URL, response: ServerResponse): void {
    const after = url.searchParams.get('after_id') ?? url.searchParams.get('after');
    const listed = listBatches();
    const from = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
    const page = listed.slice(from, from + (options.page ?? 2));
    sendJson(response, 200, {
      object: 'list',
      data: page.map(describeBatch),
      has_more: from + page.length < listed.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    });
  }

  async function handleRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const url = new URL(incoming.url ?? '/', 'http://server');
    const { pathname: path } = url;
    const method = incoming.method ?? '';
    const key = String(incoming.headers['x-api-key'] ?? incoming.headers.authorization ?? '');
    const isOurs =
      path.startsWith(ANTHROPIC) || path.startsWith(OPENAI) || /^\/v1\/files/.test(path);
    if (!isOurs) return passOn(options.otherServer.url, incoming, bytes, response);
    asked.push(`${method} ${path}`);
    if (path === ANTHROPIC && method === 'POST') {
      const { requests } = JSON.parse(bytes.toString('utf8')) as {
        requests: { custom_id: string; params: Record<string, unknown> }[];
      };
      return takeBatch(
        requests.map(({ custom_id: id, params: body }) => ({ id, body, path: '/v1/messages' })),
        undefined,
        key,
        response,
      );
    }
    if (path === '/v1/files' && method === 'POST') {
      const type = incoming.headers['content-type'] ?? '';
      const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
      if (form.get('purpose') !== 'batch') return refuse(response, 400, 'what for?');
      const id = `file_${files.size + 1}`;
      files.set(id, await (form.get('file') as File).text());
      sendJson(response, 200, { id, object: 'file', purpose: 'batch', bytes: bytes.length });
      return;
    }
    if (path === OPENAI && method === 'POST') {
      const {
        input_file_id: file,
        endpoint,
        metadata,
      } = JSON.parse(bytes.toString('utf8')) as {
        [name: string]: string;
      };
      const rows = (files.get(file ?? '') ?? '').split('\n').filter((row) => row !== '');
      const requests = rows.map((row) => {
        const {
          custom_id,
          url: to,
          body,
        } = JSON.parse(row) as {
          custom_id: string;
          url: string;
          body: Record<string, unknown>;
        };
        return { id: custom_id, path: to, body };
      });
      if (requests.some((request) => request.path !== endpoint))
        return refuse(response, 400, 'elsewhere');
      return takeBatch(requests, metadata, key, response);
    }
    if (path === ANTHROPIC || path === OPENAI) return sendList(url, response);
    const content = /^\/v1\/files\/(out|err)_(batch_\w+)\/content$/.exec(path);
    const [, of = '', results] =
      /^(?:\/v1\/messages\/batches|\/v1\/batches)\/(\w+)(\/results)?$/.exec(path) ?? [];
    const batch = listBatches().find(({ id }) => id === (content?.[2] ?? of));
    if (batch === undefined || options.forgets === true)
      return refuse(response, 404, 'no such batch');
    if (content !== null) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.end(openaiLines(batch, content[1] as 'out'));
    } else if (results !== undefined) {
      if (!isOver(batch)) return refuse(response, 404, 'no results yet');
      response.writeHead(200, { 'content-type': 'application/x-jsonl' });
      response.end(anthropicLines(batch));
    } else {
      batch.looks += 1;
      for (const tell of lookers.splice(0)) tell();
      sendJson(response, 200, describeBatch(batch));
    }
  }

  const server = createServer((incoming, response) => {
    void handleRequest(incoming, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    batches: made,
    asked,
    waitForSubmits: (count) =>
      submits >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, tell: resolve })),
    waitForLook: () => new Promise((resolve) => lookers.push(resolve)),
    addForeignBatch: (requests, createdAt = Date.now()) => {
      const number = 5000 + others.length;
      others.push({
        id: `batch_${number}`,
        number,
        metadata: {},
        createdAt,
        looks: 0,
        key: '',
        requests: Array.from({ length: requests }, (_one, index) => ({
          id: `theirs-${number}-${index}`,
          path: '/v1/messages',
          body: {},
        })),
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { type: 'error', error: { type: 'error', message } });
}

async function passOn(
  to: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { host: _host, 'content-length': _length, connection: _connection, ...rest } = headers;
  const reply = await fetch(`${to}${url}`, {
    method,
    headers: rest as Record<string, string>,
    ...(bytes.length === 0 ? {} : { body: bytes }),
  });
  const type = reply.headers.get('content-type') ?? 'text/plain';
  response.writeHead(reply.status, { 'content-type': type });
  response.end(Buffer.from(await reply.arrayBuffer()));
}

/** Counts tokens like the servers that answer requests one by one. */
function tokensOf(text: string): number {
  return (text.match(/\s*\S+/g) ?? []).length;
}

function sizeOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value ?? '').length / 4);
}

function makeMessage(body: Readonly<Record<string, unknown>>, text: string): object {
  return {
    id: 'msg_test',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: sizeOf([body.system, body.messages]),
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: tokensOf(text),
    },
  };
}

function makeCompletion(body: Readonly<Record<string, unknown>>, content: string): object {
  const prompt = sizeOf(body.messages);
  const tokens = tokensOf(content);
  return {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: tokens,
      total_tokens: prompt + tokens,
      prompt_tokens_details: { cached_tokens: 7 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
  };
}

function makeResponse(body: Readonly<Record<string, unknown>>, text: string): object {
  const prompt = sizeOf(body.input);
  const tokens = tokensOf(text);
  return {
    id: 'resp_test',
    object: 'response',
    created_at: 1,
    model: body.model,
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [
      { type: 'reasoning', id: 'rs_0', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: 7, cache_write_tokens: 5 },
      output_tokens: tokens,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: prompt + tokens,
    },
  };
}

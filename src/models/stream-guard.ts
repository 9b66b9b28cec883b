/**
 * A `fetch` for one request, passed to provider libraries instead of the global one. It adds what they
 * lack: an abort that works before and after the headers, limits on silence and size, checks of UTF-8 and
 * records, errors inside a stream that began with HTTP 200, and an end mark without which an answer is not
 * complete.
 *
 * Libraries wrap and rename errors that pass through them. So the guard stores its own verdict in
 * `failure`, which callers check first.
 */
import { parseRecord } from '../text/json.ts';
import type { Send } from './batch/batches.ts';
import {
  clipLine,
  cutFailure,
  type Failure,
  idleFailure,
  malformedFailure,
  networkFailure,
  ProviderFailure,
  type ServerDescription,
} from './failure.ts';
import { type Frame, type Framer, FramingError, NdjsonFramer, SseFramer } from './framing.ts';
import { IdleWatch } from './idle.ts';
import { type ErrorReply, httpFailure, notAStreamFailure } from './network/error-reply.ts';
import { toProxyFailure } from './network/proxy-failure.ts';
import { type Route, routeTo } from './network/route.ts';
import { fetchWithinOrigin } from './redirects.ts';

/** Whether the stream of an answer continues or ends after a record. A `Failure` ends the stream. */
export type Judgement =
  /** The record does not end the answer. */
  | 'more'
  /** The answer is complete, though more records may follow, such as usage. */
  | 'complete'
  /** The last record: later ones are not part of the answer. */
  | 'end'
  | Failure;

/** A parsed record of the stream in which a provider sends an answer. */
export type Entry = Readonly<Record<string, unknown>>;

/** The format of a provider's stream. */
export interface Wire {
  /** How the stream is split into records. */
  readonly framing: 'ndjson' | 'sse';
  /** Returns what a record means for the stream. */
  judge(record: Entry): Judgement;
  /**
   * Returns the text that the provider's library reads in place of a record; empty: nothing. The library
   * would otherwise drop text or end early at servers that use fields or event names differently.
   * `data` is the record as JSON on one line, `raw` the record as received. Absent: `raw` is read.
   */
  rewrite?(record: Entry, data: string, raw: string): string;
  /**
   * Returns the records of an answer that came as one document in place of a stream; undefined if
   * the document is no answer.
   */
  unfold?(document: Entry): readonly Entry[] | undefined;
}

interface GuardOptions {
  readonly about: ServerDescription;
  readonly model: string;
  /** Absent if the response is one JSON document. */
  readonly wire?: Wire | undefined;
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly keepAlive?: (() => Promise<boolean>) | undefined;
  readonly onBytes?: (() => void) | undefined;
  /** Whether the caller reads the response itself, in pieces. */
  readonly isFile?: boolean | undefined;
  /** Replaces the network for requests with a text body. */
  readonly send?: Send | undefined;
}

/** The most bytes that are read of an error body. */
const MAX_ERROR_BODY = 64 * 1024;
/**
 * The largest document in bytes, such as a list of models; the largest known are some hundred kilobytes.
 */
const MAX_DOCUMENT = 16 * 1024 * 1024;
/**
 * The largest stream in bytes; the longest answers (128k tokens) are below 50 MB with all their framing.
 */
const MAX_STREAM = 256 * 1024 * 1024;
/**
 * Milliseconds for the server to end the response after the last record, so that the connection can be
 * reused.
 */
const DRAIN_MS = 200;
/** Milliseconds to wait for more records after a complete answer, if the protocol has no last record. */
const LINGER_MS = 2_000;

/** Watches the response of one request and ends it if it fails. */
export class StreamGuard {
  /** Why the request failed, if the guard noticed it. */
  failure: Failure | undefined;
  /** Sends the watched request, for a provider's library to call. */
  readonly fetch: typeof globalThis.fetch;

  private readonly options: GuardOptions;
  private readonly stopper = new AbortController();
  private readonly encoder = new TextEncoder();
  private idle: IdleWatch | undefined;
  private complete = false;
  /** Whether the response was read to its end, so that it needs no abort. */
  private over = false;
  private received = 0;
  /** Notes on the answer, for a person. */
  notes: readonly string[] = [];

  constructor(options: GuardOptions) {
    this.options = options;
    this.fetch = (input, init) => this.request(input, init);
  }

  /** Ends the request if it is still open. Must be called however the call ended. */
  close(): void {
    this.idle?.stop();
    if (!this.over) this.stopper.abort();
  }

  private async request(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { about, model, signal, idleMs, keepAlive, wire, send } = this.options;
    const signals = [signal, this.stopper.signal, ...(init?.signal ? [init.signal] : [])];
    const either = AbortSignal.any(signals);
    this.idle = new IdleWatch(
      idleMs,
      (idles) => this.fail(idleFailure(about, model, idleMs, idles)),
      keepAlive,
    );
    let response: Response;
    let route: Route | undefined;
    try {
      const patient = { ...init, signal: either };
      const address = input instanceof Request ? input.url : String(input);
      route = await routeTo(about.name, address, about.network ?? {});
      response =
        send !== undefined && typeof init?.body === 'string'
          ? await send(address, init.body, either)
          : await fetchWithinOrigin(about, route.fetch, input, patient, () => this.idle?.restart());
    } catch (error) {
      this.idle.stop();
      if (error instanceof ProviderFailure) throw this.fail(error.failure);
      if (either.aborted) throw error;
      const failure = networkFailure(about, error);
      throw this.fail(route?.proxy ? toProxyFailure(failure, about, route.proxy) : failure);
    }
    this.idle.restart();
    if (!response.ok) {
      const body = await this.document(response, MAX_ERROR_BODY, 'cut');
      throw this.fail(httpFailure(about, model, replyOf(response, body)));
    }
    if (this.options.isFile === true) {
      this.idle.stop();
      return response;
    }
    if (!wire) {
      return copyOf(response, await this.document(response, MAX_DOCUMENT, 'refuse'));
    }
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/html/i.test(type) || (wire.framing === 'sse' && /^application\/json/i.test(type))) {
      const body = await this.document(response, MAX_DOCUMENT, 'cut');
      const records = recordsIn(wire, body);
      if (records === undefined) throw this.fail(notAStreamFailure(about, model, body));
      this.notes = [`${about.name} sent the answer in one piece instead of a stream`];
      const text = records.map((record) => `data: ${JSON.stringify(record)}\n\n`).join('');
      const stream = new Response(`${text}data: [DONE]\n\n`);
      return stream.body ? copyOf(response, this.guarded(stream.body, wire)) : stream;
    }
    if (!response.body) throw this.fail(this.interrupted());
    return copyOf(response, this.guarded(response.body, wire));
  }

  /** Stores the first failure and ends the request. */
  private fail(failure: Failure): ProviderFailure {
    this.failure ??= failure;
    this.idle?.stop();
    const error = new ProviderFailure(this.failure);
    this.stopper.abort(error);
    return error;
  }

  /** Returns the body. If the connection breaks or the body is too long, `cut` keeps its beginning, `refuse` fails. */
  private async document(
    response: Response,
    limit: number,
    over: 'cut' | 'refuse',
  ): Promise<string> {
    const { about } = this.options;
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const part of response.body ?? []) {
        this.idle?.touch();
        parts.push(part);
        length += part.length;
        if (length > limit) break;
      }
    } catch (error) {
      if (over === 'refuse' || this.aborted())
        throw this.aborted() ? error : this.fail(cutFailure(about, error));
    }
    this.idle?.stop();
    if (length > limit && over === 'refuse') {
      throw this.fail(malformedFailure(about, 'the reply is longer than 16 MB', false));
    }
    this.over = length <= limit;
    return Buffer.concat(parts, length).subarray(0, limit).toString('utf8');
  }

  private guarded(body: ReadableStream<Uint8Array>, wire: Wire): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const framer: Framer = wire.framing === 'ndjson' ? new NdjsonFramer() : new SseFramer();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (out) => {
          try {
            // The stream calls `pull` only once per read, so this call has to pass something on.
            while (!(await this.step(reader, framer, wire, out)));
          } catch (error) {
            out.error(error);
            this.idle?.stop();
          }
        },
        cancel: async () => {
          this.idle?.stop();
          await reader.cancel();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Reads one chunk. Returns whether something was passed on or the stream is over. */
  private async step(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    framer: Framer,
    wire: Wire,
    out: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<boolean> {
    if (this.failure) throw new ProviderFailure(this.failure);
    let chunk: Uint8Array | undefined;
    try {
      chunk = (await reader.read()).value;
    } catch (error) {
      if (!this.complete) {
        throw this.aborted() ? error : this.fail(cutFailure(this.options.about, error));
      }
    }
    let given = false;
    try {
      for (const frame of this.cutFrames(framer, chunk)) {
        const { judgement, raw } = this.judged(frame, wire);
        if (typeof judgement === 'object') throw new ProviderFailure(judgement);
        if (judgement !== 'more') this.completed();
        if (raw !== '') out.enqueue(this.encoder.encode(raw));
        given ||= raw !== '';
        if (judgement !== 'end') continue;
        this.end(out);
        if (chunk) void drainResponse(reader);
        return true;
      }
    } catch (error) {
      const failed = this.fail(this.failureOf(error));
      // A stream that reports an error loses all text that is not read yet. So if a part of this chunk was
      // passed on, report the error only when more is read.
      if (given) return true;
      throw failed;
    }
    if (chunk) return given;
    if (!this.complete) throw this.fail(this.interrupted());
    this.end(out);
    return true;
  }

  /** Waits only a short time for more records: only usage may follow a complete answer. */
  private completed(): void {
    if (this.complete) return;
    this.complete = true;
    this.idle?.stop();
    this.idle = new IdleWatch(LINGER_MS, () => this.stopper.abort());
  }

  private end(out: ReadableStreamDefaultController<Uint8Array>): void {
    this.over = true;
    this.idle?.stop();
    out.close();
  }

  /** Returns the records in a chunk; without a chunk, the rest at the end. @throws FramingError */
  private *cutFrames(framer: Framer, chunk: Uint8Array | undefined): Generator<Frame> {
    if (!chunk) {
      const rest = framer.rest();
      if (rest) yield rest;
      return;
    }
    this.idle?.touch();
    this.options.onBytes?.();
    this.received += chunk.length;
    if (this.received > MAX_STREAM) throw new FramingError('too-long');
    yield* framer.push(chunk);
  }

  private failureOf(error: unknown): Failure {
    if (error instanceof ProviderFailure) return error.failure;
    if (!(error instanceof FramingError)) throw error;
    const { about } = this.options;
    // Invalid UTF-8 may be an error of transmission, so the request is retried. A stream or line that is too
    // long is likely to come again, so the request is not retried.
    if (error.problem === 'not-utf8') {
      return malformedFailure(about, 'the stream is not valid UTF-8', true);
    }
    const what = this.received > MAX_STREAM ? 'is longer than 256 MB' : 'has a line over 8 MB';
    return malformedFailure(about, `the stream ${what}`, false);
  }

  /** Judges a record, and returns the text for the library. */
  private judged({ raw, data }: Frame, wire: Wire): { judgement: Judgement; raw: string } {
    if (data === '') return { judgement: 'more', raw };
    if (wire.framing === 'sse' && data === '[DONE]') {
      return { judgement: this.complete ? 'end' : 'more', raw };
    }
    const record = parseRecord(data);
    if (record !== undefined) {
      // `rewrite` gets the JSON in one line, since a `data:` field ends with its line. In JSON, line breaks stand
      // only between tokens, so spaces can replace them.
      const rewritten = wire.rewrite?.(record, data.replaceAll('\n', ' '), raw) ?? raw;
      return { judgement: wire.judge(record), raw: rewritten };
    }
    const words = `the stream has a line that is not a JSON object: ${clipLine(data, 60)}`;
    return { judgement: malformedFailure(this.options.about, words, true), raw };
  }

  private interrupted(): Failure {
    return {
      code: 'interrupted',
      message: `${this.options.about.name}: the stream ended before the answer was complete`,
      next: 'Try again',
      retry: true,
    };
  }

  private aborted(): boolean {
    return this.options.signal.aborted || this.stopper.signal.aborted;
  }
}

/** Returns the records of a document that is a complete answer. */
function recordsIn(wire: Wire, body: string): readonly Entry[] | undefined {
  const document = parseRecord(body);
  return document && wire.unfold?.(document);
}

function replyOf(response: Response, body: string): ErrorReply {
  const { status, statusText, headers } = response;
  return { status, statusText, headers, body };
}

function copyOf(response: Response, body: string | ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** Reads the response to its end for a short time, so that the connection can be reused. */
async function drainResponse(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel(), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch (error) {
    // The answer is complete, so an error at the end of the connection does not matter.
    if (!(error instanceof Error)) throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls `question`, which sends a request whose response is one document, and watches the response as
 * `StreamGuard` watches a stream. Returns what `question` returns.
 * @param question must send the request by the `fetch` that it gets
 * @throws ProviderFailure if the guard noticed a failure; otherwise what `question` throws
 */
export async function guardRequest<T>(
  options: Omit<GuardOptions, 'wire'>,
  question: (fetch: typeof globalThis.fetch) => Promise<T>,
): Promise<T> {
  const guard = new StreamGuard(options);
  try {
    return await question(guard.fetch);
  } catch (error) {
    throw guard.failure ? new ProviderFailure(guard.failure) : error;
  } finally {
    guard.close();
  }
}

/** Resolves when `signal` is aborted. For racing against a promise that cannot be aborted. */
export function untilAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
}

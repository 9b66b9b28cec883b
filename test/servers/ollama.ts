/** A server that speaks Ollama's native API, down to how it loads and drops models. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { ToolCallingAnswer } from './behaviour.ts';
import { answerEmbeddings, type EmbeddingOptions } from './embeddings.ts';
import {
  type EndReason,
  type RecordedRequest,
  type ServerOptions,
  type Speaker,
  sendJson,
  startServer,
  type TestServer,
} from './http.ts';

/** How an Ollama server behaves. */
export interface OllamaOptions extends ServerOptions, EmbeddingOptions {
  /**
   * Whether the server holds only one model in memory. A call of another model waits until no call of the model
   * in memory is running, and then replaces that model.
   */
  readonly loadOneAtATime?: boolean;
  /** How many milliseconds a model takes to load. Default 0. */
  readonly loadMs?: number;
  /**
   * How many requests of one model are answered at once, like OLLAMA_NUM_PARALLEL; further ones wait. By
   * default there is no limit.
   */
  readonly parallel?: number;
  /** The window that `/api/show` reports for every model, in tokens. Default 32 768. */
  readonly contextLength?: number;
  /**
   * How many milliseconds after its last call a model expires, as `/api/ps` reports it. The model stays in
   * memory. Default 300 000.
   */
  readonly keepAliveMs?: number;
  /**
   * How `/api/ps` answers: `missing` is a 404, `empty` a list without models, `error` a 500, and `stall` no
   * answer.
   */
  readonly ps?: 'ok' | 'missing' | 'empty' | 'error' | 'stall';
  /** How `/api/show` answers: `missing` is a 404, and `error` a 500. */
  readonly show?: 'ok' | 'missing' | 'error';
  /** The largest number of prompt tokens that the server reports as read. By default it reports all. */
  readonly readsAtMost?: number;
  /**
   * Fields that replace those of the last record of an answer: the first entry is for the first answer, and
   * so on. Answers after the last entry are not changed.
   */
  readonly closingFields?: readonly Readonly<Record<string, unknown>>[];
  /**
   * For how many milliseconds a call whose client has left still counts as running, so that others wait for
   * it. Default 0.
   */
  readonly deafMs?: number;
  /** Whether `/api/show` says that the models can call tools. Default no. */
  readonly takesTools?: boolean;
  /**
   * What `/api/show` says about thinking. By default, it says only that the models can think. With an object,
   * its answer also has this object as `thinking`. With `false`, it says that the models cannot think.
   */
  readonly thinking?: { readonly values: readonly unknown[] } | false;
  /**
   * The other server on which the models run, as `/api/tags` and `/api/show` say. By default they name none.
   */
  readonly remoteHost?: string;
  /**
   * The window, in tokens, with which `/api/ps` says that models are loaded, whatever a request asked for.
   */
  readonly loadedContext?: number;
  /**
   * A letter from which the digest of every model is made. Another letter makes other models of the same
   * names.
   */
  readonly edition?: string;
}

/** A running Ollama server. */
export interface OllamaServer extends TestServer {
  /** Returns the names of the models in memory. */
  loaded(): string[];
  /** Returns how often a model was loaded since the start. */
  loads(): number;
}

/** Starts an Ollama server. The caller closes it. */
export async function startOllama(options: OllamaOptions = {}): Promise<OllamaServer> {
  const memory = new Memory(options);
  const { ps = 'ok', show = 'ok', contextLength = 32_768 } = options;
  const models = options.models ?? ['alpha', 'beta', 'gamma'];
  const closes = [...(options.closingFields ?? [])];

  const answerOther = async (
    request: RecordedRequest,
    response: ServerResponse,
  ): Promise<boolean> => {
    switch (request.path) {
      case '/api/version':
        return sendJson(response, 200, { version: '0.12.0' });
      case '/api/embed':
        if (!models.includes(request.model))
          return sendJson(response, 404, noSuchModel(request.model));
        return answerEmbeddings(options, request, response, (embeddings) => ({
          model: request.model,
          embeddings,
        }));
      case '/api/tags':
        return sendJson(response, 200, {
          models: models.map((model) => ({
            ...describeModel(model, options.edition),
            ...withoutUndefined({ remote_host: options.remoteHost }),
          })),
        });
      case '/api/show': {
        if (show === 'missing') return false;
        if (show === 'error') return sendJson(response, 500, { error: 'cannot read the manifest' });
        if (!models.includes(request.model))
          return sendJson(response, 404, noSuchModel(request.model));
        return sendJson(response, 200, {
          details: describeModel(request.model).details,
          model_info: { 'general.architecture': 'test', 'test.context_length': contextLength },
          capabilities: [
            /embed/.test(request.model) ? 'embedding' : 'completion',
            ...(options.takesTools === true ? ['tools'] : []),
            ...(options.thinking === false ? [] : ['thinking']),
          ],
          ...(options.thinking ? { thinking: options.thinking } : {}),
          ...withoutUndefined({ remote_host: options.remoteHost }),
        });
      }
      case '/api/ps': {
        if (ps === 'missing') return false;
        if (ps === 'error') return sendJson(response, 500, { error: 'out of order' });
        if (ps === 'stall')
          return new Promise((resolve) => response.once('close', () => resolve(true)));
        const listed = ps === 'empty' ? [] : memory.listed();
        return sendJson(response, 200, {
          models: listed.map(({ model, expiresAt }) => ({
            ...describeModel(addTag(model)),
            expires_at: new Date(expiresAt).toISOString(),
            size_vram: 1,
            ...withoutUndefined({ context_length: options.loadedContext }),
          })),
        });
      }
      default:
        return false;
    }
  };

  const server = await startServer(
    { ...options, models },
    {
      chatPath: '/api/chat',
      speaker: (request) => new OllamaSpeaker(request, options.readsAtMost, closes),
      other: answerOther,
      enter: async (request, response) => {
        const leave = await memory.enter(request.model, response);
        return () => {
          if (response.writableFinished) leave();
          else setTimeout(leave, options.deafMs ?? 0);
        };
      },
    },
  );
  return {
    ...server,
    loaded: () => memory.listed().map(({ model }) => model),
    loads: () => memory.loads,
  };
}

/** Adds the tag to a model's name, as `/api/ps` does. */
function addTag(model: string): string {
  return model.includes(':') ? model : `${model}:latest`;
}

function describeModel(model: string, edition = 'd') {
  return {
    name: model,
    model,
    size: 4_700_000_000,
    digest: edition.repeat(12),
    details: { family: 'test', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
  };
}

function noSuchModel(model: string) {
  return { error: `model '${model}' not found` };
}

class Memory {
  loads = 0;
  private readonly options: OllamaOptions;
  private readonly resident = new Map<string, { active: number; expiresAt: number }>();
  private readonly queue: (() => void)[] = [];
  private loading = Promise.resolve();

  constructor(options: OllamaOptions) {
    this.options = options;
  }

  listed(): { model: string; expiresAt: number }[] {
    return [...this.resident].map(([model, { expiresAt }]) => ({ model, expiresAt }));
  }

  async enter(model: string, response: ServerResponse): Promise<() => void> {
    // A request waits until the server can run its model, or until its client disconnects.
    while (!response.destroyed && !this.fits(model)) {
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
        response.once('close', () => resolve());
      });
    }
    const { loadMs = 0, keepAliveMs = 300_000 } = this.options;
    const there = this.resident.get(model);
    if (there) there.active += 1;
    else {
      if (this.options.loadOneAtATime) this.resident.clear();
      this.loads += 1;
      this.resident.set(model, { active: 1, expiresAt: Date.now() + keepAliveMs });
      this.loading = this.loading.then(() => sleep(loadMs));
    }
    await this.loading;
    return () => {
      const entry = this.resident.get(model);
      if (entry) {
        entry.active -= 1;
        entry.expiresAt = Date.now() + keepAliveMs;
      }
      for (const wake of this.queue.splice(0)) wake();
    };
  }

  private fits(model: string): boolean {
    const { loadOneAtATime = false, parallel = Number.POSITIVE_INFINITY } = this.options;
    const there = this.resident.get(model);
    if (there) return there.active < parallel;
    return !loadOneAtATime || [...this.resident.values()].every(({ active }) => active === 0);
  }
}

class OllamaSpeaker implements Speaker {
  readonly contentType = 'application/x-ndjson';
  private readonly request: RecordedRequest;
  private readonly readsAtMost: number;

  private readonly closes: Record<string, unknown>[];

  constructor(
    request: RecordedRequest,
    readsAtMost = Number.POSITIVE_INFINITY,
    closes: Record<string, unknown>[] = [],
  ) {
    this.request = request;
    this.readsAtMost = readsAtMost;
    this.closes = closes;
  }

  opening(): string {
    return '';
  }

  text(text: string): string {
    return this.line({ message: { role: 'assistant', content: text }, done: false });
  }

  thinking(text: string): string {
    return this.line({ message: { role: 'assistant', content: '', thinking: text }, done: false });
  }

  readonly callsEnd = 'stop';

  calls(calls: ToolCallingAnswer['calls']): string {
    // Send one line for each tool call, as some versions of Ollama do. Other versions send one line with all
    // tool calls.
    return calls
      .map((call) =>
        this.line({
          message: { role: 'assistant', content: '', tool_calls: [{ function: call }] },
          done: false,
        }),
      )
      .join('');
  }

  offered(): readonly string[] | undefined {
    if (this.request.body?.tools === undefined) return undefined;
    const messages = this.request.body.messages as { role: string; content: string }[];
    return messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  }

  closing(reason: EndReason, tokens: number): string {
    const prompt = Math.ceil(JSON.stringify(this.request.body?.messages ?? '').length / 4);
    const given = typeof reason === 'object' ? reason.as : reason === 'length' ? reason : 'stop';
    return this.line({
      message: { role: 'assistant', content: '' },
      done: true,
      ...(given === null ? {} : { done_reason: given }),
      total_duration: 1_000_000,
      load_duration: 1_000,
      prompt_eval_count: Math.min(prompt, this.readsAtMost),
      eval_count: tokens,
      ...this.closes.shift(),
    });
  }

  errorEvent(message: string): string {
    return `${JSON.stringify({ error: message })}\n`;
  }

  record(content: string): string {
    return `${content}\n`;
  }

  errorBody(_status: number, message: string): string {
    return JSON.stringify({ error: message });
  }

  noSuchModel() {
    return { status: 404, body: JSON.stringify(noSuchModel(this.request.model)) };
  }

  private line(fields: Record<string, unknown>): string {
    const created_at = '2026-01-01T00:00:00.000000Z';
    return `${JSON.stringify({ model: this.request.model, created_at, ...fields })}\n`;
  }
}

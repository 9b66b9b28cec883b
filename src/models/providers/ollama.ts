/**
 * Ollama, by its native API. Only this API can set the context size, without which Ollama cuts long prompts
 * silently.
 */
import type { ChatResponse, Ollama } from 'ollama';
import { NO_USAGE } from '../../kernel/model.ts';
import type { NamedServer } from '../../kernel/providers/servers.ts';
import { estimatePrompt } from '../../kernel/tokens.ts';
import type { ToolCall } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { readCount } from '../counted.ts';
import {
  clipLine,
  type Failure,
  malformedFailure,
  ProviderFailure,
  type ServerDescription,
  STOPPED,
} from '../failure.ts';
import { errorIn, isNoError } from '../network/error-reply.ts';
import type {
  Abilities,
  Attempt,
  AttemptContext,
  LoadedModel,
  ModelInfo,
  Provider,
  ProviderRequest,
} from '../provider.ts';
import {
  type Entry,
  guardRequest,
  type Judgement,
  StreamGuard,
  untilAborted,
  type Wire,
} from '../stream-guard.ts';
import { ServerMemory, type ToldModel } from '../told.ts';
import { FITS_ANYWHERE, pickSmallerLimit } from '../window.ts';
import { type Access, accessOf } from './access.ts';
import { type End, finishFailure } from './finish.ts';
import { callsIn, chatRequest } from './ollama-chat.ts';
import { cutNote, LEAST_CONTEXT, OllamaContexts } from './ollama-context.ts';
import { ollamaAccess } from './ollama-host.ts';
import { parseModelList, parseShow } from './ollama-told.ts';
import { isOffered } from './tool-calls.ts';

/** The time limit in milliseconds for questions about models, which a healthy server answers at once. */
const QUESTION_MS = 5_000;
const PS_MS = 1_500;
/** The number of models that a listing asks for their context window; the others are only listed. */
const DESCRIBED_MODELS = 24;

/** A model of which the server has reported nothing. */
const NOT_TOLD: ToldModel = {};

type Env = Readonly<Record<string, string | undefined>>;

/** Makes Ollama's provider from environment variables. */
export function ollamaProvider(env: Env): Provider {
  return new OllamaProvider(ollamaAccess(env));
}

/** Makes the provider of a named server that speaks Ollama's protocol. */
export function namedOllama(server: NamedServer, env: Env): Provider {
  return new OllamaProvider(accessOf(server, env));
}

class OllamaProvider implements Provider {
  readonly name: string;
  readonly endpoint: string;
  readonly fault: Failure | undefined;
  readonly queues = true;
  readonly ignoresBounds = true;

  private readonly access: Access;
  /** Whether the address is Ollama's cloud. */
  private readonly isCloud: boolean;
  private readonly about: ServerDescription;
  readonly memory = new ServerMemory();
  /** The answers to questions about models in this process. */
  private readonly asked = new Map<string, Promise<ToldModel | Failure>>();
  private editions: Promise<ReadonlyMap<string, string>> | undefined;
  private readonly contexts = new OllamaContexts();

  constructor(access: Access) {
    this.access = access;
    this.name = access.name;
    this.endpoint = access.endpoint;
    this.fault = access.fault;
    this.isCloud = /^https?:\/\/(?:[\w-]+\.)*ollama\.com(?:[:/]|$)/.test(this.endpoint);
    this.about = {
      name: this.name,
      endpoint: this.endpoint,
      variable: access.addressName,
      network: access.network,
      whenUnreachable: access.isNamed
        ? `Start it with: ollama serve, or check ${access.addressName}`
        : 'Start it with: ollama serve, or set OLLAMA_HOST',
      whenRefused: `Check ${access.keyName}`,
      whenNoModel: (model) => ({
        message: `${this.name}: model "${model}" is not installed`,
        next: `Try: ollama pull ${model}`,
      }),
    };
  }

  async stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt> {
    const notes: string[] = [];
    const makeFailedAttempt = (failure: Failure, usage = NO_USAGE): Attempt => ({
      ok: false,
      failure,
      usage,
      notes,
    });
    const estimate = estimatePrompt(request.system, request.messages, request.tools);
    // Before a request, `show` looks up the model's context window and effort levels. A request that fits every
    // model and sets no effort (`isShort`) does not wait for the lookup.
    const isShort =
      estimate < FITS_ANYWHERE &&
      request.effort === undefined &&
      (request.room ?? 0) <= LEAST_CONTEXT;
    const shown = isShort
      ? this.recall(request.model)
      : await Promise.race([this.show(request.model), untilAborted(context.signal)]);
    if (shown === undefined) return makeFailedAttempt(STOPPED);
    if ('code' in shown) return makeFailedAttempt(shown);
    const isUntold = this.memory.find(request.model) === undefined;
    const window =
      pickSmallerLimit(shown.window, request.window) ??
      (isShort && isUntold ? LEAST_CONTEXT : undefined);
    const numCtx = this.contexts.sizeFor(request, estimate, window);

    if (request.effort !== undefined && shown.efforts === undefined)
      notes.push(
        `${this.name} does not report the effort levels of this model: "${request.effort}" may have no effect`,
      );
    const guard = new StreamGuard({
      ...context,
      about: this.about,
      model: request.model,
      wire: this.wire(request.model),
    });
    let last: ChatResponse | undefined;
    let thought = '';
    const calls: ToolCall[] = [];
    try {
      const client = await this.client(guard.fetch);
      for await (const part of await client.chat(chatRequest(request, numCtx))) {
        const { content, thinking, tool_calls: called } = part.message ?? {};
        if (typeof thinking === 'string') {
          thought += thinking;
          context.onThinking(thinking);
        }
        if (isOffered(request)) calls.push(...callsIn(called, calls.length));
        if (typeof content === 'string') context.onText(content);
        if (part.done) last = part;
      }
    } catch (error) {
      if (error instanceof ProviderFailure) return makeFailedAttempt(error.failure);
      if (!guard.failure) throw error;
    } finally {
      guard.close();
    }
    // After the answer, wait for the description of a new model: it says where the model runs, and so the cost.
    if (this.memory.find(request.model) === undefined) await this.asked.get(request.model);
    const usage = {
      ...NO_USAGE,
      input: readCount(last?.prompt_eval_count),
      output: readCount(last?.eval_count),
    };
    if (guard.failure) return makeFailedAttempt(guard.failure, usage);
    const read = cutNote(this.name, usage.input, estimate, numCtx);
    if (read) notes.push(read);
    // A model continues its thinking only if it gets the thinking back with the tools' results.
    const asked =
      calls.length === 0
        ? {}
        : { calls, ...(thought === '' ? {} : { turn: { thinking: thought } }) };
    const reason: unknown = last?.done_reason;
    // Accept an answer without a reason for its end: Ollama may omit the reason, and versions before 0.1.38
    // always do.
    if (reason === undefined || reason === null || reason === '') {
      notes.push(`${this.name} did not say why the answer ended`);
      return { ok: true, usage, notes, ...asked };
    }
    const failure = finishFailure({
      name: this.name,
      reason: typeof reason === 'string' ? reason : JSON.stringify(reason),
      ends: ENDS,
      tokens: usage.output,
      shorten: 'Ask for a shorter answer, or give this seat a model with a larger context',
    });
    if (failure === undefined) return { ok: true, usage, notes, ...asked };
    // A short prompt is sent before the model's window is known. The server may have reported it meanwhile: read it
    // again to decide whether a retry can have a larger context.
    const known = pickSmallerLimit(this.memory.find(request.model)?.window, request.window);
    const hasGrown =
      failure.code === 'truncated' &&
      context.attempt === 1 &&
      this.contexts.grow(request.model, usage.input + usage.output, numCtx, known);
    return makeFailedAttempt(hasGrown ? { ...failure, retry: true } : failure, usage);
  }

  /** Lists the models that can play a seat; models for embeddings are left out. */
  async list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const reply: unknown = await this.ask(signal, QUESTION_MS, (client) => client.list());
    const models = parseModelList(reply);
    if (!models) throw new ProviderFailure(notOllamaFailure(this.about, undefined));
    const shown = await Promise.all(
      models.slice(0, DESCRIBED_MODELS).map(({ name }) => this.askAbout(name)),
    );
    return models.flatMap(({ name, size, details }, index) => {
      const about = shown[index];
      const { window, answers } = about && !('code' in about) ? about : NOT_TOLD;
      if (!(answers ?? !/embed/i.test(name))) return [];
      const { parameter_size, quantization_level } = isRecord(details) ? details : {};
      const note = [parameter_size, quantization_level]
        .filter((part) => typeof part === 'string')
        .join(' ');
      return {
        spec: `${this.name}/${name}`,
        sizeBytes: typeof size === 'number' ? size : undefined,
        contextWindow: window,
        note: note || undefined,
      };
    });
  }

  async window(model: string): Promise<number | undefined> {
    const shown = await this.show(model);
    return 'code' in shown ? undefined : shown.window;
  }

  async abilities(model: string, signal: AbortSignal): Promise<Abilities> {
    const shown = await Promise.race([this.show(model), untilAborted(signal)]);
    if (shown === undefined || 'code' in shown) return {};
    const { tools, efforts, remote } = shown;
    // Report that models in Ollama's cloud take no schema: the cloud accepts the field `format` but ignores it.
    return { tools, efforts, schema: remote !== undefined || this.isCloud ? false : undefined };
  }

  isRemote(model: string): boolean {
    const { remote } = this.memory.find(model) ?? NOT_TOLD;
    return this.isCloud || remote !== undefined || /[:-]cloud$/.test(model);
  }

  async version(signal: AbortSignal): Promise<string | undefined> {
    const reply: unknown = await this.ask(signal, QUESTION_MS, (client) => client.version());
    return isRecord(reply) && typeof reply.version === 'string' ? reply.version : undefined;
  }

  /** Returns the model's digest and the server's version: either may change the model's behaviour. */
  async edition(model: string): Promise<string | undefined> {
    // Give the request a signal of its own: all calls share the request, so the stop of one must not abort it.
    this.editions ??= this.readEditions(new AbortController().signal);
    const editions = await this.editions;
    return editions.get(model) ?? editions.get(`${model}:latest`);
  }

  private async readEditions(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    try {
      const version = await this.version(signal);
      const reply: unknown = await this.ask(signal, QUESTION_MS, (client) => client.list());
      return new Map(
        (parseModelList(reply) ?? []).map(({ name, digest, remote_host: remote }) => [
          name,
          // A model of the same name can run on this machine or at another company, so the edition names the
          // other host if there is one.
          `${String(digest)} on ${version}${typeof remote === 'string' ? ` at ${remote}` : ''}`,
        ]),
      );
    } catch (error) {
      // If the server does not answer, the editions of its models are unknown and no stored measurements are used.
      this.editions = undefined;
      if (error instanceof ProviderFailure) return new Map();
      throw error;
    }
  }

  async embed(
    model: string,
    texts: readonly string[],
    { signal, idleMs }: Pick<AttemptContext, 'signal' | 'idleMs'>,
  ): Promise<unknown> {
    const embedTexts = (client: Ollama) => client.embed({ model, input: [...texts] });
    const reply: unknown = await this.ask(signal, idleMs, embedTexts, model);
    return isRecord(reply) ? reply.embeddings : undefined;
  }

  async listLoaded(): Promise<readonly LoadedModel[] | undefined> {
    try {
      const { signal } = new AbortController();
      const reply: unknown = await this.ask(signal, PS_MS, (client) => client.ps());
      return parseModelList(reply)?.map(({ name, expires_at, context_length: context }) => ({
        model: name,
        expiresAt: Date.parse(String(expires_at)),
        context: readCount(context) || undefined,
      }));
    } catch (error) {
      // If the server does not answer, its models in memory are unknown. The calls themselves will
      // report the problem.
      if (error instanceof ProviderFailure) return undefined;
      throw error;
    }
  }

  /**
   * Returns what the server reports of a model, or reported in an earlier process; empty if it reports
   * nothing; a failure if it does not have the model.
   */
  private async show(model: string): Promise<ToldModel | Failure> {
    const asked = this.askAbout(model);
    return this.memory.find(model) ?? asked;
  }

  /** Returns what is known of a model at present, and asks the server for later calls. */
  private recall(model: string): ToldModel {
    void this.askAbout(model);
    return this.memory.find(model) ?? NOT_TOLD;
  }

  /** Asks the server about a model once per process; again only if it did not answer. */
  private askAbout(model: string): Promise<ToldModel | Failure> {
    const asked = this.asked.get(model) ?? this.readAbout(model);
    this.asked.set(model, asked);
    return asked;
  }

  private async readAbout(model: string): Promise<ToldModel | Failure> {
    // Give the request a signal of its own: all calls share the request, so the stop of one must not abort it.
    const { signal } = new AbortController();
    try {
      const showModel = (client: Ollama) => client.show({ model });
      const told = parseShow(await this.ask(signal, QUESTION_MS, showModel, model));
      this.memory.learn(model, told);
      return told;
    } catch (error) {
      this.asked.delete(model);
      if (!(error instanceof ProviderFailure)) throw error;
      // Return only the failure that says that the model does not exist. Any other problem appears again in the
      // call that follows, which retries if that helps.
      const { failure } = error;
      if (failure.code === 'not-found' && failure.next?.startsWith('Try:')) return failure;
      const isAway = ['unreachable', 'timeout', 'interrupted'].includes(failure.code);
      if (!isAway) this.memory.learn(model, NOT_TOLD);
      return NOT_TOLD;
    }
  }

  private wire(model: string): Wire {
    return {
      framing: 'ndjson',
      judge: (record) => errorIn(this.about, model, record) ?? this.isDone(record),
      rewrite: forLibrary,
    };
  }

  private isDone({ done }: Entry): Judgement {
    if (done === true) return 'end';
    if (done === undefined || done === null || done === false) return 'more';
    const words = `malformed record in the stream: "done" is ${clipLine(JSON.stringify(done), 40)}`;
    return malformedFailure(this.about, words, false);
  }

  /** Sends one request with a short answer. Rejects with a ProviderFailure. */
  private async ask<T>(
    signal: AbortSignal,
    idleMs: number,
    question: (client: Ollama) => Promise<T>,
    model = '',
  ): Promise<T> {
    try {
      return await guardRequest({ about: this.about, model, signal, idleMs }, async (fetch) =>
        question(await this.client(fetch)),
      );
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      throw new ProviderFailure(notOllamaFailure(this.about, error));
    }
  }

  private async client(fetch: typeof globalThis.fetch): Promise<Ollama> {
    const key = await this.access.getKey();
    // Ollama's library needs no silent logger: it prints only about responses that the guarded `fetch` keeps back.
    const { Ollama } = await import('ollama');
    const headers = {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...this.access.headers,
    };
    return new Ollama({ host: this.endpoint, headers, fetch });
  }
}

/** The meaning of stop reasons. `load` and `unload` answer requests that only load or unload a model. */
const ENDS: ReadonlyMap<string, End> = new Map([
  ['stop', 'whole'],
  ['length', 'token-limit'],
  ['load', 'broken-off'],
  ['unload', 'broken-off'],
  ['abort', 'broken-off'],
]);

/**
 * Removes fields that the library would misread: it throws if `error` exists at all, and ends at a
 * `status`, which chats do not have.
 */
function forLibrary(record: Entry, _data: string, raw: string): string {
  if (!('status' in record) && !('error' in record)) return raw;
  const { status: _status, error, ...rest } = record;
  return `${JSON.stringify(isNoError(error) ? rest : { ...rest, error })}\n`;
}

function notOllamaFailure(about: ServerDescription, error: unknown): Failure {
  if (error instanceof ProviderFailure) return error.failure;
  return {
    code: 'malformed',
    message: `${about.name}: ${about.endpoint} does not respond like Ollama`,
    next: about.whenUnreachable,
    retry: false,
  };
}

/**
 * OpenAI, by its Responses API, and the many servers with its older chat completions. The list of models
 * and the embeddings are the same in both.
 */
import { isLoopback, type NamedServer } from '../../kernel/providers/servers.ts';
import { isRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Batches } from '../batch/batches.ts';
import { OpenAIBatches } from '../batch/openai.ts';
import { listHint } from '../directions.ts';
import {
  type Failure,
  malformedFailure,
  notAListFailure,
  ProviderFailure,
  type ServerDescription,
} from '../failure.ts';
import type {
  Attempt,
  AttemptContext,
  ListedRates,
  LoadedModel,
  ModelInfo,
  Provider,
  ProviderRequest,
} from '../provider.ts';
import { guardRequest } from '../stream-guard.ts';
import { ServerMemory, type ToldModel } from '../told.ts';
import { listWindows } from '../window.ts';
import { type Access, accessOf, missingKey } from './access.ts';
import { checkBaseUrl } from './base-url.ts';
import { readRates } from './listed-prices.ts';
import { readWindow } from './listed-windows.ts';
import { LOCAL_LISTS, type LocalList, type LocalModel, loadedWindow } from './local-models.ts';
import { streamChat } from './openai-chat.ts';
import { OpenAIClient } from './openai-client.ts';
import { ResponsesApi } from './openai-responses.ts';
import type { OpenAIServer } from './openai-server.ts';

const OFFICIAL = 'https://api.openai.com/v1';
const LIST_MS = 10_000;
/** The time limit in milliseconds for the lists of local servers, which they answer at once. */
const LOCAL_MS = 1_500;
/**
 * Matches the names of models that cannot play a seat. The list of models contains all kinds of
 * models and does not say of which kind each is.
 */
const NOT_FOR_SEATS =
  /embed|minilm|\bbge-|\bgte-|\be5-|rerank|whisper|tts|transcribe|audio|realtime|image|dall-e|sora|moderation|babbage|davinci|gpt-3.5-turbo-instruct/i;

type Env = Readonly<Record<string, string | undefined>>;
type Entry = Readonly<Record<string, unknown>>;

/** Makes OpenAI's provider from environment variables. */
export function openaiProvider(env: Env): Provider {
  const endpoint = (env.OPENAI_BASE_URL || OFFICIAL).replace(/\/+$/, '');
  const fault =
    env.OPENAI_API_KEY || !isOpenAI(endpoint)
      ? undefined
      : missingKey('openai', 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for another server');
  const access: Access = {
    name: 'openai',
    endpoint,
    addressName: 'OPENAI_BASE_URL',
    keyName: 'OPENAI_API_KEY',
    headers: {},
    network: env,
    fault,
    getKey: async () => {
      if (fault !== undefined) throw new ProviderFailure(fault);
      return env.OPENAI_API_KEY;
    },
    isNamed: false,
  };
  return new OpenAIProvider(access, wireApiOf(endpoint, env.OPENAI_WIRE_API));
}

/** Makes the provider of a named server that speaks one of OpenAI's protocols. */
export function namedOpenAI(server: NamedServer, env: Env): Provider {
  return new OpenAIProvider(
    accessOf(server, env),
    server.speaks === 'openai-responses' ? 'responses' : 'chat',
  );
}

/** The API for answers. */
type WireApi = 'responses' | 'chat';

const WIRE_APIS: readonly WireApi[] = ['responses', 'chat'];

/** Returns whether an address is OpenAI's own: the common one, or that of a region. */
function isOpenAI(endpoint: string): boolean {
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
  return host === 'api.openai.com' || host.endsWith('.api.openai.com');
}

/**
 * Returns the API to use: the one that `OPENAI_WIRE_API` (`said`) names, otherwise Responses for
 * OpenAI itself and chat completions for any other address. Undefined if the variable has another
 * value.
 */
export function wireApiOf(endpoint: string, said: string | undefined): WireApi | undefined {
  if (said === undefined || said === '') return isOpenAI(endpoint) ? 'responses' : 'chat';
  return WIRE_APIS.find((api) => api === said);
}

/** The models on a server's machine; `none`: it has no such list; `away`: it did not answer. */
type LocalReply = readonly LocalModel[] | 'none' | 'away';

class OpenAIProvider implements Provider, OpenAIServer {
  readonly name: string;
  readonly endpoint: string;
  readonly fault: Failure | undefined;
  readonly queues: boolean;

  readonly official: boolean;
  readonly about: ServerDescription;
  readonly batches: Batches = new OpenAIBatches(this);

  /** Absent for remote servers, where loading does not matter. */
  readonly listLoaded?: () => Promise<readonly LoadedModel[] | undefined>;

  private readonly access: Access;
  readonly memory = new ServerMemory();
  /** The lists that the server may have; only the right one once it is known, empty if it has none. */
  private lists: readonly LocalList[] = LOCAL_LISTS;
  /** The running request for that list. */
  private local: Promise<LocalReply> | undefined;
  /** Whether the server is on this machine or in a local network. */
  private readonly isNear: boolean;
  private readonly api: WireApi | undefined;
  private readonly responses = new ResponsesApi(this);
  /** Prices by model, from the last list of models. */
  private readonly prices = new Map<string, ListedRates>();
  /** Absent for servers on this machine, which cost nothing, and for OpenAI, whose list has no prices. */
  readonly learnRates?: () => Promise<void>;
  private windows: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(access: Access, api: WireApi | undefined) {
    this.access = access;
    this.name = access.name;
    this.endpoint = access.endpoint;
    this.fault = access.fault;
    this.official = isOpenAI(this.endpoint);
    this.api = api;
    // Assume that a server whose address begins with `http:` is on this computer or in the local network, and can
    // list its loaded models. Companies that offer models use https.
    this.isNear = this.endpoint.startsWith('http:');
    // Assume that a server queues requests, as one computer with one or two models does. Exceptions are OpenAI's
    // own server, and a server with https that a person configured under a name.
    this.queues = !this.official && (this.isNear || !access.isNamed);
    if (access.isNamed && !this.official && !isLoopback(this.endpoint))
      this.learnRates = async () => {
        this.windows ??= this.knownWindows();
        await this.windows;
      };
    if (this.isNear) this.listLoaded = () => this.askLoaded();
    this.about = {
      name: this.name,
      endpoint: this.endpoint,
      variable: access.addressName,
      network: access.network,
      whenUnreachable: this.official
        ? 'Check the network'
        : `Start the server, or check ${access.addressName}`,
      whenRefused: `Check ${access.keyName}`,
      whenNoModel: (model) => ({
        message: `${this.name}: there is no model "${model}"`,
        next: listHint(this.name),
      }),
    };
  }

  stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt> {
    return this.api === 'responses'
      ? this.responses.stream(request, context)
      : streamChat(this, request, context);
  }

  list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return guardRequest(
      { about: this.about, model: '', signal, idleMs: LIST_MS },
      async (fetch) => {
        const client = await this.client(fetch);
        const page = await client.ask('/models');
        if (!isRecord(page) || !Array.isArray(page.data))
          throw new ProviderFailure(notAListFailure(this.about));
        const asOf = new Date().toISOString().slice(0, 10);
        return page.data
          .filter(isNamedModel)
          .filter((model) => !NOT_FOR_SEATS.test(model.id) && !isStartedForVectors(model))
          .map((model) => {
            const rates = readRates(model);
            if (rates !== undefined) this.prices.set(model.id, { rates, asOf });
            const contextWindow = readWindow(model);
            return {
              spec: `${this.name}/${model.id}`,
              ...withoutUndefined({ contextWindow }),
            };
          });
      },
    );
  }

  async suggestAddress(): Promise<string | undefined> {
    if (/\/v\d\w*$/.test(this.endpoint)) return undefined;
    const base = `${this.endpoint}/v1`;
    const { signal } = new AbortController();
    try {
      const list: unknown = await guardRequest(
        { about: this.about, model: '', signal, idleMs: LOCAL_MS },
        async (fetch) => (await this.client(fetch)).ask(`${base}/models`),
      );
      if (!isRecord(list) || !Array.isArray(list.data)) return undefined;
    } catch (error) {
      if (error instanceof ProviderFailure) return undefined;
      throw error;
    }
    return `Its API answers at ${base}: set ${this.access.addressName} to that`;
  }

  rates(model: string): ListedRates | undefined {
    return this.prices.get(model);
  }

  embed(
    model: string,
    texts: readonly string[],
    { signal, idleMs }: Pick<AttemptContext, 'signal' | 'idleMs'>,
  ): Promise<unknown> {
    return guardRequest({ about: this.about, model, signal, idleMs }, async (fetch) => {
      const client = await this.client(fetch);
      const reply = await client.ask('/embeddings', {
        model,
        input: texts,
        encoding_format: 'float',
      });
      if (reply === undefined)
        throw new ProviderFailure(malformedFailure(this.about, 'the answer is not JSON', true));
      const list: unknown = isRecord(reply) ? reply.data : undefined;
      if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
      return list
        .toSorted((left, right) => Number(left.index ?? 0) - Number(right.index ?? 0))
        .map(({ embedding }) => embedding);
    });
  }

  async window(model: string): Promise<number | undefined> {
    // Request the list without the call's signal: all calls share the list, so the stop of one must not abort the
    // request.
    this.windows ??= this.knownWindows();
    const asked = this.readWindow(model, this.windows);
    return (this.memory.find(model) ?? (await asked)).window;
  }

  private async readWindow(
    model: string,
    windows: Promise<ReadonlyMap<string, number>>,
  ): Promise<ToldModel> {
    const listed = (await windows).get(`${this.name}/${model}`);
    const local = listed === undefined && this.isNear ? await this.askLocal() : undefined;
    const window = listed ?? (Array.isArray(local) ? loadedWindow(local, model) : undefined);
    const told = window === undefined ? {} : { window };
    // Remember the context window only if the server could be reached.
    if (this.windows !== undefined && local !== 'away') this.memory.learn(model, told);
    return told;
  }

  /** Returns the windows in the list of models. A list that failed is requested again the next time. */
  private knownWindows(): Promise<ReadonlyMap<string, number>> {
    const list = this.list(new AbortController().signal);
    list.catch(() => {
      this.windows = undefined;
    });
    return listWindows(list);
  }

  /**
   * Returns the models in memory of a server that loads models on request. A server that had no such list
   * in an earlier process is asked for it later, together with the windows, when no call waits.
   */
  private async askLoaded(): Promise<readonly LoadedModel[] | undefined> {
    if (this.memory.lists === 'none') return undefined;
    const models = await this.askLocal();
    if (!Array.isArray(models)) return undefined;
    return models
      .filter(({ isLoaded }) => isLoaded)
      .map(({ name: model, context }) => ({
        model,
        context,
        expiresAt: Number.POSITIVE_INFINITY,
      }));
  }

  /** Requests the list of local models, once for all callers at the moment. */
  private askLocal(): Promise<LocalReply> {
    this.local ??= this.readLocal().finally(() => {
      this.local = undefined;
    });
    return this.local;
  }

  private async readLocal(): Promise<LocalReply> {
    const replies = await Promise.all(this.lists.map((list) => this.readList(list)));
    const at = replies.findIndex((reply) => Array.isArray(reply));
    const list = this.lists[at];
    if (list === undefined && replies.includes('away')) return 'away';
    this.lists = list === undefined ? [] : [list];
    this.memory.learnLists(list?.path ?? 'none');
    return replies[at] ?? 'none';
  }

  private async readList({ path, read }: LocalList): Promise<LocalReply> {
    const { signal } = new AbortController();
    const url = URL.parse(path, `${this.endpoint}/`)?.href;
    // Ignore an invalid address here: every call to the model reports it.
    if (url === undefined) return 'away';
    try {
      const reply = await guardRequest(
        { about: this.about, model: '', signal, idleMs: LOCAL_MS },
        async (fetch) => (await this.client(fetch)).ask(url),
      );
      return read(reply) ?? 'none';
    } catch (error) {
      // Ignore failures of the server here: every call to the model reports them.
      const code = error instanceof ProviderFailure ? error.failure.code : undefined;
      if (code === undefined) throw error;
      const isAway = code === 'unreachable' || code === 'timeout' || code === 'interrupted';
      return isAway ? 'away' : 'none';
    }
  }

  async client(fetch: typeof globalThis.fetch): Promise<OpenAIClient> {
    const key = await this.access.getKey();
    checkBaseUrl(this.access);
    if (this.api === undefined) {
      throw new ProviderFailure({
        code: 'rejected',
        message: 'openai: OPENAI_WIRE_API is not a known API',
        next: `Set it to ${WIRE_APIS.join(' or ')}, or unset it`,
        retry: false,
      });
    }
    return new OpenAIClient(this.endpoint, key, this.access.headers, fetch);
  }
}

/** Returns whether an entry of the list is a model with a name. */
function isNamedModel(entry: unknown): entry is Entry & { readonly id: string } {
  return isRecord(entry) && typeof entry.id === 'string';
}

/** Returns whether llama-server's router starts a model for embeddings or ranking, by its arguments. */
function isStartedForVectors(model: unknown): boolean {
  const status = isRecord(model) ? model.status : undefined;
  const args: unknown = isRecord(status) ? status.args : undefined;
  return Array.isArray(args) && args.some((arg) => /^--(?:embeddings?|rerank(?:ing)?)$/.test(arg));
}

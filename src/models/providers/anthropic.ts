/** Anthropic's Messages API. */
import type Anthropic from '@anthropic-ai/sdk';
import { NO_USAGE } from '../../kernel/model.ts';
import type { NamedServer } from '../../kernel/providers/servers.ts';
import { isRecord } from '../../text/json.ts';
import { messageEvents } from '../answer/whole.ts';
import { AnthropicBatches } from '../batch/anthropic.ts';
import type { Batches } from '../batch/batches.ts';
import { listHint } from '../directions.ts';
import {
  clipLine,
  type Failure,
  malformedFailure,
  notAListFailure,
  ProviderFailure,
  type ServerDescription,
  STOPPED,
} from '../failure.ts';
import { errorIn } from '../network/error-reply.ts';
import type {
  Abilities,
  Attempt,
  AttemptContext,
  ModelInfo,
  Provider,
  ProviderRequest,
} from '../provider.ts';
import { guardRequest, StreamGuard, untilAborted, type Wire } from '../stream-guard.ts';
import { listWindows } from '../window.ts';
import { type Access, accessOf, missingKey } from './access.ts';
import { type ModelDescription, parseDescription } from './anthropic-models.ts';
import { BLOCK_STOP, Blocks, ENDS, READABLE, usageOf } from './anthropic-reply.ts';
import { messageParams, transformSchema } from './anthropic-request.ts';
import { checkBaseUrl } from './base-url.ts';
import { chooseWorseEnd, finishFailure } from './finish.ts';
import { readWindow } from './listed-windows.ts';
import { SILENT, withSilentConsole } from './quiet.ts';
import { isOffered } from './tool-calls.ts';

/** The longest time of setTimeout: switches off the library's time limit, as our idle watch replaces it. */
const NO_TIMEOUT = 2 ** 31 - 1;
const OFFICIAL = 'https://api.anthropic.com';
const LIST_MS = 10_000;
/** Milliseconds to wait for a model's description, which servers send at once if they have it. */
const DESCRIBE_MS = 5_000;

type Env = Readonly<Record<string, string | undefined>>;

/** The library's options for the key, which is sent in one of two headers, and for other headers. */
interface Keys {
  readonly apiKey?: string;
  readonly authToken?: string;
  readonly defaultHeaders?: Readonly<Record<string, string>>;
}

/** Makes Anthropic's provider from environment variables. */
export function anthropicProvider(env: Env): Provider {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token, ANTHROPIC_BASE_URL: base } = env;
  const fault = key || token || base ? undefined : missingKey('anthropic', 'Set ANTHROPIC_API_KEY');
  const access: Access = {
    name: 'anthropic',
    endpoint: baseOf(base || OFFICIAL),
    headers: {},
    addressName: 'ANTHROPIC_BASE_URL',
    keyName: 'ANTHROPIC_API_KEY',
    network: env,
    fault,
    getKey: async () => {
      if (fault !== undefined) throw new ProviderFailure(fault);
      return key || token;
    },
    isNamed: false,
  };
  // A server at ANTHROPIC_BASE_URL may need no key, but the library requires some text.
  return new AnthropicProvider(access, () =>
    !key && token
      ? { authToken: token }
      : { apiKey: key || 'none', defaultHeaders: keyHeaders(key, access.endpoint) },
  );
}

/** Makes the provider of a named server that speaks Anthropic's protocol. */
export function namedAnthropic(server: NamedServer, env: Env): Provider {
  const { headers = {}, url } = server;
  return new AnthropicProvider(accessOf(server, env), (key) => ({
    apiKey: key ?? 'none',
    defaultHeaders: {
      ...keyHeaders(key, url),
      ...headers,
    },
  }));
}

/**
 * Returns the key in both headers that servers other than Anthropic's may read: the library sends only
 * `Authorization`. Empty without a key, and for Anthropic's own server.
 */
function keyHeaders(key: string | undefined, endpoint: string): Readonly<Record<string, string>> {
  return !key || isAnthropic(endpoint) ? {} : { 'x-api-key': key, Authorization: `Bearer ${key}` };
}

/** Returns the address without `/v1`, which the library appends. */
function baseOf(address: string): string {
  return address.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function isAnthropic(endpoint: string): boolean {
  return URL.parse(endpoint)?.hostname === 'api.anthropic.com';
}

class AnthropicProvider implements Provider {
  readonly name: string;
  readonly endpoint: string;
  readonly fault: Failure | undefined;
  readonly queues: boolean;
  readonly batches: Batches;

  private readonly access: Access;
  private readonly keysOf: (key: string | undefined) => Keys;
  private readonly about: ServerDescription;
  private readonly described = new Map<string, Promise<ModelDescription>>();
  private windows: Promise<ReadonlyMap<string, number>> | undefined;

  constructor(access: Access, keysOf: (key: string | undefined) => Keys) {
    this.access = access;
    this.keysOf = keysOf;
    this.name = access.name;
    this.endpoint = access.endpoint;
    this.fault = access.fault;
    // A server whose address begins with `http:` is usually a person's own, such as llama.cpp. Assume that a
    // person's own server queues requests.
    this.queues = this.endpoint.startsWith('http:');
    this.about = {
      name: this.name,
      endpoint: this.endpoint,
      variable: access.addressName,
      network: access.network,
      whenUnreachable:
        this.endpoint === OFFICIAL
          ? 'Check the network'
          : `Check the network and ${access.addressName}`,
      whenRefused: `Check ${access.keyName}`,
      whenNoModel: (model) => ({
        message: `${this.name}: there is no model "${model}"`,
        next: listHint(this.name),
      }),
    };
    this.batches = new AnthropicBatches({
      about: this.about,
      client: (fetch) => this.client(fetch),
    });
  }

  async stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt> {
    let usage = NO_USAGE;
    let ended: string | undefined;
    let served: string | undefined;
    const notes: string[] = [];
    const blocks = new Blocks();
    const makeFailedAttempt = (failure: Failure): Attempt => ({
      ok: false,
      failure,
      usage,
      notes,
      served,
    });
    const guard = new StreamGuard({
      ...context,
      about: this.about,
      model: request.model,
      wire: this.wire(request.model),
    });
    try {
      const client = await this.client(guard.fetch);
      const describing = this.describe(request.model);
      const described = await Promise.race([describing, untilAborted(context.signal)]);
      if (described === undefined) return makeFailedAttempt(STOPPED);
      if (request.think === false && described.unthinking === false)
        notes.push('thinking cannot be turned off for this model');
      const params = messageParams(request, described, await transformSchema(request));
      // Turn the library's warnings about old models into notes. The library prints them all before the call
      // below returns.
      const stream = withSilentConsole(
        () => client.messages.stream(params, { signal: context.signal }),
        (line) => notes.push(firstLine(line)),
      );
      stream.on('streamEvent', (event) => {
        blocks.take(event);
        // Take only the tokens of the input from the counts at the start of the stream, since their
        // output covers only the first few tokens.
        if (event.type === 'message_start') {
          usage = { ...usageOf(event.message.usage, usage), output: 0 };
          served = event.message.model;
        } else if (event.type === 'message_delta') {
          usage = usageOf(event.usage, usage);
          ended = chooseWorseEnd(ENDS, ended, event.delta.stop_reason ?? undefined);
        } else if (event.type === 'content_block_delta') {
          if (event.delta.type === 'text_delta') context.onText(event.delta.text);
          else if (event.delta.type === 'thinking_delta') context.onThinking(event.delta.thinking);
        }
      });
      const { stop_details: details } = await stream.finalMessage();
      const failure = finishFailure({
        name: this.name,
        reason: ended,
        ends: ENDS,
        tokens: usage.output,
        words: typeof details?.explanation === 'string' ? details.explanation : undefined,
        calls: isOffered(request) ? blocks.calls().length : 0,
      });
      if (failure) return makeFailedAttempt(failure);
      const calls = isOffered(request) ? blocks.calls() : [];
      notes.push(...guard.notes);
      return calls.length === 0
        ? { ok: true, usage, notes, served }
        : { ok: true, usage, notes, served, calls, turn: blocks.content() };
    } catch (error) {
      if (guard.failure) return makeFailedAttempt(guard.failure);
      if (error instanceof ProviderFailure) return makeFailedAttempt(error.failure);
      const { AnthropicError, APIUserAbortError } = await import('@anthropic-ai/sdk');
      // Keep the usage of a stopped answer: the server has reported the tokens of the prompt at the start,
      // and they are billed.
      if (error instanceof APIUserAbortError) return makeFailedAttempt(STOPPED);
      if (!(error instanceof AnthropicError)) throw error;
      // An error with a cause is an exception of this program that the library wrapped: throw the exception again.
      if (error.cause !== undefined) throw error.cause;
      return makeFailedAttempt(malformedFailure(this.about, clipLine(error.message), true));
    } finally {
      guard.close();
    }
  }

  list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return guardRequest(
      { about: this.about, model: '', signal, idleMs: LIST_MS },
      async (fetch) => {
        const client = await this.client(fetch);
        const page = await client.models.list({ limit: 100 }, { signal });
        if (!Array.isArray(page.data)) throw new ProviderFailure(notAListFailure(this.about));
        return page.data
          .filter(({ id, lifecycle }) => typeof id === 'string' && lifecycle !== 'retired')
          .map((model) => ({
            spec: `${this.name}/${model.id}`,
            ...(typeof model.display_name === 'string' ? { note: model.display_name } : {}),
            contextWindow: readWindow(model),
          }));
      },
    );
  }

  async window(model: string): Promise<number | undefined> {
    const { window } = await this.describe(model);
    if (window !== undefined || isAnthropic(this.endpoint)) return window;
    // Servers other than Anthropic's may be unable to describe a single model. Then their list of models may
    // state the window.
    this.windows ??= listWindows(this.list(new AbortController().signal));
    return (await this.windows).get(`${this.name}/${model}`);
  }

  async abilities(model: string): Promise<Abilities> {
    const { schema, efforts } = await this.describe(model);
    // Many servers that offer Anthropic's API ignore schemas and do not say so.
    const isUntold = schema === undefined && this.access.isNamed && !isAnthropic(this.endpoint);
    return { schema: isUntold ? 'untold' : schema, efforts };
  }

  /** Asks once for all calls of a model, so a stopped call must not abort the request. */
  private describe(model: string): Promise<ModelDescription> {
    const known = this.described.get(model);
    if (known) return known;
    const asked = this.askAbout(model);
    this.described.set(model, asked);
    return asked;
  }

  private async askAbout(model: string): Promise<ModelDescription> {
    const { signal } = new AbortController();
    try {
      return await guardRequest(
        { about: this.about, model, signal, idleMs: DESCRIBE_MS },
        async (fetch) => {
          const client = await this.client(fetch);
          return parseDescription(await client.models.retrieve(model, null, { signal }));
        },
      );
    } catch (error) {
      // Nothing is known about the model if the server has no endpoint that describes it. Any other
      // problem shows in the call itself.
      if (error instanceof ProviderFailure || error instanceof SyntaxError) return {};
      throw error;
    }
  }

  private async client(fetch: typeof globalThis.fetch): Promise<Anthropic> {
    const keys = this.keysOf(await this.access.getKey());
    checkBaseUrl(this.access);
    const { default: Client } = await import('@anthropic-ai/sdk');
    return new Client({
      baseURL: this.endpoint,
      ...keys,
      fetch,
      maxRetries: 0,
      timeout: NO_TIMEOUT,
      logger: SILENT,
      logLevel: 'off',
      openTelemetry: false,
    });
  }

  private wire(model: string): Wire {
    const seen = new Set<string>();
    let reason = false;
    return {
      framing: 'sse',
      judge: (record) => {
        const type = String(record.type);
        if (type === 'error') return errorIn(this.about, model, record) ?? this.strange(type);
        const readable = READABLE.get(type);
        if (!readable) return 'more';
        if (!readable(record, seen)) return this.strange(type);
        seen.add(type);
        if (type === 'message_delta' && isRecord(record.delta)) {
          reason = typeof record.delta.stop_reason === 'string';
        }
        return type === 'message_stop' && reason ? 'end' : 'more';
      },
      unfold: ({ usage, ...message }) =>
        Array.isArray(message.content)
          ? messageEvents({ ...message, usage: isRecord(usage) ? usage : {} }, message.content)
          : undefined,
      // The library goes by the name of the event and this program by the `type` in its data. Set the name to
      // the type, so that both read the same event.
      rewrite: ({ type }, data) =>
        typeof type === 'string' && (READABLE.has(type) || type === BLOCK_STOP)
          ? `event: ${type}\ndata: ${data}\n\n`
          : '',
    };
  }

  private strange(type: string): Failure {
    return malformedFailure(this.about, `malformed ${clipLine(type, 40)} in the stream`, true);
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/**
 * Sends calls to providers: queues them, watches their streams, retries, and returns failures as values.
 *
 * Prompts are measured before they are sent (`kernel/tokens.ts`). A model's window is what its server
 * declares, else what presets/windows.json has, and at most what the doctor measured. A longer prompt fails
 * as `too-long` with both figures, so that the protocol can shorten it and ask again under another key.
 *
 * What the doctor measured of a model (`profiles.ts`) changes how a request is put (a schema in words, no
 * thinking), never what it asks: it is no part of a step's identity.
 */
import type { Embedder } from '../kernel/embedding.ts';
import { DeliberateError } from '../kernel/errors.ts';
import {
  type CallContext,
  type ModelRequest,
  type ModelResult,
  type ModelSpec,
  type Models,
  type PriceSource,
  UNSPOKEN,
  type Usage,
} from '../kernel/model.ts';
import type { Entrance } from '../kernel/protocol.ts';
import { isLoopback, type NamedServer } from '../kernel/providers/servers.ts';
import { splitSpec } from '../kernel/providers/spec.ts';
import type { Batches, Sender } from './batch/batches.ts';
import { Call } from './call.ts';
import { withAddress } from './directions.ts';
import { createEmbedder } from './embedding.ts';
import { ProviderFailure } from './failure.ts';
import { type Host, hostOf, knownBy, refusedBy, scaleOf } from './network/host.ts';
import { costOf, type PriceList, priceOf, priceSourceOf, readPriceList } from './prices.ts';
import {
  hasProfile,
  hasReader,
  NO_PROFILES,
  type Profile,
  type Profiles,
  profileFor,
  type Reader,
  readerFor,
  togetherAt,
  toldAt,
  withReader,
  withTold,
} from './profiles.ts';
import type { ModelInfo, Provider } from './provider.ts';
import { providersOf } from './providers.ts';
import { concealer, redactor } from './redact.ts';
import { RETRY_POLICY, type RetryPolicy } from './retry.ts';
import { untilAborted } from './stream-guard.ts';
import { smaller } from './window.ts';

export interface ModelsConfig {
  /** Where keys and addresses come from: `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Servers with a name of their own. */
  readonly servers?: readonly NamedServer[] | undefined;
  /** A request without a byte for so long is given up. Default 120 s. */
  readonly idleMs?: number | undefined;
  /** Most calls at once for each provider. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** Providers besides those that the surroundings name: the stand-in. */
  readonly more?: readonly Provider[] | undefined;
  /** presets/prices.json, parsed. Without it only local models have a price. Throws if it is not one. */
  readonly prices?: unknown;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Context windows of models whose server says nothing of them, in tokens. */
  readonly windows?: ((model: ModelSpec) => number | undefined) | undefined;
  /** What the doctor found out. */
  readonly profiles?: Profiles | undefined;
  /** Where requests for answers go that are not sent one by one. */
  readonly send?: Sender | undefined;
}

/** What a provider offers, or why it cannot be asked. */
export interface ProviderListing {
  readonly name: string;
  /** Where it was looked for. */
  readonly endpoint: string;
  readonly models: readonly ModelInfo[];
  /** One sentence, and the next step. */
  readonly error?: string | undefined;
  /** The server says that it is loading a model, and may list it soon. */
  readonly isLoading?: boolean | undefined;
}

interface ListOptions {
  readonly everywhere?: boolean;
  readonly only?: string;
  readonly withinMs?: number;
}

export interface ModelGateway extends Models {
  /** Asks the servers of these models for their prices, where they have any. Never rejects. */
  learnRates(models: readonly ModelSpec[]): Promise<void>;
  /**
   * The models of all providers, which are asked side by side, in the order in which they are preferred. Never
   * rejects. `everywhere`: servers on this machine that nobody has set up are asked too, and left out where
   * they do not answer at once. `only`: nobody but this provider is asked.
   * `withinMs`: who has not answered by then is given up.
   */
  list(options?: ListOptions): Promise<readonly ProviderListing[]>;
  /** A model's context window in tokens; undefined where nobody knows it. Asks its server. Never rejects. */
  window(model: ModelSpec): Promise<number | undefined>;
  /**
   * What the model is right now, as its server tells editions apart: undefined where servers of this kind
   * do not, `unknown` where this one does not answer or has no such model. Never rejects.
   */
  edition(model: ModelSpec): Promise<string | undefined>;
  /** What the doctor found out about a model, where it still holds. Never rejects. */
  profile(model: ModelSpec): Promise<Profile | undefined>;
  /** How a model did at the reader's entrance, where that still holds. Never rejects. */
  reader(model: ModelSpec): Promise<Reader | undefined>;
  /** A model as it makes vectors. @throws DeliberateError where its provider has no such models. */
  embedder(model: ModelSpec): Embedder;
  /** The batches of a model's provider; undefined where it takes none. */
  batches(model: ModelSpec): Batches | undefined;
  /** Without keys, and what looks like one: for sentences that leave this room. */
  redact(text: string): string;
  /** The profiles with an entrance that a model was held to; as they were where nobody offers it. */
  remember(profiles: Profiles, entrance: Entrance): Promise<Profiles>;
  /** The profiles with what servers have told in this call of the program; the same ones where that is nothing new. */
  rememberTold(profiles: Profiles): Profiles;
}

const IDLE_MS = 120_000;
/** A server on this machine that nobody has set up answers within so many milliseconds, or is left out. */
const AT_ONCE_MS = 1_000;
/** So many idle times a server may take to load a model: ten minutes, where nothing else is set. */
const LOADING_IDLES = 5;
/** So many idle times a server that was there may be gone: a minute, where nothing else is set. */
const AWAY_IDLES = 0.5;

export function createModels(config: ModelsConfig): ModelGateway {
  return new Gateway(config);
}

class Gateway implements ModelGateway {
  private readonly hosts: ReadonlyMap<string, Host>;
  private readonly idleMs: number;
  private readonly policy: RetryPolicy;
  private readonly prices: PriceList | undefined;
  private readonly windows: ModelsConfig['windows'];
  private readonly profiles: Profiles;
  private readonly send: Sender | undefined;
  readonly redact: (text: string) => string;
  readonly conceal: (text: string) => string;

  constructor(config: ModelsConfig) {
    const { env, concurrency, prices, more = [] } = config;
    this.idleMs = config.idleMs ?? IDLE_MS;
    this.policy = {
      ...RETRY_POLICY,
      loadingMs: LOADING_IDLES * this.idleMs,
      awayMs: AWAY_IDLES * this.idleMs,
      ...config.retry,
    };
    this.prices = prices === undefined ? undefined : readPriceList(prices);
    this.windows = config.windows;
    this.profiles = config.profiles ?? NO_PROFILES;
    this.send = config.send;
    this.redact = redactor(env);
    this.conceal = concealer(env);
    const providers = [...providersOf(env, config.servers), ...more];
    this.hosts = new Map(
      providers.map((one) => {
        const together = togetherAt(this.profiles, one.endpoint, Date.now());
        const told = toldAt(this.profiles, one.endpoint);
        if (told !== undefined) one.memory?.recall(told);
        return [one.name, hostOf(one, concurrency, together)];
      }),
    );
  }

  async call(request: ModelRequest, context: CallContext): Promise<ModelResult> {
    const { provider: name, model } = splitSpec(request.seat.model);
    const host = this.hosts.get(name);
    if (!host || model.trim() === '') return this.unknownModel(request.seat.model);
    const { provider, scheduler } = host;
    const profile = await Promise.race([this.profileOf(host, model), untilAborted(context.signal)]);
    const enter = () =>
      scheduler.enter(model, context.signal, (behind) =>
        context.onEvent({ type: 'queued', behind }),
      );
    // Asked for beside the call: what it cost is asked as soon as it has ended.
    const learning = provider.learnRates?.();
    let place = await enter();
    if (!place) return { status: 'stopped', ...UNSPOKEN };
    try {
      const result = await new Call({
        request,
        context,
        provider,
        model,
        policy: this.policy,
        idleMs: this.idleMs,
        keepAlive: this.keepAliveFor(host, model),
        onBytes: () => {
          host.activity += 1;
          host.hasAnswered = true;
          place?.answered();
          this.learnWindow(host, model);
        },
        hasAnswered: () => host.hasAnswered,
        others: {
          count: () => {
            host.requests += 1;
            return host.requests;
          },
          counted: () => host.requests,
          letFinish: async () => {
            scheduler.serialize();
            place?.leave();
            place = await enter();
          },
        },
        refuses: refusedBy(host, model, profile),
        known: profile && knownBy(profile),
        takesSchema: profile?.schema === 'given',
        window: () => this.windowOf(host, model, context.signal),
        scale: scaleOf(host, model),
        redact: this.redact,
        send: this.send,
      }).run();
      await learning;
      return result;
    } finally {
      place?.leave();
    }
  }

  batches(spec: ModelSpec): Batches | undefined {
    return this.hosts.get(splitSpec(spec).provider)?.provider.batches;
  }

  price(spec: ModelSpec, usage: Usage): number | undefined {
    const { provider, model } = splitSpec(spec);
    const asked = this.hosts.get(provider)?.provider;
    if (asked?.onPlan === true) return 0;
    const isRemote = asked?.isRemote?.(model) ?? false;
    const listed = priceOf(this.prices, spec, usage, isRemote);
    if (listed !== undefined) return listed;
    const own = asked?.rates?.(model);
    return own && costOf(own.rates, usage);
  }

  priceSource(spec: ModelSpec): PriceSource | undefined {
    const { provider, model } = splitSpec(spec);
    const asked = this.hosts.get(provider)?.provider;
    if (asked === undefined || asked.onPlan === true) return undefined;
    const listed = priceSourceOf(this.prices, spec, asked.isRemote?.(model));
    const own = listed === undefined ? asked.rates?.(model) : undefined;
    if (own === undefined) return listed;
    return { source: `the models of ${this.redact(asked.endpoint)}`, asOf: own.asOf };
  }

  ownPrompt(spec: ModelSpec): number {
    return this.hosts.get(splitSpec(spec).provider)?.provider.ownPrompt ?? 0;
  }

  async consent(spec: ModelSpec): Promise<string | undefined> {
    return this.hosts.get(splitSpec(spec).provider)?.provider.consent?.();
  }

  async endRun(run: string): Promise<void> {
    await Promise.all([...this.hosts.values()].map(({ provider }) => provider.endRun?.(run)));
  }

  async list({
    everywhere = false,
    only,
    withinMs,
  }: ListOptions = {}): Promise<readonly ProviderListing[]> {
    const wanted = [...this.hosts.values()].filter(({ provider }) =>
      only === undefined
        ? provider.isUnasked !== true || (everywhere && isLoopback(provider.endpoint))
        : provider.name === only,
    );
    const listings = await Promise.all(wanted.map((host) => this.listOf(host, withinMs)));
    return listings.filter(
      ({ models }, index) => models.length > 0 || wanted[index]?.provider.isUnasked !== true,
    );
  }

  private async listOf(host: Host, withinMs?: number): Promise<ProviderListing> {
    const { provider } = host;
    const { name } = provider;
    const endpoint = this.redact(provider.endpoint);
    try {
      const limitMs = withinMs ?? (provider.isUnasked === true ? AT_ONCE_MS : undefined);
      const models = await provider.list(
        limitMs === undefined ? new AbortController().signal : AbortSignal.timeout(limitMs),
      );
      host.hasAnswered = true;
      return { name, endpoint, models };
    } catch (error) {
      const isLoading = error instanceof ProviderFailure && error.failure.loading === true;
      return {
        ...{ name, endpoint, models: [] },
        ...(isLoading ? { isLoading } : {}),
        error: this.redact(await sentence(provider, error)),
      };
    }
  }

  async learnRates(models: readonly ModelSpec[]): Promise<void> {
    const names = new Set(models.map((spec) => splitSpec(spec).provider));
    await Promise.all([...names].map((name) => this.hosts.get(name)?.provider.learnRates?.()));
  }

  async window(spec: ModelSpec): Promise<number | undefined> {
    const { provider, model } = splitSpec(spec);
    const host = this.hosts.get(provider);
    return host && this.windowOf(host, model, new AbortController().signal);
  }

  async edition(spec: ModelSpec): Promise<string | undefined> {
    const { provider, model } = splitSpec(spec);
    const host = this.hosts.get(provider);
    if (host?.provider.edition === undefined) return undefined;
    return (await host.provider.edition(model)) ?? 'unknown';
  }

  async profile(spec: ModelSpec): Promise<Profile | undefined> {
    const { provider, model } = splitSpec(spec);
    const host = this.hosts.get(provider);
    return host && this.profileOf(host, model);
  }

  async reader(spec: ModelSpec): Promise<Reader | undefined> {
    const { provider: name, model } = splitSpec(spec);
    const provider = this.hosts.get(name)?.provider;
    if (provider === undefined || !hasReader(this.profiles, provider.endpoint, model))
      return undefined;
    const edition = await provider.edition?.(model);
    return readerFor(this.profiles, provider.endpoint, model, edition, Date.now());
  }

  async remember(profiles: Profiles, { model: spec, ...result }: Entrance): Promise<Profiles> {
    const { provider: name, model } = splitSpec(spec);
    const provider = this.hosts.get(name)?.provider;
    if (provider === undefined) return profiles;
    const edition = await provider.edition?.(model);
    return withReader(profiles, provider.endpoint, model, {
      ...result,
      ...(edition === undefined ? {} : { edition }),
    });
  }

  rememberTold(profiles: Profiles): Profiles {
    const at = new Date().toISOString();
    return [...this.hosts.values()].reduce((known, { provider }) => {
      const told = provider.memory?.changed();
      return told === undefined ? known : withTold(known, provider.endpoint, told, at);
    }, profiles);
  }

  embedder(spec: ModelSpec): Embedder {
    const { provider: name, model } = splitSpec(spec);
    const provider = this.hosts.get(name)?.provider;
    if (provider?.embed === undefined || model.trim() === '')
      throw new DeliberateError(
        'no-embeddings',
        `"${spec}" cannot embed text`,
        'Use a model of Ollama or of an OpenAI-compatible server: ollama/nomic-embed-text',
      );
    const { policy, idleMs, redact } = this;
    return createEmbedder({ provider, model, policy, idleMs, redact });
  }

  /** As the server says it, else as the table has it. */
  private async windowOf(
    host: Host,
    model: string,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { provider } = host;
    const said = await provider.window?.(model, signal);
    const profile = await this.profileOf(host, model);
    return smaller(said ?? this.windows?.(`${provider.name}/${model}`), profile?.window);
  }

  /** Asks for the model's window while its first answer is read: later prompts are long enough to need it. */
  private learnWindow(host: Host, model: string): void {
    if (host.measured.has(model)) return;
    host.measured.add(model);
    void host.provider.window?.(model, new AbortController().signal);
  }

  /** What the doctor found out about the model, if it still is the same model. */
  private async profileOf({ provider }: Host, model: string): Promise<Profile | undefined> {
    const { profiles } = this;
    const now = Date.now();
    // Most models have none: their servers are not asked what they are.
    if (!hasProfile(profiles, provider.endpoint, model)) return undefined;
    const edition = await provider.edition?.(model);
    return profileFor(profiles, provider.endpoint, model, edition, now);
  }

  /**
   * Whether a request that has seen no byte yet may wait on: if the server is busy with other calls
   * of ours, or holds another model in memory for them.
   */
  private keepAliveFor(host: Host, model: string): () => Promise<boolean> {
    const { provider, scheduler } = host;
    let seen = host.activity;
    return async () => {
      if (!provider.queues) return false;
      const alive = host.activity !== seen;
      seen = host.activity;
      if (alive) return true;
      const [only, ...others] = (await provider.listLoaded?.()) ?? [];
      return (
        only !== undefined &&
        others.length === 0 &&
        !scheduler.isSame(only.model, model) &&
        scheduler.activeOf(only.model) > 0
      );
    };
  }

  private unknownModel(spec: ModelSpec): ModelResult {
    const { provider, model } = splitSpec(spec);
    const names = [...this.hosts.keys()].join(', ');
    return {
      status: 'failed',
      code: 'not-found',
      message: this.hosts.has(provider)
        ? `"${spec}" does not name a model`
        : `"${spec}" does not name a known provider: ${names}`,
      next: `Use PROVIDER/MODEL, such as ollama/${model || 'qwen3:8b'}`,
      ...UNSPOKEN,
    };
  }
}

async function sentence(provider: Provider, error: unknown): Promise<string> {
  if (error instanceof ProviderFailure) {
    const { message, next, code, isOffPath } = await withAddress(provider, error.failure);
    const unlisted = code === 'not-found' && isOffPath === true && next === error.failure.next;
    const besides = unlisted
      ? `; a server without a list is asked by name: ${provider.name}/MODEL`
      : '';
    return next ? `${message}. ${next}${besides}` : message;
  }
  return `${provider.name}: ${error instanceof Error ? error.message : String(error)}`;
}

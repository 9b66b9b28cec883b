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
import type { NamedServer } from '../kernel/providers/servers.ts';
import { splitSpec } from '../kernel/providers/spec.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { Batches, Sender } from './batch/batches.ts';
import { Call } from './call.ts';
import type { Failure } from './failure.ts';
import { createHost, type Host, profileNote, refusedFeatures, scaleOf } from './network/host.ts';
import { createKeepAlive } from './network/keep-alive.ts';
import { type ListOptions, listModels, type ProviderListing } from './network/listing.ts';
import { costOf, type PriceList, priceOf, priceSourceOf, readPriceList } from './prices.ts';
import {
  canKeepTwoModels,
  findReaderResult,
  findReported,
  hasProfile,
  hasReaderResult,
  NO_PROFILES,
  type Profile,
  type Profiles,
  profileFor,
  type ReaderResult,
  withReaderResult,
  withReported,
} from './profiles.ts';
import type { Provider } from './provider.ts';
import { providersOf } from './providers.ts';
import { makeConcealer, makeRedactor } from './redact.ts';
import { RETRY_POLICY, type RetryPolicy } from './retry.ts';
import { untilAborted } from './stream-guard.ts';
import { pickSmallerLimit } from './window.ts';

/** The settings of a gateway. */
export interface ModelsConfig {
  /** The environment variables with keys and addresses: `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The named servers of the program and of the person's configuration. */
  readonly servers?: readonly NamedServer[] | undefined;
  /** Milliseconds without any data after which a request is given up. Default: 120,000. */
  readonly idleMs?: number | undefined;
  /** The most simultaneous calls per provider. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** Further providers, such as the stand-in. */
  readonly more?: readonly Provider[] | undefined;
  /**
   * The parsed `presets/prices.json`. Absent: only free models, and those of servers that publish prices,
   * have a price. An invalid list makes `createModels` throw a z.ZodError.
   */
  readonly prices?: unknown;
  /** Replaces parts of the default retry policy. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /**
   * Returns the context window in tokens, for models whose server does not report it; undefined if
   * unknown.
   */
  readonly windows?: ((model: ModelSpec) => number | undefined) | undefined;
  /** The stored measurements of the `doctor` command. */
  readonly profiles?: Profiles | undefined;
  /** Sends requests in batches. Absent: each request is sent by itself. */
  readonly send?: Sender | undefined;
}

/** Calls models of all providers, and answers questions about them. */
export interface ModelGateway extends Models {
  /** Fetches the prices of these models from servers that publish prices. Never rejects. */
  learnRates(models: readonly ModelSpec[]): Promise<void>;
  /**
   * Returns the failure that every call of a model would have, because a setting such as its server's
   * key is missing or wrong; undefined if the settings suffice. Asks no server and starts no program.
   */
  fault(model: ModelSpec): Failure | undefined;
  /**
   * Lists the models of the providers that are set up, in parallel, preferred ones first. Never rejects.
   * `everywhere`: also asks servers on this machine that are not set up, and leaves out those that
   * do not answer. `only`: asks only the provider of this name. `withinMs`: gives up providers that
   * have not answered after so many milliseconds.
   */
  list(options?: ListOptions): Promise<readonly ProviderListing[]>;
  /**
   * Returns a model's context window in tokens: what its server reports or else `ModelsConfig.windows` says,
   * and at most what the `doctor` measured; undefined if unknown. Never rejects.
   */
  window(model: ModelSpec): Promise<number | undefined>;
  /**
   * Returns the edition of a model: an identifier that changes when another model is served under
   * the same name. Returns undefined if servers of this kind have no editions, and `unknown` if the
   * server does not answer or lacks the model. Never rejects.
   */
  edition(model: ModelSpec): Promise<string | undefined>;
  /**
   * Returns the measurements of the `doctor` command for a model; undefined if there are none or
   * they are out of date. Never rejects.
   */
  profile(model: ModelSpec): Promise<Profile | undefined>;
  /**
   * Returns a model's stored result in the test that decides whether it may check claims against
   * documents; undefined if there is none or it is out of date. Never rejects.
   */
  reader(model: ModelSpec): Promise<ReaderResult | undefined>;
  /**
   * Returns the embedder (a function from texts to vectors) of a model.
   * @throws DeliberateError if its provider has no embeddings
   */
  embedder(model: ModelSpec): Embedder;
  /** Returns the batch API of a model's provider; undefined if it has none. */
  batches(model: ModelSpec): Batches | undefined;
  /**
   * Removes API keys, and texts that look like keys, from a sentence that is to be shown or stored.
   */
  redact(text: string): string;
  /**
   * Returns the profiles with a new result of an entrance test. They are returned unchanged for an
   * unknown provider, and if they have a later result.
   */
  remember(profiles: Profiles, entrance: Entrance): Promise<Profiles>;
  /**
   * Returns the profiles with everything that servers have reported in this process. Returns the
   * same object if nothing is new.
   */
  rememberReported(profiles: Profiles): Profiles;
}

const IDLE_MS = 120_000;
/** How long a server may take to load a model, in idle timeouts: ten minutes by default. */
const LOADING_IDLES = 5;
/** How long a server that answered before may be away, in idle timeouts: a minute by default. */
const AWAY_IDLES = 0.5;

/**
 * Makes the gateway that calls models of all providers.
 * @throws z.ZodError if the price list is invalid
 */
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
    this.redact = makeRedactor(env);
    this.conceal = makeConcealer(env);
    const providers = [...providersOf(env, config.servers), ...more];
    this.hosts = new Map(
      providers.map((provider) => {
        const together = canKeepTwoModels(this.profiles, provider.endpoint, Date.now());
        const told = findReported(this.profiles, provider.endpoint);
        if (told !== undefined) provider.memory?.recall(told);
        return [provider.name, createHost(provider, concurrency, together)];
      }),
    );
  }

  async call(request: ModelRequest, context: CallContext): Promise<ModelResult> {
    const { provider: name, model } = splitSpec(request.seat.model);
    const host = this.hosts.get(name);
    if (!host || model.trim() === '') return this.unknownModel(request.seat.model);
    const { provider, scheduler } = host;
    const profile = await Promise.race([this.profileOf(host, model), untilAborted(context.signal)]);
    const enterQueue = () =>
      scheduler.enter(model, context.signal, (behind) =>
        context.onEvent({ type: 'queued', behind }),
      );
    // Fetch prices while the call runs, since the cost is computed at its end.
    const learning = provider.learnRates?.();
    let place = await enterQueue();
    if (!place) return { status: 'stopped', ...UNSPOKEN };
    try {
      const result = await new Call({
        request,
        context,
        provider,
        model,
        policy: this.policy,
        idleMs: this.idleMs,
        keepAlive: createKeepAlive(host, model, request),
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
            place = await enterQueue();
          },
        },
        refuses: refusedFeatures(host, model, profile),
        known: profile && profileNote(profile),
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

  fault(spec: ModelSpec): Failure | undefined {
    return this.hosts.get(splitSpec(spec).provider)?.provider.fault;
  }

  async consent(spec: ModelSpec): Promise<string | undefined> {
    return this.hosts.get(splitSpec(spec).provider)?.provider.consent?.();
  }

  async endRun(run: string): Promise<void> {
    await Promise.all([...this.hosts.values()].map(({ provider }) => provider.endRun?.(run)));
  }

  async list(options: ListOptions = {}): Promise<readonly ProviderListing[]> {
    return listModels([...this.hosts.values()], options, this.redact);
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

  async reader(spec: ModelSpec): Promise<ReaderResult | undefined> {
    const { provider: name, model } = splitSpec(spec);
    const provider = this.hosts.get(name)?.provider;
    if (provider === undefined || !hasReaderResult(this.profiles, provider.endpoint, model))
      return undefined;
    const edition = await provider.edition?.(model);
    return findReaderResult(this.profiles, provider.endpoint, model, edition, Date.now());
  }

  async remember(profiles: Profiles, { model: spec, ...result }: Entrance): Promise<Profiles> {
    const { provider: name, model } = splitSpec(spec);
    const provider = this.hosts.get(name)?.provider;
    if (provider === undefined) return profiles;
    const edition = await provider.edition?.(model);
    return withReaderResult(profiles, provider.endpoint, model, {
      ...result,
      ...withoutUndefined({ edition }),
    });
  }

  rememberReported(profiles: Profiles): Profiles {
    const at = new Date().toISOString();
    return [...this.hosts.values()].reduce((known, { provider }) => {
      const told = provider.memory?.changed();
      return told === undefined ? known : withReported(known, provider.endpoint, told, at);
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
    const options = { provider, model, policy, idleMs, redact };
    return {
      model: `${name}/${model}`,
      embed: async (...asked) =>
        (await import('./embedding.ts')).createEmbedder(options).embed(...asked),
    };
  }

  /** Returns the window as the server reports it, or as the table has it. */
  private async windowOf(
    host: Host,
    model: string,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { provider } = host;
    const said = await provider.window?.(model, signal);
    const profile = await this.profileOf(host, model);
    return pickSmallerLimit(said ?? this.windows?.(`${provider.name}/${model}`), profile?.window);
  }

  /** Asks for the model's window during its first answer: later prompts are long enough to need it. */
  private learnWindow(host: Host, model: string): void {
    if (host.measured.has(model)) return;
    host.measured.add(model);
    void host.provider.window?.(model, new AbortController().signal);
  }

  /** Returns the doctor's measurements if the model is still the same edition. */
  private async profileOf({ provider }: Host, model: string): Promise<Profile | undefined> {
    const { profiles } = this;
    const now = Date.now();
    // The server is asked for a model's edition only if there is a profile to compare the edition with.
    if (!hasProfile(profiles, provider.endpoint, model)) return undefined;
    const edition = await provider.edition?.(model);
    return profileFor(profiles, provider.endpoint, model, edition, now);
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

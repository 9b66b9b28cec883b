/**
 * The interface of a provider. One file implements it for each wire protocol. The gateway adds everything
 * that does not depend on the protocol: queueing, retries, the split between thinking and answer,
 * structured output, and timing.
 */
import type { About, Message, Usage } from '../kernel/model.ts';
import type { Folder, ToolCall, ToolInfo } from '../kernel/tools/tools.ts';
import type { Batches, Send } from './batch/batches.ts';
import type { Failure } from './failure.ts';
import type { Rates } from './prices.ts';
import type { ServerMemory } from './told.ts';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One request, ready to be sent. */
export interface ProviderRequest {
  /** The task and the contents of the prompt, for the stand-in. Neither is sent to a model. */
  readonly task: string;
  readonly about?: About | undefined;
  /** The model's name without our `provider/` prefix. */
  readonly model: string;
  readonly seatId: string;
  readonly role: string;
  /** The system prompt; empty: none is sent. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly schema?: JsonSchema | undefined;
  /** The tools that the model may use. */
  readonly tools?: readonly ToolInfo[] | undefined;
  /** True if the tools were used in earlier messages and must not be used now. */
  readonly toolsClosed?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** The smallest context to load the model with, in tokens. Only for servers that take a size. */
  readonly room?: number | undefined;
  /** The most tokens of the answer without thinking, if `maxTokens` is absent: see `tokensToAsk`. */
  readonly answerTokens?: number | undefined;
  readonly seed?: number | undefined;
  /** False: the model is told not to think, if the protocol supports that. */
  readonly think?: boolean | undefined;
  /** The context window by another source, in tokens; the smaller one applies. */
  readonly window?: number | undefined;
  /**
   * Shared by calls of one run with a common prefix, so that a provider can route them to the same cache.
   * At most 64 characters; it does not reveal the run.
   */
  readonly cacheKey?: string | undefined;
  /** Set if the prompt's prefix is needed again later than a provider caches it by default. */
  readonly cacheFor?: 'hour' | undefined;
  /** The thinking effort: a level that the model supports, as far as known. */
  readonly effort?: string | undefined;
}

/** A model's abilities by its server. What is unknown is absent, and is then tried. */
export interface Abilities {
  /** Whether it supports tools. */
  readonly tools?: boolean | undefined;
  /**
   * Whether it keeps to a schema; `untold`: servers of its kind usually report it, but this one does not.
   */
  readonly schema?: boolean | 'untold' | undefined;
  /** The levels of effort that it supports; empty: none. */
  readonly efforts?: readonly string[] | undefined;
}

/** The limits of one attempt, and the callbacks that it reports to. */
export interface AttemptContext {
  /** Aborted when the caller stops the call. */
  readonly signal: AbortSignal;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  /** Milliseconds without any data after which the attempt is given up. */
  readonly idleMs: number;
  /** Called when the idle time is over before the first data; returns whether to go on waiting. */
  readonly keepAlive?: (() => Promise<boolean>) | undefined;
  /** Called when data of the answer arrives. */
  readonly onBytes: () => void;
  readonly onText: (text: string) => void;
  readonly onThinking: (text: string) => void;
  /** See `CallContext`; only for calls of a run. */
  readonly run?: string | undefined;
  readonly folders?: readonly Folder[] | undefined;
  readonly mayRunUnsandboxed?: boolean | undefined;
  /** Sends the request as part of a batch. Absent: it is sent by itself. */
  readonly send?: Send | undefined;
}

/**
 * How one attempt ended. Its text was already passed to `onText` and `onThinking`. `usage` is what the
 * provider had reported by then; its output is a count of the text so far or of all of it. A figure that
 * was not reported is 0.
 */
export type Attempt = {
  readonly usage: Usage;
  readonly notes: readonly string[];
  /** The model name that the server reported; undefined if none. It is untrusted text. */
  readonly served?: string | undefined;
} & (
  | {
      readonly ok: true;
      /** The tools that the model wants to use; only if tools were offered. */
      readonly calls?: readonly ToolCall[] | undefined;
      /** The turn in the provider's own format, to be sent back with the results. JSON-serialisable. */
      readonly turn?: unknown;
    }
  | { readonly ok: false; readonly failure: Failure }
);

/** A model that a provider offers. */
export interface ModelInfo {
  /** `ollama/qwen3:8b`: what `--seat` takes. */
  readonly spec: string;
  /** The context window in tokens, if the provider reports it. */
  readonly contextWindow?: number | undefined;
  /** The size on disk, for local models. */
  readonly sizeBytes?: number | undefined;
  /** One phrase for a person: `8.2B Q4_K_M`, `Claude Sonnet 5.5`. */
  readonly note?: string | undefined;
}

/** A model in the memory of a local server, by `/api/ps`. */
export interface LoadedModel {
  readonly model: string;
  /** When the server plans to unload it, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The context that it was loaded with in tokens, if the server reports it. */
  readonly context?: number | undefined;
}

/** The price of a model, as its server's list of models states it. */
export interface ListedRates {
  readonly rates: Rates;
  /** The day on which the server was asked for the list, `2026-11-27`. */
  readonly asOf: string;
}

/** Sends requests to models by one wire protocol. */
export interface Provider {
  readonly name: string;
  /** The address for a person: a URL without credentials, or `built in`. */
  readonly endpoint: string;
  /**
   * Whether the server may queue a request silently behind others, as a machine with one GPU does. Such a
   * wait does not count as a dead connection.
   */
  readonly queues: boolean;
  /**
   * True if its servers enforce schemas without the bounds of numbers; see `withListedNumbers`. Absent: they
   * are said to enforce all of it, until an answer shows otherwise.
   */
  readonly ignoresBounds?: true | undefined;
  /**
   * True if the server is not set up: it is asked only by name, or when all servers are searched. Absent:
   * every listing of models asks it.
   */
  readonly isUnasked?: boolean | undefined;
  /** Whether a subscription pays for its answers, so that they have no price. */
  readonly onPlan?: boolean | undefined;
  /** The tokens that it adds to every prompt itself. Absent: none. */
  readonly ownPrompt?: number | undefined;
  /** See `Models.consent` and `Models.endRun`. */
  consent?(): Promise<string | undefined>;
  endRun?(run: string): Promise<void>;
  /**
   * Sends a request. Failures of a server, a network or a model are results; the promise does not reject
   * for them.
   */
  stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt>;
  /** Lists the models. Rejects with a `ProviderFailure`. */
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * Returns the setting to change, and the address to set, if the server's address does not speak the
   * protocol but another address on the same host does. Never rejects. Absent: no address is searched.
   */
  suggestAddress?(): Promise<string | undefined>;
  /**
   * Returns a model's context window in tokens; undefined if the server does not report it. Never rejects.
   */
  window?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** Returns a model's abilities. Never rejects. Absent: everything is tried. */
  abilities?(model: string, signal: AbortSignal): Promise<Abilities>;
  /**
   * Returns whether a model of a local server runs on another company's machine, and so is not free.
   * Absent: no such models.
   */
  isRemote?(model: string): boolean;
  /** Returns the server's version, for a person. Rejects with a `ProviderFailure`. Absent: it has none. */
  version?(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Returns the current edition of a model; a new edition under the same name may behave differently.
   * Absent if a name always means the same model. Never rejects.
   */
  edition?(model: string): Promise<string | undefined>;
  /**
   * Returns vectors of texts, unchecked. Absent: it has no embedding models. Rejects with a
   * `ProviderFailure`.
   */
  embed?(
    model: string,
    texts: readonly string[],
    context: Pick<AttemptContext, 'signal' | 'idleMs'>,
  ): Promise<unknown>;
  /**
   * Returns a model's price by the server's own list, once that was requested. Absent: its lists have no
   * prices.
   */
  rates?(model: string): ListedRates | undefined;
  /** Requests that list, once. Never rejects. Absent: nothing is paid, or the list has no prices. */
  learnRates?(): Promise<void>;
  /** Its batches, answered within a day at half the price. Absent: it has none. */
  readonly batches?: Batches;
  /** What its server has reported before. Absent: nothing is remembered. */
  readonly memory?: Pick<ServerMemory, 'recall' | 'changed'>;
  /**
   * Returns the models in the server's memory; undefined if the server does not report them. Absent: there
   * is no such limit.
   */
  listLoaded?(): Promise<readonly LoadedModel[] | undefined>;
}

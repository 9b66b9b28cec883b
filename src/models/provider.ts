/**
 * The interface of a provider. One file implements it for each wire protocol. The gateway adds everything
 * that does not depend on the protocol: queueing, retries, the split between thinking and answer,
 * structured output, and timing.
 */
import type { Message, PromptContents, Usage } from '../kernel/model.ts';
import type { Folder, ToolCall, ToolInfo } from '../kernel/tools/tools.ts';
import type { Batches, Send } from './batch/batches.ts';
import type { Failure } from './failure.ts';
import type { Rates } from './prices.ts';
import type { ServerMemory } from './told.ts';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One request to a model, before it is put into the form of a provider's API. */
export interface ProviderRequest {
  /** The protocol and kind of call, for the stand-in. Never sent to a model. */
  readonly task: string;
  /** The contents of the prompt as plain values, for the stand-in. Never sent to a model. */
  readonly about?: PromptContents | undefined;
  /** The model's name without the prefix `provider/`. */
  readonly model: string;
  readonly seatId: string;
  readonly role: string;
  /** The system prompt; empty: none is sent. */
  readonly system: string;
  readonly messages: readonly Message[];
  /** The form that the answer must have; absent if there is none or it is in the prompt. */
  readonly schema?: JsonSchema | undefined;
  /** The tools that the model may use. */
  readonly tools?: readonly ToolInfo[] | undefined;
  /** True if the tools were used in earlier messages and must not be used now. */
  readonly toolsClosed?: boolean | undefined;
  readonly temperature?: number | undefined;
  /** The most tokens of the answer, thinking included. */
  readonly maxTokens?: number | undefined;
  /** The smallest context to load the model with, in tokens, for servers that take a size. */
  readonly room?: number | undefined;
  /**
   * The most tokens of the answer without thinking, used if `maxTokens` is absent: see
   * `tokensToAsk`.
   */
  readonly answerTokens?: number | undefined;
  readonly seed?: number | undefined;
  /** False: the model is told not to think, if the protocol supports that. */
  readonly think?: boolean | undefined;
  /**
   * The context window in tokens: what the server reports, or else the program's table has, and at most what the
   * doctor measured. Absent if it is unknown, or not looked up because the prompt is short. If the server reports a
   * smaller window, that one applies.
   */
  readonly window?: number | undefined;
  /**
   * A key of at most 64 characters that calls of one run with a common prefix share, so that a
   * provider can route them to the same cache. The key does not reveal the run.
   */
  readonly cacheKey?: string | undefined;
  /**
   * Set if the beginning of the prompt will be needed again later than a provider caches it by
   * default.
   */
  readonly cacheFor?: 'hour' | undefined;
  /**
   * The thinking effort, a level that the model supports as far as known; absent: the model's
   * default.
   */
  readonly effort?: string | undefined;
}

/**
 * What a model can do, as its server reports. A field is absent if the server does not report it;
 * the feature is then tried.
 */
export interface Abilities {
  /** Whether it supports tools. */
  readonly tools?: boolean | undefined;
  /**
   * Whether the model keeps to a schema. `untold`: servers of this kind usually report it, but this
   * one does not.
   */
  readonly schema?: boolean | 'untold' | undefined;
  /** The levels of thinking effort that the model supports; empty: none. */
  readonly efforts?: readonly string[] | undefined;
}

/** The limits of one attempt, and the callbacks that it reports to. */
export interface AttemptContext {
  /** Aborted when the caller stops the call. */
  readonly signal: AbortSignal;
  /** The number of the request within its call, from 1. */
  readonly attempt: number;
  /** Milliseconds without any data after which the attempt is given up. */
  readonly idleMs: number;
  /**
   * Called when the idle time is over before the first data. Resolves to whether to go on waiting.
   */
  readonly keepAlive?: (() => Promise<boolean>) | undefined;
  /** Called when data of the answer arrives. */
  readonly onBytes: () => void;
  readonly onText: (text: string) => void;
  readonly onThinking: (text: string) => void;
  /** The id of the run; only for calls of a run. */
  readonly run?: string | undefined;
  /** The folders that the run's seats may read, for agents that read files by themselves. */
  readonly folders?: readonly Folder[] | undefined;
  /** Whether a person has allowed agents to act without a sandbox. */
  readonly mayRunUnsandboxed?: boolean | undefined;
  /** Sends the request as part of a batch. Absent: the request is sent by itself. */
  readonly send?: Send | undefined;
}

/**
 * How one attempt ended; its text was already passed to `onText` and `onThinking`. `usage` is what
 * the provider had reported by the end of the attempt, with 0 for figures that it did not report.
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
      /**
       * The turn in the provider's own format, which must be sent back with the tools' results.
       * JSON-serialisable.
       */
      readonly turn?: unknown;
    }
  | { readonly ok: false; readonly failure: Failure }
);

/** A model that a provider offers. */
export interface ModelInfo {
  /** The model's full name as `--seat` takes it, such as `ollama/qwen3:8b`. */
  readonly spec: string;
  /** The context window in tokens, if the provider reports it. */
  readonly contextWindow?: number | undefined;
  /** The size on disk, for local models. */
  readonly sizeBytes?: number | undefined;
  /** One phrase for a person: `8.2B Q4_K_M`, `Claude Sonnet 5.5`. */
  readonly note?: string | undefined;
}

/** A model that a local server has in memory. */
export interface LoadedModel {
  /** The model's name without its provider. */
  readonly model: string;
  /** When the server plans to unload it, in milliseconds since the epoch; infinity if unknown. */
  readonly expiresAt: number;
  /**
   * The context that the model was loaded with, in tokens; absent if the server does not report it.
   */
  readonly context?: number | undefined;
}

/** The price of a model, as its server's list of models states it. */
export interface ListedRates {
  readonly rates: Rates;
  /** The day on which the server was asked for the list, `2026-11-27`. */
  readonly asOf: string;
}

/** Sends requests to models in the wire protocol of one kind of server. */
export interface Provider {
  readonly name: string;
  /** Where it is, for a person: a URL, the command of a coding agent, or `built in`. */
  readonly endpoint: string;
  /**
   * Whether the server may queue a request silently behind others, as a machine with one GPU does.
   * While a request waits in such a queue, its connection does not count as dead.
   */
  readonly queues: boolean;
  /**
   * True if its servers enforce schemas without the bounds of numbers; see `withListedNumbers`.
   * Absent: the servers are assumed to enforce the whole schema, until an answer shows otherwise.
   */
  readonly ignoresBounds?: true | undefined;
  /**
   * True if the server is not set up: it is asked only by name, or, if it is on this machine, when
   * all servers are searched.
   * Absent: every listing of models asks the server.
   */
  readonly isUnasked?: boolean | undefined;
  /**
   * The failure of every request, because a setting such as the key is missing or wrong. Absent: the
   * settings suffice, as far as they show without asking the server or starting a program.
   */
  readonly fault?: Failure | undefined;
  /** Whether a subscription pays for its answers, so that they have no price. */
  readonly onPlan?: boolean | undefined;
  /** The tokens that the provider itself adds to every prompt. Absent: none. */
  readonly ownPrompt?: number | undefined;
  /** Returns the question that a person must answer before the first call, see `Models.consent`. */
  consent?(): Promise<string | undefined>;
  /** Ends the processes that were started for a run, see `Models.endRun`. */
  endRun?(run: string): Promise<void>;
  /**
   * Sends a request and passes its answer on while it arrives. Failures of a server, a network or a
   * model are results; the promise does not reject for them.
   */
  stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt>;
  /** Lists the models. Rejects with a `ProviderFailure` if the server cannot be asked. */
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * Finds a better address if the configured one does not speak the protocol but another address on
   * the same host does. Resolves to the setting to change and its new value, or to undefined. Never
   * rejects. Absent: no address is searched.
   */
  suggestAddress?(): Promise<string | undefined>;
  /**
   * Returns a model's context window in tokens; undefined if the server does not report it. Never rejects.
   */
  window?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** Returns what a model can do. Never rejects. Absent: everything is tried. */
  abilities?(model: string, signal: AbortSignal): Promise<Abilities>;
  /**
   * Returns whether a model of a local server runs on another company's machine and so is not free.
   * Absent: there are no such models.
   */
  isRemote?(model: string): boolean;
  /**
   * Returns the server's version, for a person. Rejects with a `ProviderFailure`. Absent: the
   * server has none.
   */
  version?(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Returns the edition of a model: an identifier that changes when another model is served under
   * the same name. Undefined if the server does not answer or lacks the model. Never rejects. Absent:
   * a name always means the same model.
   */
  edition?(model: string): Promise<string | undefined>;
  /**
   * Returns the vectors of texts as the server sent them, unchecked. Rejects with a
   * `ProviderFailure`. Absent: the provider has no embedding models.
   */
  embed?(
    model: string,
    texts: readonly string[],
    context: Pick<AttemptContext, 'signal' | 'idleMs'>,
  ): Promise<unknown>;
  /**
   * Returns the price in the server's own list of models, once `learnRates` has fetched the list.
   * Absent: the lists of this provider have no prices.
   */
  rates?(model: string): ListedRates | undefined;
  /**
   * Fetches the server's list of models with prices, unless it was fetched already. Never rejects.
   * Absent: nothing is paid, or the list has no prices.
   */
  learnRates?(): Promise<void>;
  /**
   * The provider's batch API, which answers within a day at half the price. Absent: the provider
   * has none.
   */
  readonly batches?: Batches;
  /**
   * What the server has reported, in this process and in earlier ones. Absent: nothing is
   * remembered.
   */
  readonly memory?: Pick<ServerMemory, 'recall' | 'changed'>;
  /**
   * Returns the models in the server's memory; undefined if the server does not report them.
   * Absent: the server's memory does not limit its models.
   */
  listLoaded?(): Promise<readonly LoadedModel[] | undefined>;
}

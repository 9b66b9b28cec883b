/**
 * What a provider must be able to do. One file implements it for each wire protocol; the gateway
 * adds everything that does not depend on the protocol: queueing, retries, the split between
 * thinking and answer, structured output, timing.
 */
import type { About, Message, Usage } from '../kernel/model.ts';
import type { Folder, ToolCall, ToolInfo } from '../kernel/tools/tools.ts';
import type { Batches, Send } from './batch/batches.ts';
import type { Failure } from './failure.ts';
import type { Rates } from './prices.ts';
import type { ServerMemory } from './told.ts';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One request, ready to be sent: everything that can be decided without the provider is decided. */
export interface ProviderRequest {
  /** What it is for, and what it is about: for the stand-in. Neither is sent to anybody. */
  readonly task: string;
  readonly about?: About | undefined;
  /** The model as the provider calls it, without our `provider/` prefix. */
  readonly model: string;
  readonly seatId: string;
  readonly role: string;
  /** The system prompt; empty: none is sent. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly schema?: JsonSchema | undefined;
  /** What the model may call, in the protocol's own way. */
  readonly tools?: readonly ToolInfo[] | undefined;
  /** It was offered these before, as the messages show, and is not to call any now. */
  readonly toolsClosed?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** The least context to load the model with, in tokens. Only servers that are told a size use it. */
  readonly room?: number | undefined;
  /** Most tokens of the answer alone, where `maxTokens` is not given: see `tokensToAsk`. */
  readonly answerTokens?: number | undefined;
  readonly seed?: number | undefined;
  /** False: the model is told not to think, where the protocol has a word for it. */
  readonly think?: boolean | undefined;
  /** The context window as somebody else knows it, in tokens; the smaller one holds. */
  readonly window?: number | undefined;
  /**
   * The same for calls of one run that begin alike, so that a provider can send them where that is cached.
   * Up to 64 characters; says nothing of the run to anybody else.
   */
  readonly cacheKey?: string | undefined;
  /** What the prompt begins with is read again later than a provider keeps it by default. */
  readonly cacheFor?: 'hour' | undefined;
  /** How hard the model is to think, by a level that it knows as far as that is known. */
  readonly effort?: string | undefined;
}

/** What a model can do, as its server tells it. What nobody tells is left out: then it is tried. */
export interface Abilities {
  /** Whether it can be offered tools. */
  readonly tools?: boolean | undefined;
  /** Whether it keeps to a schema that it is given; `untold`: a server of its kind would say so, and does not. */
  readonly schema?: boolean | 'untold' | undefined;
  /** The levels of effort that it knows; empty: none. */
  readonly efforts?: readonly string[] | undefined;
}

/** What one attempt may use, and whom it tells. */
export interface AttemptContext {
  /** Aborted when the caller stops the call. */
  readonly signal: AbortSignal;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  /** Give up after this long without a byte. */
  readonly idleMs: number;
  /** Asked when the idle time is over before the first byte came: may we go on waiting? */
  readonly keepAlive?: (() => Promise<boolean>) | undefined;
  /** Bytes of the answer arrived. */
  readonly onBytes: () => void;
  readonly onText: (text: string) => void;
  readonly onThinking: (text: string) => void;
  /** See `CallContext`: of calls that belong to a run. */
  readonly run?: string | undefined;
  readonly folders?: readonly Folder[] | undefined;
  readonly mayRunUnsandboxed?: boolean | undefined;
  /** Takes the request where it is not sent by itself. Absent: it is. */
  readonly send?: Send | undefined;
}

/**
 * How one attempt ended. Whatever was said went through `onText` and `onThinking` already.
 * `usage` is what the provider had reported by then: of the output, only a count of what was said so
 * far or of all of it. 0 stands for what it has not reported.
 */
export type Attempt = {
  readonly usage: Usage;
  readonly notes: readonly string[];
  /** The model as the server named it in its answer; undefined where it named none. Anything may be in it. */
  readonly served?: string | undefined;
} & (
  | {
      readonly ok: true;
      /** What the model wants to call; only where it was offered tools. */
      readonly calls?: readonly ToolCall[] | undefined;
      /** The turn as the provider wants it back with the results. JSON. */
      readonly turn?: unknown;
    }
  | { readonly ok: false; readonly failure: Failure }
);

/** A model that a provider offers. */
export interface ModelInfo {
  /** `ollama/qwen3:8b`: what `--seat` takes. */
  readonly spec: string;
  /** In tokens, where the provider says so. */
  readonly contextWindow?: number | undefined;
  /** On disk, for local models. */
  readonly sizeBytes?: number | undefined;
  /** One phrase for a person: `8.2B Q4_K_M`, `Claude Sonnet 5.5`. */
  readonly note?: string | undefined;
}

/** A model in the memory of a local server, by `/api/ps`. */
export interface LoadedModel {
  readonly model: string;
  /** When the server means to drop it, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The context that it was loaded with, in tokens, where the server says so. */
  readonly context?: number | undefined;
}

/** The price of a model, as its server's list of models states it. */
export interface ListedRates {
  readonly rates: Rates;
  /** The day on which the server was asked for the list, `2026-11-27`. */
  readonly asOf: string;
}

export interface Provider {
  readonly name: string;
  /** Where it looks, for a person: a URL without credentials, or `built in`. */
  readonly endpoint: string;
  /**
   * Whether the server may let a request wait behind others before it answers at all, as a
   * machine with one GPU does. Such a wait is not taken for a dead connection.
   */
  readonly queues: boolean;
  /**
   * Nobody has set the server up: it is asked by name, and where every server is looked for. Absent: a search
   * for models asks it too.
   */
  readonly isUnasked?: boolean | undefined;
  /** Its answers are paid for by a subscription: they have no price, and none is counted. */
  readonly onPlan?: boolean | undefined;
  /** Tokens that it adds to every prompt by itself. Absent: none. */
  readonly ownPrompt?: number | undefined;
  /** See `Models`. */
  consent?(): Promise<string | undefined>;
  endRun?(run: string): Promise<void>;
  /** Never rejects for what a server, a network or a model does. */
  stream(request: ProviderRequest, context: AttemptContext): Promise<Attempt>;
  /** Rejects with a `ProviderFailure`. */
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /**
   * What to do where nothing of the protocol is at the server's address: which setting to change to which
   * address, where another one below the same host answers. Never rejects. Absent: none is looked for.
   */
  suggestAddress?(): Promise<string | undefined>;
  /** A model's context window in tokens; undefined where the server does not say. Never rejects. */
  window?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** What the model can do. Never rejects. Absent: everything is tried. */
  abilities?(model: string, signal: AbortSignal): Promise<Abilities>;
  /**
   * Whether somebody else's machine answers for a model of a server that is otherwise one's own: then it
   * is not free. Absent: no such models.
   */
  isRemote?(model: string): boolean;
  /** The server's version, for a person. Rejects with a `ProviderFailure`. Absent: it has none. */
  version?(signal: AbortSignal): Promise<string | undefined>;
  /**
   * What the model is right now: another edition may behave otherwise under the same name. Absent where a
   * name always means the same model. Never rejects.
   */
  edition?(model: string): Promise<string | undefined>;
  /**
   * Vectors of texts, as they came: nobody has checked them yet. Absent: it has no such models. Rejects
   * with a `ProviderFailure`.
   */
  embed?(
    model: string,
    texts: readonly string[],
    context: Pick<AttemptContext, 'signal' | 'idleMs'>,
  ): Promise<unknown>;
  /** What a model costs by the server's own list of models, once that was asked for. Absent: lists of its kind do not say. */
  rates?(model: string): ListedRates | undefined;
  /** Asks for that list, once. Never rejects. Absent: nobody is paid there, or the list says nothing. */
  learnRates?(): Promise<void>;
  /** Calls that are answered together within a day, at half the price. Absent: it takes none. */
  readonly batches?: Batches;
  /** What its server has told of itself. Absent: nothing is remembered of it. */
  readonly memory?: Pick<ServerMemory, 'recall' | 'changed'>;
  /** What the server holds in memory; undefined where it does not say. Absent: no such limit. */
  listLoaded?(): Promise<readonly LoadedModel[] | undefined>;
}

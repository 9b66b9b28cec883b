/**
 * The requests that the kernel sends to models, and the results. The rooms that talk to providers implement
 * `Models`; protocols and views see only these types.
 */
import * as z from 'zod';
import type { Folder, ToolAnswer, ToolCall, ToolInfo } from './tools/tools.ts';

/**
 * A model's name, `provider/model`. The part after the first slash may contain further slashes and colons.
 */
export type ModelSpec = string;

/** A role in a deliberation and the model that plays it. */
export interface Seat {
  /** Unique in the run: the role's slug, or `critic-2` for the second critic. */
  readonly id: string;
  readonly role: string;
  /** The role's display name: `Devil's Advocate`. */
  readonly title: string;
  readonly model: ModelSpec;
  /** The role's brief, sent as the system prompt. Empty: none is sent. */
  readonly brief: string;
  /** `#rrggbb`, for the seat's header. */
  readonly colour?: string | undefined;
  readonly temperature?: number | undefined;
  /** The thinking effort: `low`, `high`, … Absent: the model's default. */
  readonly effort?: string | undefined;
  /**
   * The effort of a helper outside the panel, such as the synthesizer: the level was chosen for the panel's
   * models. A model that does not know the level is asked without it, with a note. `effort` takes
   * precedence.
   */
  readonly effortIfKnown?: string | undefined;
}

export interface Message {
  readonly role: 'user' | 'assistant';
  /**
   * In order, stable parts first. A provider that caches prompts sets a breakpoint at the end of
   * every part marked `stable`; the others join the parts with a blank line.
   */
  readonly parts: readonly MessagePart[];
  /** For an assistant: the tools that it wants to use. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** For a user: the results of the preceding tool calls, in their order. */
  readonly results?: readonly ToolAnswer[] | undefined;
  /**
   * For an assistant: its turn in the provider's own format, which the provider requires in later requests.
   */
  readonly turn?: unknown;
}

export interface MessagePart {
  readonly text: string;
  readonly stable?: boolean | undefined;
}

/** A text that a prompt quotes, and whose it is. */
export interface Quoted {
  readonly from: string;
  readonly text: string;
}

/** The smallest and largest number that is asked for. */
export interface Amount {
  readonly least: number;
  readonly most: number;
}

/**
 * A prompt's contents as plain values, for the stand-in and for tests, which do not parse prompts. None of
 * it is sent to a model, and every field may be absent.
 */
export interface About {
  /** The question that the call serves, as the person put it. */
  readonly question?: string | undefined;
  /** The statements of others that the prompt quotes, in its order. */
  readonly heard?: readonly Quoted[] | undefined;
  /** The items to cite or to answer one by one, in the prompt's order: ids, places, predictions. */
  readonly items?: readonly string[] | undefined;
  /** The round that the call belongs to, from 1. */
  readonly round?: number | undefined;
  /** The number of the call among similar ones, such as a team's cycles or checks, from 1. */
  readonly turn?: number | undefined;
  /** The role that is left out of the round. */
  readonly absent?: string | undefined;
  /** How many words the answer is asked to have. */
  readonly words?: Amount | undefined;
  /** The number of entries that the answer is asked to have. */
  readonly count?: Amount | undefined;
  /** The headings that the answer must have, in order. */
  readonly headings?: readonly string[] | undefined;
  /** The block that the answer must end with. */
  readonly ending?: 'ballot' | 'vote' | undefined;
}

/** Limits on the length of a structured answer. */
export interface Limits {
  /** The answer is cut after this many tokens. Thinking does not count. */
  readonly tokens?: number | undefined;
  /**
   * Every text must have fewer characters than `text`, and no list more entries than `items`; otherwise the
   * model is asked again.
   */
  readonly text?: number | undefined;
  readonly items?: number | undefined;
  /**
   * The number of words that the answer is asked to have. A longer or shorter answer is accepted with a
   * note.
   */
  readonly words?: Amount | undefined;
  /** The same for the number of entries, by the name of their list. */
  readonly counts?: Readonly<Record<string, Amount>> | undefined;
}

/** All that identifies one call: two calls with equal requests are the same step, except for `task`. */
export interface ModelRequest {
  /** The task: the protocol and the kind of call, as in `board/answer`. Not part of the call's identity. */
  readonly task: string;
  /** Not part of the call's identity. */
  readonly about?: About | undefined;
  /**
   * The seats by the letters that hide their names in the prompt; readers of the answer are shown the
   * names. Not part of the call's identity.
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly seat: Seat;
  readonly messages: readonly Message[];
  /** The answer must be one JSON object of this shape. */
  readonly schema?: z.ZodType | undefined;
  /**
   * The tools that the model may use; the answer may then be tool calls. Cannot be combined with a schema.
   */
  readonly tools?: readonly ToolInfo[] | undefined;
  /** True if the tools were offered in earlier turns and must not be used in this one. */
  readonly toolsClosed?: true | undefined;
  /**
   * True if the structured answer is requested in a later turn, so that a turn without tool calls is not
   * the answer yet. Not part of the call's identity.
   */
  readonly formLater?: true | undefined;
  /**
   * Limits of an answer with a schema. Not part of the call's identity: calls had no limits in early logs.
   */
  readonly limits?: Limits | undefined;
  /** The most tokens that the answer may have. Absent: the provider's own limit. */
  readonly maxTokens?: number | undefined;
  /** The seed for providers that support one. */
  readonly seed?: number | undefined;
  /**
   * The context that most calls of the run to this model fit into, in tokens. A server that loads models with
   * a given context is asked for this size from the first call on, so that later calls need no reload. The
   * field is no part of a step's identity.
   */
  readonly room?: number | undefined;
}

/**
 * Tokens as counted by the provider, or estimated if the provider had not reported them by the end of the
 * call. `input` includes tokens read from or written to a cache.
 */
export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  /** The part of `input` that was read from the provider's prompt cache. */
  cached: z.number(),
  /** The part of `input` that was written to the provider's prompt cache. */
  cacheWritten: z.number(),
  /** The part of `cacheWritten` that is cached for an hour, which costs more; absent: none. */
  cacheWrittenForHour: z.number().optional(),
  /** The part of `output` that was spent on thinking, if the provider reports it. */
  thinking: z.number(),
  /** True if any part is an estimate; for a sum, if any call in it has one. */
  estimated: z.boolean().optional(),
});
export type Usage = Readonly<z.infer<typeof usageSchema>>;

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 };

/** The usage and cost of several calls. */
export interface Spent {
  /** The number of calls that ended, in whatever way. */
  readonly calls: number;
  readonly usage: Usage;
  /** US dollars of the calls whose price is known; see `unpriced`. */
  readonly costUsd: number;
  /** Calls whose price is not known. */
  readonly unpriced: number;
  /** Calls that a subscription pays for; absent if there is none. */
  readonly onPlan?: number | undefined;
}

/** Adds the usage of two calls. The sum is marked as estimated if either is. */
export function addUsage(left: Usage, right: Usage): Usage {
  const forHour = (left.cacheWrittenForHour ?? 0) + (right.cacheWrittenForHour ?? 0);
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cached: left.cached + right.cached,
    cacheWritten: left.cacheWritten + right.cacheWritten,
    thinking: left.thinking + right.thinking,
    ...(forHour > 0 ? { cacheWrittenForHour: forHour } : {}),
    ...(left.estimated === true || right.estimated === true ? { estimated: true } : {}),
  };
}

/** Why a call failed, in terms that do not depend on the provider. */
export type FailureCode =
  | 'unreachable' // no connection: refused, DNS, reset before an answer
  | 'auth' // 401, 403: no key or a wrong one
  | 'payment' // 402, or a billing error
  | 'not-found' // the model or the endpoint does not exist
  | 'rate-limited' // 429, still so after the retries or for longer than we wait
  | 'overloaded' // 503, 529
  | 'loading' // the server says that it is loading the model, for longer than we wait
  | 'redirected' // the server sends us on to another one; we do not go
  | 'server' // other 5xx
  | 'rejected' // another 4xx: the request itself was refused
  | 'too-long' // the prompt does not fit the model's context
  | 'interrupted' // the stream broke off, or ended without its end mark
  | 'malformed' // the stream is not what the protocol says
  | 'timeout' // nothing arrived for the idle time-out
  | 'truncated' // the answer was cut: at a token limit, or since it repeated itself
  | 'unfinished' // the server ended the answer for a reason that is no good end
  | 'refused' // the model declined to answer
  | 'empty' // the answer has no text
  | 'invalid-output' // the answer does not fit the schema, even when asked again
  | 'internal'; // a defect of ours

/** Failure codes as two or three words, for headings and tables. */
const FAILURE_LABELS: Readonly<Record<FailureCode, string>> = {
  unreachable: 'not reachable',
  auth: 'not authorized',
  payment: 'payment required',
  'not-found': 'not found',
  'rate-limited': 'rate limited',
  overloaded: 'overloaded',
  loading: 'still loading',
  redirected: 'redirected elsewhere',
  server: 'server error',
  rejected: 'request rejected',
  'too-long': 'prompt too long',
  interrupted: 'connection lost',
  malformed: 'malformed stream',
  timeout: 'timed out',
  truncated: 'cut before its end',
  unfinished: 'unfinished answer',
  refused: 'declined to answer',
  empty: 'empty answer',
  'invalid-output': 'unusable output',
  internal: 'internal error',
};

/**
 * Returns the label of a recorded failure code; undefined for an unknown code, such as one of another
 * version.
 */
export function failureLabel(code: string | undefined): string | undefined {
  const known = code !== undefined && Object.hasOwn(FAILURE_LABELS, code);
  return known ? FAILURE_LABELS[code as FailureCode] : undefined;
}

/** The result of a call. Failures are values: `Models.call` rejects only for defects of the program. */
export type ModelResult =
  | ({
      readonly status: 'done';
      readonly value?: unknown;
      /** The tools that the model wants to use; `text` is then not the answer. */
      readonly calls?: readonly ToolCall[] | undefined;
      /** See `Message.turn`. JSON-serialisable. */
      readonly turn?: unknown;
    } & Spoken)
  | ({
      readonly status: 'failed';
      readonly code: FailureCode;
      /** One sentence: the provider's own message if there is one. */
      readonly message: string;
      /** What a person can do about it. */
      readonly next?: string | undefined;
      /**
       * For `too-long`, if known: the model's context window in tokens, and the estimated tokens of the
       * request.
       */
      readonly window?: number | undefined;
      readonly needs?: number | undefined;
    } & Spoken)
  | ({ readonly status: 'stopped' } & Spoken);

/** The fields that every result has, however the call ended. */
export interface Spoken {
  /** The answer; the partial answer if the call failed or was stopped. */
  readonly text: string;
  /** The thinking that the model showed; not part of the answer. */
  readonly thinking: string;
  readonly usage: Usage;
  /** Milliseconds from the first attempt to the end, without time in a queue. */
  readonly latencyMs: number;
  /** Milliseconds from the last attempt's start to the first text; absent if none came. */
  readonly firstTokenMs?: number | undefined;
  /** The model name that the server reported, if it differs from the requested one: `gpt-5-2025-08-07`. */
  readonly served?: string | undefined;
  /** Requests sent, 1 or more; 0 if it was stopped in the queue. */
  readonly attempts: number;
  /** Notes for a person on what was changed or noticed: `repaired JSON`, `schema was ignored`. */
  readonly notes: readonly string[];
}

/** The fields of a call that never got an answer. */
export const UNSPOKEN: Spoken = {
  text: '',
  thinking: '',
  usage: NO_USAGE,
  latencyMs: 0,
  attempts: 0,
  notes: [],
};

/** Events of a running call. A view may miss some of them: the final result contains everything. */
export type CallEvent =
  /** The call waits in a queue; `behind` names what it waits for. */
  | { readonly type: 'queued'; readonly behind: string }
  /** A request was sent. Text of an earlier attempt is discarded. */
  | { readonly type: 'sent'; readonly attempt: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** An attempt failed; the next one starts in `delayMs`. */
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
      /** True if the server is still loading the model, which is no failure of the server. */
      readonly loading?: boolean | undefined;
      /**
       * True if nothing listens at the server's address: the call waits, as the server may be restarting.
       */
      readonly away?: boolean | undefined;
    };

export interface CallContext {
  /** Aborting it aborts the request at the server; the result is then `stopped`. */
  readonly signal: AbortSignal;
  /** The run that the call belongs to. Prompts of one run share a prefix and with it a prompt cache. */
  readonly run?: string | undefined;
  /** The call's step in the run; the same when the call is asked again after a stop. */
  readonly step?: string | undefined;
  /** See `Protocol.longPauses`. */
  readonly longPauses?: boolean | undefined;
  /** The folders that the run's seats may read, for agents that read files by themselves. */
  readonly folders?: readonly Folder[] | undefined;
  /** Whether a person has allowed agents to act without a sandbox. See `Models.consent`. */
  readonly mayRunUnsandboxed?: boolean | undefined;
  readonly onEvent: (event: CallEvent) => void;
}

/** The source of a price and its date. */
export interface PriceSource {
  /** The name of a price list, or of a server's own list of models, for a person. */
  readonly source: string;
  /** The date of the price, as in `2026-11-27`. */
  readonly asOf: string;
}

/** Calls models and knows their prices. */
export interface Models {
  call(request: ModelRequest, context: CallContext): Promise<ModelResult>;
  /**
   * Returns the cost of this usage in US dollars; undefined if no price is known. Local and rehearsed
   * models cost 0.
   */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /**
   * Returns the source of a model's price; undefined if the model has no price or costs nothing. Absent:
   * sources are not known.
   */
  priceSource?(model: ModelSpec): PriceSource | undefined;
  /**
   * Returns the question that a person must answer before a model may be called that can do more than
   * answer; undefined if there is nothing to ask. Absent: there never is.
   */
  consent?(model: ModelSpec): Promise<string | undefined>;
  /**
   * Returns the tokens that the model's agent or server adds to every prompt, as far as known. Absent:
   * none.
   */
  ownPrompt?(model: ModelSpec): number;
  /** Ends the processes that were started for a run's calls. Absent: none are. */
  endRun?(run: string): Promise<void>;
  /** Returns the text without known keys, to be stored. Absent: there are no keys. */
  readonly conceal?: ((text: string) => string) | undefined;
}

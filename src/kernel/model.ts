/**
 * The requests that the kernel sends to models, and the results. The rooms that talk to providers implement
 * `Models`; protocols and views see only these types.
 */
import * as z from 'zod';
import type { FailureCode } from './errors.ts';
import type { Folder, ToolAnswer, ToolCall, ToolInfo } from './tools/tools.ts';

/**
 * A model's name, `provider/model`. The part after the first slash may contain further slashes and colons.
 */
export type ModelSpec = string;

/** A role in a deliberation and the model that plays it. */
export interface Seat {
  /** Unique in the run: the role's slug, or `critic-2` for the second critic. */
  readonly id: string;
  /** The slug of the role, such as `critic`. */
  readonly role: string;
  /** The role's display name: `Devil's Advocate`. */
  readonly title: string;
  readonly model: ModelSpec;
  /** The role's brief, sent as the system prompt. Empty: none is sent. */
  readonly brief: string;
  /** The color of the seat's header, as `#rrggbb`. */
  readonly colour?: string | undefined;
  /** The sampling temperature; absent: the model's default. */
  readonly temperature?: number | undefined;
  /** The thinking effort: `low`, `high`, … Absent: the model's default. */
  readonly effort?: string | undefined;
  /**
   * The thinking effort of a helper outside the panel, such as the synthesizer, taken from the
   * panel's setting. A model that does not know this level is asked without it, and the reply has a
   * note. `effort` takes precedence.
   */
  readonly effortIfKnown?: string | undefined;
}

/** A message of a conversation with a model. */
export interface Message {
  readonly role: 'user' | 'assistant';
  /**
   * The texts of the message, with parts that stay the same between calls first. A provider that
   * caches prompts sets breakpoints at the ends of parts marked `stable`, as many as it may; other
   * providers join the parts with a blank line.
   */
  readonly parts: readonly MessagePart[];
  /** For an assistant: the tools that it wants to use. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** For a user: the results of the preceding tool calls, in their order. */
  readonly results?: readonly ToolAnswer[] | undefined;
  /**
   * For an assistant: the turn in the provider's own format. Providers that return such a turn
   * require it in later requests.
   */
  readonly turn?: unknown;
}

/** A part of a message's text. */
export interface MessagePart {
  readonly text: string;
  /** True if later calls of the run begin with the same part, so that a provider may cache it. */
  readonly stable?: boolean | undefined;
}

/** A text that a prompt quotes, and its source. */
export interface Quoted {
  /** The seat or document that the text is from. */
  readonly from: string;
  readonly text: string;
}

/** The smallest and largest number that a prompt asks for. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/**
 * The contents of a prompt as plain values. They are for tests and for the built-in stand-in for
 * models, neither of which parses prompts. No field is sent to a model, and every field may be absent.
 */
export interface PromptContents {
  /** The question that the call serves, as the person put it. */
  readonly question?: string | undefined;
  /** The statements of others that the prompt quotes, in the order of the prompt. */
  readonly heard?: readonly Quoted[] | undefined;
  /**
   * What the answer must cite or answer one by one, such as ids or predictions, in the order of the
   * prompt.
   */
  readonly items?: readonly string[] | undefined;
  /** The round that the call belongs to, from 1. */
  readonly round?: number | undefined;
  /** The number of the call among similar ones, such as a team's cycles or checks, from 1. */
  readonly turn?: number | undefined;
  /** The role that takes no part in the round. */
  readonly absent?: string | undefined;
  /** How many words the answer is asked to have. */
  readonly words?: NumberRange | undefined;
  /** The number of entries that the answer is asked to have. */
  readonly count?: NumberRange | undefined;
  /** The headings that the answer must have, in order. */
  readonly headings?: readonly string[] | undefined;
  /** The kind of block that the answer must end with. */
  readonly ending?: 'ballot' | 'vote' | undefined;
}

/** Limits of a structured answer. A limit that is absent does not apply. */
export interface Limits {
  /** The answer is cut after this many tokens. Thinking does not count. */
  readonly tokens?: number | undefined;
  /** Every text must have fewer characters than this; otherwise the model is asked again. */
  readonly text?: number | undefined;
  /** The most entries that a list may have; otherwise the model is asked again. */
  readonly items?: number | undefined;
  /**
   * The number of words that the answer is asked to have. A longer or shorter answer is accepted with a
   * note.
   */
  readonly words?: NumberRange | undefined;
  /**
   * The number of entries that the answer is asked to have, by the name of the list. Other numbers
   * are accepted with a note.
   */
  readonly counts?: Readonly<Record<string, NumberRange>> | undefined;
}

/**
 * Everything that a call to a model is made from. Under one step key, equal requests are the same call, which is
 * made only once. Fields that are marked as not part of the identity may differ, and so may the seat's color
 * and title.
 */
export interface ModelRequest {
  /** The protocol and the kind of call, as in `board/answer`. Not part of the call's identity. */
  readonly task: string;
  /** The contents of the prompt as plain values. Not part of the call's identity. */
  readonly about?: PromptContents | undefined;
  /**
   * The id of each seat by the letter (`A`, `B`, …) that stands for the seat in the prompt, so that
   * the model does not know whose text it reads. People who read the answer see the seat's name in
   * place of the letter. Not part of the call's identity.
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly seat: Seat;
  readonly messages: readonly Message[];
  /** The shape of the one JSON object that the answer must be; absent if text is requested. */
  readonly schema?: z.ZodType | undefined;
  /**
   * The tools that the model may use; the answer may then be tool calls. Cannot be combined with a schema.
   */
  readonly tools?: readonly ToolInfo[] | undefined;
  /** True if the tools were offered in earlier turns and must not be used in this one. */
  readonly toolsClosed?: true | undefined;
  /**
   * True if a later turn requests the structured answer, so that a turn without tool calls is not
   * the final answer. Not part of the call's identity.
   */
  readonly formLater?: true | undefined;
  /**
   * Limits of an answer with a schema. Not part of the call's identity: calls had no limits in early logs.
   */
  readonly limits?: Limits | undefined;
  /**
   * The most tokens that the answer may have. Absent: the provider's own limit, or one that follows from
   * `limits.tokens`.
   */
  readonly maxTokens?: number | undefined;
  /** The seed for providers that support one. */
  readonly seed?: number | undefined;
  /**
   * The context size in tokens that most calls of the run to this model fit into. A server that
   * loads models with a fixed context is asked for this size from the first call on, so that later
   * calls need no reload. Not part of the call's identity.
   */
  readonly room?: number | undefined;
}

/**
 * The tokens of a call, as counted by the provider, or estimated if the provider had reported none
 * by the end of the call. `input` includes tokens that were read from or written to a prompt cache.
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
  /** The part of `output` that was spent on thinking; 0 if the provider does not report it. */
  thinking: z.number(),
  /**
   * True if any of these token counts is an estimate; in the sum of several calls, if any call has an estimated
   * count.
   */
  estimated: z.boolean().optional(),
});
/** The tokens that a call used. */
export type Usage = Readonly<z.infer<typeof usageSchema>>;

/** The usage of a call that used no tokens. */
export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 };

/** The usage and cost of several calls. */
export interface SpentTotal {
  /** The number of calls that ended, in whatever way. */
  readonly calls: number;
  readonly usage: Usage;
  /** The cost in US dollars of the calls whose price is known; `unpriced` counts the others. */
  readonly costUsd: number;
  /** The number of calls whose price is not known. */
  readonly unpriced: number;
  /** The number of calls that a subscription pays for; absent if there are none. */
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

/**
 * The result of a call. Failures are values: the promise of `Models.call` rejects only for defects
 * of the program.
 */
export type ModelResult =
  | ({
      readonly status: 'done';
      /** The structured answer; absent if text was requested. */
      readonly value?: unknown;
      /** The tools that the model wants to use; `text` is then not the answer. */
      readonly calls?: readonly ToolCall[] | undefined;
      /** The turn in the provider's own format, JSON-serialisable; see `Message.turn`. */
      readonly turn?: unknown;
    } & CommonResult)
  | ({
      readonly status: 'failed';
      readonly code: FailureCode;
      /** One sentence: the provider's own message if there is one. */
      readonly message: string;
      /** What a person can do about it. */
      readonly next?: string | undefined;
      /** The model's context window in tokens, for `too-long` if known. */
      readonly window?: number | undefined;
      /** The estimated tokens of the request, for `too-long`. */
      readonly needs?: number | undefined;
    } & CommonResult)
  | ({ readonly status: 'stopped' } & CommonResult);

/** The fields that every result has, however the call ended. */
export interface CommonResult {
  /** The answer; the partial answer if the call failed or was stopped. */
  readonly text: string;
  /** The thinking that the model showed; not part of the answer. */
  readonly thinking: string;
  readonly usage: Usage;
  /** Milliseconds from when the call first left the queue to its end. */
  readonly latencyMs: number;
  /** Milliseconds from the start of the last attempt to its first text; absent if no text came. */
  readonly firstTokenMs?: number | undefined;
  /** The model name that the server reported, if it differs from the requested one: `gpt-5-2025-08-07`. */
  readonly served?: string | undefined;
  /** The number of requests sent; 0 if the call was stopped in the queue. */
  readonly attempts: number;
  /** Sentences for a person on what was changed or noticed, such as `repaired JSON`. */
  readonly notes: readonly string[];
}

/** The fields of a call that was stopped or failed before any answer arrived. */
export const UNSPOKEN: CommonResult = {
  text: '',
  thinking: '',
  usage: NO_USAGE,
  latencyMs: 0,
  attempts: 0,
  notes: [],
};

/**
 * An event of a running call. A view may miss some events: the final result contains everything.
 */
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
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
      /** Why the previous attempt failed, for a person. */
      readonly reason: string;
      /** True if the server is still loading the model, which is no failure of the server. */
      readonly loading?: boolean | undefined;
      /**
       * True if no program listens at the server's address: the call waits, as the server may be
       * restarting.
       */
      readonly away?: boolean | undefined;
    };

/** The circumstances of a call that are not part of the request. */
export interface CallContext {
  /** Aborting this signal aborts the request at the server; the result is then `stopped`. */
  readonly signal: AbortSignal;
  /** The run that the call belongs to. Prompts of one run with the same brief can share a prompt cache. */
  readonly run?: string | undefined;
  /** The key of the call's step in the run; the same when the call is asked again after a stop. */
  readonly step?: string | undefined;
  /** True if calls of the run are more than five minutes apart; see `Protocol.longPauses`. */
  readonly longPauses?: boolean | undefined;
  /** The folders that the run's seats may read, for agents that read files by themselves. */
  readonly folders?: readonly Folder[] | undefined;
  /** Whether a person has allowed agents to act without a sandbox. See `Models.consent`. */
  readonly mayRunUnsandboxed?: boolean | undefined;
  /** Receives the events of the running call. */
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
  /**
   * Calls a model and resolves to its result, failures included. Rejects only for defects of the
   * program.
   */
  call(request: ModelRequest, context: CallContext): Promise<ModelResult>;
  /**
   * Returns the cost of this usage in US dollars; undefined if no price is known. Rehearsed models, those
   * that Ollama runs itself, and coding agents cost 0.
   */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /**
   * Returns the source of a model's price; undefined if the model has no price or costs nothing. Absent:
   * sources are not known.
   */
  priceSource?(model: ModelSpec): PriceSource | undefined;
  /**
   * Returns the question that a person must answer before this model is called, because it can do
   * more than answer, such as run commands. Returns undefined if the model needs no consent.
   * Absent: no model does.
   */
  consent?(model: ModelSpec): Promise<string | undefined>;
  /**
   * Returns the estimated tokens that the model's agent or server adds to every prompt. Absent:
   * none are added.
   */
  ownPrompt?(model: ModelSpec): number;
  /** Ends the processes that were started for a run's calls. Absent: no processes are started. */
  endRun?(run: string): Promise<void>;
  /** Returns the text with all known API keys masked, for storage. Absent: there are no keys. */
  readonly conceal?: ((text: string) => string) | undefined;
}

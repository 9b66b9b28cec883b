/**
 * What the kernel asks of a model, and what it gets back. The rooms that talk to providers
 * implement `Models`; protocols and views only ever see these types.
 */
import * as z from 'zod';
import type { Folder, ToolAnswer, ToolCall, ToolInfo } from './tools/tools.ts';

/** A model's address, `provider/model`: the model part may hold slashes and colons of its own. */
export type ModelSpec = string;

/** Someone who answers: a role at the table, played by one model. */
export interface Seat {
  /** Unique at this table: the role's slug, or `critic-2` for the second critic. */
  readonly id: string;
  readonly role: string;
  /** The role as people read it: `Devil's Advocate`. */
  readonly title: string;
  readonly model: ModelSpec;
  /** The role's brief, sent as the system prompt. Empty: none is sent. */
  readonly brief: string;
  /** `#rrggbb`, for the seat's header. */
  readonly colour?: string | undefined;
  readonly temperature?: number | undefined;
  /** How hard the model is to think: `low`, `high`, … Absent: as it does by itself. */
  readonly effort?: string | undefined;
  /**
   * The same for who sits on no panel: whoever was given a level for the panel has not looked what this model
   * knows. One that does not know the level is asked without it, and says so. `effort` goes before it.
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
  /** Of an assistant: the tools that it wants to use. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** Of a user: what these came to, in their order. */
  readonly results?: readonly ToolAnswer[] | undefined;
  /** Of an assistant: its turn in the form in which its provider wants it back. */
  readonly turn?: unknown;
}

export interface MessagePart {
  readonly text: string;
  readonly stable?: boolean | undefined;
}

/** Somebody's words as a prompt quotes them. */
export interface Quoted {
  readonly from: string;
  readonly text: string;
}

export interface Amount {
  readonly least: number;
  readonly most: number;
}

/**
 * What a prompt is about, in plain values: for the stand-in and for tests, which read no prompts. Nothing
 * of it is sent to a model, and all of it may be left out.
 */
export interface About {
  /** The question that the call serves, as the person put it. */
  readonly question?: string | undefined;
  /** What others said, in the order in which the prompt quotes it. */
  readonly heard?: readonly Quoted[] | undefined;
  /** What there is to cite or to go through one by one, in the prompt's order: ids, places, predictions. */
  readonly items?: readonly string[] | undefined;
  /** The round it belongs to, from 1. */
  readonly round?: number | undefined;
  /** Which one it is of several like it: a team's cycle, a check; from 1. */
  readonly turn?: number | undefined;
  /** The role that is left out of the round. */
  readonly absent?: string | undefined;
  /** How many words the answer is asked to have. */
  readonly words?: Amount | undefined;
  /** How many things are asked for. */
  readonly count?: Amount | undefined;
  /** The headings that the answer has to have, in order. */
  readonly headings?: readonly string[] | undefined;
  /** What the answer ends with, besides what it says. */
  readonly ending?: 'ballot' | 'vote' | undefined;
}

/** How long a structured answer may get, and is asked to be. */
export interface Limits {
  /** It is cut after so many tokens. What is thought before it does not count. */
  readonly tokens?: number | undefined;
  /** No text in it may have so many characters or more, no list more entries: it is asked for again. */
  readonly text?: number | undefined;
  readonly items?: number | undefined;
  /** How many words it is asked to have: with more or fewer it is taken, with a note. */
  readonly words?: Amount | undefined;
  /** The same of entries, by the name of their list. */
  readonly counts?: Readonly<Record<string, Amount>> | undefined;
}

/** One call, complete: the same request always means the same step. */
export interface ModelRequest {
  /** What it is for: whose task, then which, as in `board/answer`. No part of what makes it the same call. */
  readonly task: string;
  /** No part of what makes it the same call either. */
  readonly about?: About | undefined;
  /** Seats by the letters that stand for them in the prompt: who reads the answer is told names. No part of it either. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly seat: Seat;
  readonly messages: readonly Message[];
  /** The answer must be one JSON object of this shape. */
  readonly schema?: z.ZodType | undefined;
  /** What the model may use before it answers: the answer may be calls. Not together with a schema. */
  readonly tools?: readonly ToolInfo[] | undefined;
  /** They were offered in earlier turns, and are not to be used in this one. */
  readonly toolsClosed?: true | undefined;
  /** A turn that calls nothing is not the answer yet: that is asked for in a later one, by a schema. No part of it. */
  readonly formLater?: true | undefined;
  /** Of an answer with a schema. No part of what makes it the same call: calls had none once. */
  readonly limits?: Limits | undefined;
  /** Most tokens the answer may have; the provider's own limit otherwise. */
  readonly maxTokens?: number | undefined;
  /** Given to providers that take one. */
  readonly seed?: number | undefined;
  /**
   * The context that most calls of the run to this model fit into, in tokens. A server that loads models with
   * a given context is asked for this size from the first call on, so that later calls need no reload. The
   * field is no part of a step's identity.
   */
  readonly room?: number | undefined;
}

/**
 * Tokens as the provider counted them; where it had not counted by the end of the call, as they are
 * estimated. `input` includes what was read from or written to a cache.
 */
export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  /** Of `input`, read from the provider's prompt cache. */
  cached: z.number(),
  /** Of `input`, written to the provider's prompt cache. */
  cacheWritten: z.number(),
  /** Of `cacheWritten`, to be kept for an hour, which costs more; absent: nothing. */
  cacheWrittenForHour: z.number().optional(),
  /** Of `output`, spent on thinking, where the provider says so. */
  thinking: z.number(),
  /** True where a part of it is an estimate: of this call, or of one in this sum. */
  estimated: z.boolean().optional(),
});
export type Usage = Readonly<z.infer<typeof usageSchema>>;

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, cacheWritten: 0, thinking: 0 };

/** What two calls took together: an estimate as soon as one of them is. */
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

/** The same in two or three words, for headings and tables. */
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

/** The words for a code as the log has it, which another version or another hand may have written. */
export function failureLabel(code: string | undefined): string | undefined {
  const known = code !== undefined && Object.hasOwn(FAILURE_LABELS, code);
  return known ? FAILURE_LABELS[code as FailureCode] : undefined;
}

/** What a call came to. Failures are values: `Models.call` rejects for defects only. */
export type ModelResult =
  | ({
      readonly status: 'done';
      readonly value?: unknown;
      /** The tools that the model wants to use; its text is then not the answer. */
      readonly calls?: readonly ToolCall[] | undefined;
      /** See `Message`. JSON. */
      readonly turn?: unknown;
    } & Spoken)
  | ({
      readonly status: 'failed';
      readonly code: FailureCode;
      /** One sentence, in the provider's own words where it spoke. */
      readonly message: string;
      /** What a person can do about it. */
      readonly next?: string | undefined;
      /** Of `too-long`, where known: the tokens that the model holds, and about how many were needed. */
      readonly window?: number | undefined;
      readonly needs?: number | undefined;
    } & Spoken)
  | ({ readonly status: 'stopped' } & Spoken);

/** What is known of a call however it ended. */
export interface Spoken {
  /** The answer; the partial answer if the call failed or was stopped. */
  readonly text: string;
  /** Thinking the model showed, kept apart from the answer. */
  readonly thinking: string;
  readonly usage: Usage;
  /** Milliseconds from the first attempt to the end. Queueing is not in it. */
  readonly latencyMs: number;
  /** Milliseconds from the last attempt's start to the first text; absent if none came. */
  readonly firstTokenMs?: number | undefined;
  /** The model as its server named it, where that is another name than was asked for: `gpt-5-2025-08-07`. */
  readonly served?: string | undefined;
  /** Requests sent, 1 or more; 0 if it was stopped in the queue. */
  readonly attempts: number;
  /** What we changed or noticed, for a person: `repaired JSON`, `schema was ignored`. */
  readonly notes: readonly string[];
}

/** Of a call that nobody has answered. */
export const UNSPOKEN: Spoken = {
  text: '',
  thinking: '',
  usage: NO_USAGE,
  latencyMs: 0,
  attempts: 0,
  notes: [],
};

/** What happens inside a call while it runs. Lossy: a view that missed one is still right later. */
export type CallEvent =
  /** Waiting for a place: `behind` names what it waits for. */
  | { readonly type: 'queued'; readonly behind: string }
  /** A request was sent. Text of an earlier attempt no longer counts. */
  | { readonly type: 'sent'; readonly attempt: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** An attempt failed; the next one starts in `delayMs`. */
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
      /** The server is loading the model: a wait, and no fault of it. */
      readonly loading?: boolean | undefined;
      /** Nobody listens where the server was: it is waited for, as it may be starting again. */
      readonly away?: boolean | undefined;
    };

export interface CallContext {
  /** Aborts the request at the server; the result is then `stopped`. */
  readonly signal: AbortSignal;
  /** The run that it belongs to: its calls share what their prompts begin with. */
  readonly run?: string | undefined;
  /** Its step there: asked again after a stop, it is the same one. */
  readonly step?: string | undefined;
  /** See `Protocol`. */
  readonly longPauses?: boolean | undefined;
  /** The folders that the run's seats may look into, for a seat that does so by itself. */
  readonly folders?: readonly Folder[] | undefined;
  /** Whether a person has said that a seat may act without a sandbox. See `Models.consent`. */
  readonly mayRunUnsandboxed?: boolean | undefined;
  readonly onEvent: (event: CallEvent) => void;
}

/** Where a price is from. */
export interface PriceSource {
  /** A price list, or a server's own list of models. For a person. */
  readonly source: string;
  /** The day that it is of, `2026-11-27`. */
  readonly asOf: string;
}

export interface Models {
  call(request: ModelRequest, context: CallContext): Promise<ModelResult>;
  /** USD for this usage, or undefined where no price is known. Local and rehearsed models cost 0. */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /**
   * Where the price of a model is from; undefined where it has none or nothing is paid for it. Absent: that is not
   * known of any model.
   */
  priceSource?(model: ModelSpec): PriceSource | undefined;
  /**
   * What a person has to be asked before a model may be called, where it may do more than answer; undefined
   * where there is nothing to ask. Absent: nothing ever.
   */
  consent?(model: ModelSpec): Promise<string | undefined>;
  /** Tokens that whoever answers adds to every prompt of ours, by what is known of it. Absent: none. */
  ownPrompt?(model: ModelSpec): number;
  /** Ends what was started for a run's calls. Absent: nothing is. */
  endRun?(run: string): Promise<void>;
  /** The text without the keys that are known here, before it is stored. Absent: there are no keys. */
  readonly conceal?: ((text: string) => string) | undefined;
}

/**
 * The behaviours of test servers, in one list for all protocols: models misbehave in the same ways, only the
 * bytes differ.
 */

/** What a server does with a request. “The middle” comes after 40 % of the words of the answer. */
export type BehaviourName =
  | 'ok'
  /** Sends thoughts in the way of the server's API, and then the answer. */
  | 'thinking'
  /** Sends thoughts in a `<think>` block at the beginning of the answer. */
  | 'inline-thinking'
  /** Ends properly without any text. */
  | 'empty'
  /** Ends in the middle because the token limit is reached. */
  | 'max-tokens'
  /** Ends in the middle because the model refuses. */
  | 'refusal'
  /** Resets the connection in the middle. */
  | 'reset'
  /** Resets the connection before the first byte. */
  | 'reset-at-once'
  /** Ends the response in the middle, without the end mark of the server's API. */
  | 'no-end'
  /** Sends an error in the middle of a stream that began with status 200. */
  | 'error-event'
  /** Sends nothing, and keeps the connection open. */
  | 'stall-before-headers'
  /** Sends the headers with status 200, then nothing, and keeps the connection open. */
  | 'stall-after-headers'
  /** Stops sending in the middle, and keeps the connection open. */
  | 'stall-mid-stream'
  /** Ends the response in the middle of a record. */
  | 'truncated-line'
  /** Sends a record in the middle that is not JSON, and then the rest. */
  | 'malformed-line'
  /** Sends a record in the middle that is a JSON number, and then the rest. */
  | 'json-primitive'
  /** Sends bytes in the middle that are not UTF-8, and then the rest. */
  | 'invalid-utf8'
  /** Sends a record of 100 MB in the middle, and ends the response. */
  | 'long-line'
  /** Answers with a web page and status 200. */
  | 'web-page'
  /** Sends the whole answer and its end mark, and goes on sending text. */
  | 'talks-on'
  /** Sends every piece of the text twice. */
  | 'duplicates'
  /** Sends text after the answer until the client leaves. */
  | 'endless'
  /**
   * Sends the whole answer with its finish reason, but no usage and no end mark, and keeps the connection
   * open. Only for OpenAI.
   */
  | 'lingers'
  /** Answers that the model does not exist. */
  | 'not-installed';

/** An answer with an HTTP status and an error in the form of the server's API. */
export interface StatusBehaviour {
  readonly status: number;
  /** The header `retry-after`: seconds, or an HTTP date. */
  readonly retryAfter?: string;
  /** The header `retry-after-ms`: milliseconds. */
  readonly retryAfterMs?: string;
  readonly message?: string;
  /** The type of the error, for APIs whose errors have one. */
  readonly type?: string;
  /** The whole body, instead of the API's error. A body that begins with `<` is sent as HTML. */
  readonly body?: string;
  /** The address to which a redirect leads. */
  readonly location?: string;
  /** Whether the message repeats the key of the request, as a careless server may. */
  readonly echoKey?: boolean;
}

/** The whole answer, one byte every `dripMs` milliseconds. */
export interface DripBehaviour {
  readonly dripMs: number;
}

/**
 * The first 40 % of the answer, and then an end for the given reason. The reason is sent as it is; null: an
 * end without a reason.
 */
export interface EndBehaviour {
  readonly ends: string | null;
}

/** The given records, each sent as JSON, and then a proper end. */
export interface RecordsBehaviour {
  readonly records: readonly unknown[];
  /**
   * Whether the API's own beginning and end of an answer, and the word “said” after the beginning, are left
   * out.
   */
  readonly alone?: boolean;
}

/** What a server does with one request. */
export type Behaviour =
  | BehaviourName
  | StatusBehaviour
  | DripBehaviour
  | RecordsBehaviour
  | EndBehaviour;

/**
 * One behaviour for all requests, or a list for one request after the other, whose last behaviour is
 * repeated.
 */
export type Behaviours = Behaviour | readonly Behaviour[];

/** The behaviours of the next requests, by model. They may be changed while the server runs. */
export class BehaviourTable {
  private readonly table = new Map<string, readonly Behaviour[]>();

  constructor(initial: Readonly<Record<string, Behaviours>> = {}) {
    for (const [model, behaviours] of Object.entries(initial)) this.set(model, behaviours);
  }

  /** Replaces the behaviours of a model. */
  set(model: string, behaviours: Behaviours): void {
    this.table.set(model, Array.isArray(behaviours) ? behaviours : [behaviours as Behaviour]);
  }

  /** Takes the behaviour of the next request to a model: `ok` if none was set. */
  next(model: string): Behaviour {
    const [now, ...later] = this.table.get(model) ?? ['ok' as const];
    if (later.length > 0) this.table.set(model, later);
    return now ?? 'ok';
  }
}

/**
 * An answer of a model that calls tools, with the text and the thoughts before the calls. `arguments` may be
 * a text that is not JSON.
 */
export interface ToolCallingAnswer {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly text?: string;
  readonly thinking?: string;
}

/** The answer of test servers whose options give no other. Its last line has characters outside of ASCII. */
export const ANSWER = `Keep the monolith for now, and draw its inner lines first.

## Why

- The teams wait for each other at **release**, not while writing code.
- Two of the last ten incidents crossed a boundary that a split would have made.
- Nobody has yet said what would be better afterwards, or by how much.

## What would change my mind

If the release train still blocks a team twice a month after the inner lines are drawn, take out the
part that changes most, alone, and judge it after a quarter. Größe und Zahl der Dienste: später. 🙂
`;

/** The thoughts of models that behave as `thinking` or `inline-thinking`. */
export const THINKING =
  'The question is about release trains. I should look for the boundary first.';

/**
 * What a test server does with a request. One list for all protocols: how a model misbehaves is the
 * same, only the bytes differ.
 */

export type BehaviourName =
  | 'ok'
  /** Thinks in the protocol's own way, then answers. */
  | 'thinking'
  /** Thinks in a `<think>` block inside the answer. */
  | 'inline-thinking'
  /** Ends as it should, without a word. */
  | 'empty'
  /** Stops at the token limit. */
  | 'max-tokens'
  /** Declines. */
  | 'refusal'
  /** Closes the socket in the middle. */
  | 'reset'
  /** Closes the socket before a byte. */
  | 'reset-at-once'
  /** Ends the response properly, in the middle, without the end mark. */
  | 'no-end'
  /** An error inside a stream that began with 200. */
  | 'error-event'
  | 'stall-before-headers'
  /** Says 200 and then nothing. */
  | 'stall-after-headers'
  | 'stall-mid-stream'
  /** Ends in the middle of a record. */
  | 'truncated-line'
  /** A record that is not JSON, then goes on. */
  | 'malformed-line'
  /** A record that is JSON but no object. */
  | 'json-primitive'
  | 'invalid-utf8'
  /** A record of 100 MB. */
  | 'long-line'
  /** A web page with status 200. */
  | 'web-page'
  /** Sends its end mark and goes on sending. */
  | 'talks-on'
  /** Every piece of the text twice. */
  | 'duplicates'
  /** Never stops talking. */
  | 'endless'
  /** OpenAI: gives its finish reason and then neither usage nor an end. */
  | 'lingers'
  /** The model does not exist. */
  | 'not-installed';

export interface StatusBehaviour {
  readonly status: number;
  /** Seconds or an HTTP date. */
  readonly retryAfter?: string;
  readonly retryAfterMs?: string;
  readonly message?: string;
  /** The error type of the protocols that have one. */
  readonly type?: string;
  /** Sent as it is instead of the protocol's error; HTML if it begins with `<`. */
  readonly body?: string;
  /** Where a redirect leads. */
  readonly location?: string;
  /** Repeats the key of the request in the message, as a careless server may. */
  readonly echoKey?: boolean;
}

/** One byte every so many milliseconds. */
export interface DripBehaviour {
  readonly dripMs: number;
}

/** Half the answer, and then an end for this reason, as it is; null: an end without a reason. */
export interface EndBehaviour {
  readonly ends: string | null;
}

/** These records, as they are, and then a proper end. */
export interface RecordsBehaviour {
  readonly records: readonly unknown[];
  /** Without the protocol's own beginning and end around them. */
  readonly alone?: boolean;
}

export type Behaviour =
  | BehaviourName
  | StatusBehaviour
  | DripBehaviour
  | RecordsBehaviour
  | EndBehaviour;

/** One for all requests, or one for each of them with the last for the rest. */
export type Behaviours = Behaviour | readonly Behaviour[];

/** Which behaviour comes next, by model. May be changed while the server runs. */
export class BehaviourTable {
  private readonly table = new Map<string, readonly Behaviour[]>();

  constructor(initial: Readonly<Record<string, Behaviours>> = {}) {
    for (const [model, behaviours] of Object.entries(initial)) this.set(model, behaviours);
  }

  set(model: string, behaviours: Behaviours): void {
    this.table.set(model, Array.isArray(behaviours) ? behaviours : [behaviours as Behaviour]);
  }

  next(model: string): Behaviour {
    const [now, ...later] = this.table.get(model) ?? ['ok' as const];
    if (later.length > 0) this.table.set(model, later);
    return now ?? 'ok';
  }
}

/** Calls of tools as a model makes them: arguments may be text that is no JSON. */
export interface ToolCallingAnswer {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly text?: string;
  readonly thinking?: string;
}

export const ANSWER = `Keep the monolith for now, and draw its inner lines first.

## Why

- The teams wait for each other at **release**, not while writing code.
- Two of the last ten incidents crossed a boundary that a split would have made.
- Nobody has yet said what would be better afterwards, or by how much.

## What would change my mind

If the release train still blocks a team twice a month after the inner lines are drawn, take out the
part that changes most, alone, and judge it after a quarter. Größe und Zahl der Dienste: später. 🙂
`;

export const THINKING =
  'The question is about release trains. I should look for the boundary first.';

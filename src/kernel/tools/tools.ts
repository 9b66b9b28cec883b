/**
 * The interface of the tools that a seat may use before it answers, and of their results. `src/tools`
 * implements `Tools`; protocols, models and views see only these types.
 */
import type { Part } from '../../text/documents/parts.ts';

/** A tool's description, as sent to a model. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The name of the tool server that provides the tool; absent for the program's own tools. */
  readonly server?: string | undefined;
}

/** A model's request to use a tool. The name and the arguments are untrusted. */
export interface ToolCall {
  /** The id by which the provider matches the result to the call. */
  readonly id: string;
  readonly name: string;
  /** The arguments: an object, or the text as sent if it was not JSON. */
  readonly arguments: unknown;
}

/** The result of a tool call, as the model reads it. */
export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** The origin of a result that is not from a file on this machine and may differ a minute later. */
export interface Fetched {
  /** The name of the tool server in the person's configuration. */
  readonly server: string;
  /** The address of the server, or what its program calls itself. */
  readonly address: string;
  /** The time of the answer, in ISO 8601. */
  readonly at: string;
}

/** What a tool returned, or the sentence with which it refused. */
export interface Found {
  /** A description in one line: `src/a.ts, lines 10-40 of 120`. */
  readonly about: string;
  readonly text: string;
  /** The number of its first line: that in the file, for a part of a file. */
  readonly from: number;
  /**
   * The pages, slides or sheets that the lines are on, with the number of their first line in the document.
   * Lines are then cited by page, like `S-3#p3L10`. Absent in a file without pages.
   */
  readonly parts?: readonly Part[] | undefined;
  /** What was left out, and how to get at it. */
  readonly more?: string | undefined;
  readonly refused?: true | undefined;
  /**
   * The state after the use of a tool that changes something: the hash of the tree that an edit has made.
   */
  readonly state?: string | undefined;
  /** True for a lookup by a protocol that no seat reads: it gets no id to be cited by. */
  readonly uncited?: true | undefined;
  /** Set for a tool server's answer, also if the answer is an error of the server. */
  readonly fetched?: Fetched | undefined;
}

/** The recorded result of a tool. */
export interface ToolResult extends Found {
  /**
   * The id by which the result is cited in this run, such as `S-3`. Refusals and lookups that no seat reads
   * have none.
   */
  readonly id?: string | undefined;
}

/** A folder that seats may read: its name in this run, and its real path. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** The tools of a run. */
export interface Tools {
  readonly offered: readonly ToolInfo[];
  /** The folders that the tools read, for agents that read files by themselves. Absent: none. */
  readonly folders?: readonly Folder[] | undefined;
  /**
   * Uses a tool. Refusals and errors of the file system are results; the promise does not reject for them.
   */
  use(call: Omit<ToolCall, 'id'>, signal: AbortSignal): Promise<Found>;
  /** Ends the programs that were started for the tools. A later use starts them again. */
  close?(): Promise<void>;
}

const TURN = /\/turn-\d+(?:\/|$)/;

/** Returns the key of a turn, from 1. A seat with tools takes several turns to answer a step. */
export function turnKey(step: string, turn: number): string {
  return `${step}/turn-${turn}`;
}

/**
 * Returns the step that a turn belongs to: `seat/critic` for `seat/critic/turn-2`. Returns the key of any
 * other step unchanged.
 */
export function stepOf(key: string): string {
  return key.replace(/\/turn-\d+$/, '');
}

/** Returns whether a step is a turn, or the use of a tool in a turn. */
export function isOfTurns(step: string): boolean {
  return TURN.test(step);
}

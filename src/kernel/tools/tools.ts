/**
 * The interface of the tools that a seat may use before it answers, and of their results. `src/tools`
 * implements `Tools`; protocols, models and views see only these types.
 */
import type { Part } from '../../text/documents/parts.ts';

/** A tool's description, as sent to a model. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the tool's arguments. The arguments are an object. */
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

/** A tool call that a protocol asks the run to carry out or to refuse. */
export interface ToolUse extends Omit<ToolCall, 'id'> {
  /** Why the call is refused without being carried out; absent if it is to be carried out. */
  readonly refusal?: string | undefined;
}

/** The result of a tool call, as the model reads it. */
export interface ToolAnswer {
  /** The id of the call, see `ToolCall.id`. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/**
 * The origin of a result that came from a tool server, and may be different when asked for again.
 */
export interface FetchOrigin {
  /** The name that the person's configuration gives to the tool server. */
  readonly server: string;
  /** The address of the server, or the name that its program reports. */
  readonly address: string;
  /** The time of the answer, in ISO 8601. */
  readonly at: string;
}

/** The result of a tool, or the sentence in which the tool refused. */
export interface ToolOutput {
  /** A description in one line: `src/a.ts, lines 10-40 of 120`. */
  readonly about: string;
  /** The result, or the sentence of the refusal. */
  readonly text: string;
  /** The line number of the text's first line; for a part of a file, the number within the file. */
  readonly from: number;
  /**
   * The pages, slides or sheets of the document, each with the number of its first line, so that lines
   * are cited by page, like `S-3#p3L10`. Absent in a file without pages.
   */
  readonly parts?: readonly Part[] | undefined;
  /** What the seat is told besides the text, such as what was left out and how to get it; absent if nothing. */
  readonly more?: string | undefined;
  /** True if the tool refused. */
  readonly refused?: true | undefined;
  /** The hash of the tree after an edit, for a tool that changes files. */
  readonly state?: string | undefined;
  /**
   * True if the protocol itself used the tool and no seat reads the result; such a result has no
   * id.
   */
  readonly uncited?: true | undefined;
  /**
   * The tool server that answered and when, also if the answer is an error; absent for the
   * program's own tools.
   */
  readonly fetched?: FetchOrigin | undefined;
}

/** The recorded result of a tool. */
export interface ToolResult extends ToolOutput {
  /**
   * The id by which the run's texts cite the result, such as `S-3`. Refusals, and results that no
   * seat reads, have no id.
   */
  readonly id?: string | undefined;
}

/** A folder that seats may read: its name in the run, and its real path on this machine. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** The tools of a run. */
export interface Tools {
  /** The tools that are offered to seats. */
  readonly offered: readonly ToolInfo[];
  /**
   * The folders that the tools read, passed on to agents that read files by themselves. Absent:
   * none.
   */
  readonly folders?: readonly Folder[] | undefined;
  /**
   * Uses a tool. Refusals and errors of the file system are results: the promise does not reject
   * for them.
   */
  use(call: Omit<ToolCall, 'id'>, signal: AbortSignal): Promise<ToolOutput>;
  /** Ends the programs that were started for the tools. A later use of a tool starts them again. */
  close?(): Promise<void>;
}

const TURN = /\/turn-\d+(?:\/|$)/;

/**
 * Returns the key of one turn of a step; turns count from 1. A seat with tools may take several
 * turns: in each it may call tools, and the last one gives the answer.
 */
export function turnKey(step: string, turn: number): string {
  return `${step}/turn-${turn}`;
}

/**
 * Returns the step that a turn belongs to: `seat/critic` for `seat/critic/turn-2`. Any other key is
 * returned unchanged.
 */
export function stepOf(key: string): string {
  return key.replace(/\/turn-\d+$/, '');
}

/**
 * Returns whether a step is a turn of a seat that uses tools, or a tool call within such a turn, judged by the
 * step's key.
 */
export function isOfTurns(step: string): boolean {
  return TURN.test(step);
}

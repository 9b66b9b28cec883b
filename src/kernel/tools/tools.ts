/**
 * What a seat may look things up with before it answers, and what is found. `src/tools` implements
 * `Tools`; protocols, models and views only ever see these types.
 */
import type { Part } from '../../text/documents/parts.ts';

/** A tool as a model is told of it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The tool server that answers; absent for the program's own tools. */
  readonly server?: string | undefined;
}

/** A model's wish to use a tool. Names and arguments are a model's: anything. */
export interface ToolCall {
  /** By which the model's provider ties the result to it. */
  readonly id: string;
  readonly name: string;
  /** What was sent as arguments: an object, or the text where it was no JSON. */
  readonly arguments: unknown;
}

/** What a call came to, as the model reads it. */
export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Where a result came from that no file on this machine holds: what it says may be otherwise a minute later. */
export interface Fetched {
  /** The name of the tool server in the person's configuration. */
  readonly server: string;
  /** The address of the server, or what its program calls itself. */
  readonly address: string;
  /** The time of the answer, in ISO 8601. */
  readonly at: string;
}

/** What a tool found, as it was found, or the sentence by which it refused. */
export interface Found {
  /** In a line: `src/a.ts, lines 10-40 of 120`. */
  readonly about: string;
  readonly text: string;
  /** By which number its first line goes: that of the file, where it is a part of one. */
  readonly from: number;
  /**
   * The pages, slides or sheets that the lines are on, with the number of their first line in the document.
   * Lines are then cited by page, like `S-3#p3L10`. Absent in a file without pages.
   */
  readonly parts?: readonly Part[] | undefined;
  /** What was left out, and how to get at it. */
  readonly more?: string | undefined;
  readonly refused?: true | undefined;
  /** What there is after its use, where it changes something: the tree that an edit has made. */
  readonly state?: string | undefined;
  /** A protocol's own finding, which no seat reads as it is: it gets no id to be cited by. */
  readonly uncited?: true | undefined;
  /** Of a tool server's answer, also where it is an error in the server's own words. */
  readonly fetched?: Fetched | undefined;
}

/** What a run has on record of a tool's use. */
export interface ToolResult extends Found {
  /** `S-3`: how it is cited in this run. Refusals and what no seat reads have none. */
  readonly id?: string | undefined;
}

/** A folder that seats may look into: its name in this run, and its real path. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

export interface Tools {
  readonly offered: readonly ToolInfo[];
  /** The folders that they look into, for seats that look by themselves. Absent: none. */
  readonly folders?: readonly Folder[] | undefined;
  /** Never rejects for what a model asks for or a file system does. */
  use(call: Omit<ToolCall, 'id'>, signal: AbortSignal): Promise<Found>;
  /** Ends the programs that were started for the tools. A later use starts them again. */
  close?(): Promise<void>;
}

const TURN = /\/turn-\d+(?:\/|$)/;

/** The key of a turn, from 1: a seat that has tools takes several before a step is answered. */
export function turnKey(step: string, turn: number): string {
  return `${step}/turn-${turn}`;
}

/** The step that a turn belongs to, `seat/critic` of `seat/critic/turn-2`; any other step is its own. */
export function stepOf(key: string): string {
  return key.replace(/\/turn-\d+$/, '');
}

/** Whether a step is a turn, or the use of a tool in one. */
export function isOfTurns(step: string): boolean {
  return TURN.test(step);
}

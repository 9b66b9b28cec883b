/**
 * The definition of a tool server in a person's configuration: how it is reached, and which of its tools
 * seats may use.
 */

/** A program that is started on this machine and uses its standard input and output. */
export interface ServerProgram {
  readonly argv: readonly string[];
  /** The folder in which it is started. */
  readonly cwd: string;
  /** Its complete environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server that uses Streamable HTTP. */
interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A configured tool server. */
export interface ToolServer {
  readonly name: string;
  /** Tools that the person allows although the server does not mark them read-only. */
  readonly allow: readonly string[];
  readonly reach: ServerProgram | ServerAddress;
}

/** A tool as its server describes it; all texts are untrusted. */
export interface ServerTool {
  /** The server's name for it. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * What a server offered when a run began. It is stored in the run's settings, so that its prompts stay the
 * same.
 */
export interface ListedServer {
  readonly name: string;
  /** Its address, or its program's own name. */
  readonly address: string;
  readonly tools: readonly ServerTool[];
  /** The number of tools that are not offered, as they are neither marked read-only nor allowed. */
  readonly withheld: number;
}

/** Thrown if a tool server fails. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
  /** The message of the server or its program; empty if none. */
  readonly words: string;

  /** @param sentence a sentence of this program, without any text of the server */
  constructor(sentence: string, words = '') {
    super(sentence);
    this.words = words.trim();
  }
}

export function isProgram(reach: ToolServer['reach']): reach is ServerProgram {
  return 'argv' in reach;
}

/**
 * The definition of a tool server in a person's configuration: how it is reached, and which of its tools
 * seats may use.
 */

/** The most tools of one server that seats are offered, because each is described in every prompt. */
export const MOST_TOOLS = 40;

/** A tool server that is a program on this machine and uses its standard input and output. */
export interface ServerProgram {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** The folder in which it is started. */
  readonly cwd: string;
  /** All environment variables that the program gets, apart from those of its guard. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server that uses Streamable HTTP. */
interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool server in the person's configuration. */
export interface ToolServer {
  readonly name: string;
  /** Tools that the person allows although the server does not mark them read-only. */
  readonly allow: readonly string[];
  /** How the server is reached: a program to start, or an address. */
  readonly reach: ServerProgram | ServerAddress;
}

/** A tool as its server describes it. All texts are untrusted. */
export interface ServerTool {
  /** The tool's name at the server. */
  readonly tool: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * The tools that a server offered when a run began. The list is stored in the run's settings, so
 * that the run's prompts stay the same.
 */
export interface ListedServer {
  readonly name: string;
  /** The server's address, or the name by which its program calls itself. */
  readonly address: string;
  readonly tools: readonly ServerTool[];
  /**
   * The number of the server's tools that seats are not offered: those that it does not mark as
   * read-only and the person does not allow, those with an unusual name, and those beyond the 40th.
   */
  readonly withheld: number;
}

/** Thrown if a tool server cannot be reached, fails or answers too much. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
  /**
   * What the server or its program itself wrote about the failure; untrusted, and empty if nothing.
   */
  readonly words: string;

  /** @param sentence a sentence of this program, without any text of the server */
  constructor(sentence: string, words = '') {
    super(sentence);
    this.words = words.trim();
  }
}

/** Returns whether a server is a program to start, rather than an address. */
export function isProgram(reach: ToolServer['reach']): reach is ServerProgram {
  return 'argv' in reach;
}

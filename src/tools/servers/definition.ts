/** A tool server as a person has set it up: how it is reached, and what of it seats may use. */

/** A program that is started here and spoken with through its standard input and output. */
export interface ServerProgram {
  readonly argv: readonly string[];
  /** The folder it is started in. */
  readonly cwd: string;
  /** All variables that it is told. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server that is spoken with over Streamable HTTP. */
interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ToolServer {
  readonly name: string;
  /** Tools that the person lets seats use although the server does not mark them read-only. */
  readonly allow: readonly string[];
  readonly reach: ServerProgram | ServerAddress;
}

/** A tool as its server describes it: every word is the server's. */
export interface ServerTool {
  /** What the server calls it. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a server offered when a run began: kept in the run's settings, so that its prompts stay the same. */
export interface ListedServer {
  readonly name: string;
  /** Its address, or what its program calls itself. */
  readonly address: string;
  readonly tools: readonly ServerTool[];
  /** How many tools are not offered: neither marked read-only nor allowed. */
  readonly withheld: number;
}

/** A tool server did not do what was asked of it. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
  /** What the server or its program said itself; empty where it said nothing. */
  readonly words: string;

  /** @param sentence in the program's own words, which hold none of the server's */
  constructor(sentence: string, words = '') {
    super(sentence);
    this.words = words.trim();
  }
}

export function isProgram(reach: ToolServer['reach']): reach is ServerProgram {
  return 'argv' in reach;
}

/** What a protocol provides for the MCP server, so that a coding agent can begin a run of it. */
import type { Invocation } from './invocation.ts';

/** A coding agent's request, without its kind, files and limits. */
interface ToolWish {
  readonly question: string;
  readonly preset?: string | undefined;
  readonly seats?: readonly string[] | undefined;
  readonly rounds?: number | undefined;
  readonly gates?: boolean | undefined;
}

/** What a protocol offers to coding agents over MCP. */
export interface ToolPart {
  /** What the protocol does, in a phrase, from which an agent chooses it. */
  readonly about: string;
  /**
   * What the protocol does with each field of the request, in a phrase. A field without a phrase is
   * ignored.
   */
  readonly fields: { readonly [F in Exclude<keyof ToolWish, 'question'>]?: string };
  /** Whether the seats of a finished run can be asked a further question. */
  readonly asks?: boolean;
  /**
   * Converts a request to the words and flags that a person would type.
   *
   * @throws UsageError if a required field is missing
   */
  readonly line: (wish: ToolWish) => {
    readonly words: readonly string[];
    readonly flags: Readonly<Record<string, unknown>>;
  };
  /** Loads the command that starts a run. */
  readonly command: () => Promise<(call: Invocation) => Promise<number>>;
}

/** What a protocol brings to the MCP server: how a coding agent begins a run of it. */
import type { Invocation } from './invocation.ts';

/** What a coding agent asks for, but for its kind, files and limits. */
interface ToolWish {
  readonly question: string;
  readonly preset?: string | undefined;
  readonly seats?: readonly string[] | undefined;
  readonly rounds?: number | undefined;
  readonly gates?: boolean | undefined;
}

export interface ToolPart {
  /** What it is and what it takes, in a phrase: what an agent chooses a kind by. */
  readonly about: string;
  /** What it makes of a field of the wish, each in a phrase; of one that is absent, nothing. */
  readonly fields: { readonly [F in Exclude<keyof ToolWish, 'question'>]?: string };
  /** True: when a run of it is done, its seats can be asked a further question. */
  readonly asks?: boolean;
  /**
   * The words and flags that a person would type for it.
   * @throws UsageError where the wish lacks what it cannot do without
   */
  readonly line: (wish: ToolWish) => {
    readonly words: readonly string[];
    readonly flags: Readonly<Record<string, unknown>>;
  };
  /** Its command. */
  readonly command: () => Promise<(call: Invocation) => Promise<number>>;
}

/** A coding agent as it is written down: one entry of `presets/coding-agents.json`, or of a person's own. */

/** What is known of a coding agent that speaks the Agent Client Protocol. */
export interface CodingAgent {
  /** What stands before the slash of a seat's model: `claude-code`. */
  readonly name: string;
  /** The same as people read it: `Claude Code`. */
  readonly title: string;
  /** The program, looked for on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Names of variables of the person's that it is told. */
  readonly env: readonly string[];
  /** Variables that are set for it where it runs in a sandbox. */
  readonly sandboxed?: Readonly<Record<string, string>> | undefined;
  /** Files and folders of the person's home that are copied for it. Changes to the copies are thrown away. */
  readonly home: readonly string[];
  /**
   * Files of the home with its login, which it may have to renew: a token that was used to get the next one
   * is worth nothing afterwards. A renewed one is copied back (`login.ts`).
   */
  readonly login: readonly string[];
  /** The mode in which it was seen not to write; a second layer only, as modes are not kept to. */
  readonly mode?: string | undefined;
  /** The way to sign in that it is told where it asks for one. */
  readonly authenticate?: string | undefined;
  /** About how many tokens its own prompt and tools add to every call. */
  readonly promptTokens: number;
  /** What a person types to sign in, and to install it. Absent for a person's own agents. */
  readonly signIn?: string | undefined;
  readonly install?: string | undefined;
}

/**
 * The definition of a coding agent: one entry of `presets/coding-agents.json`, or of a person's
 * configuration.
 */

/** A coding agent that speaks the Agent Client Protocol. */
export interface CodingAgent {
  /** The agent's name in the models of seats, such as `claude-code`. */
  readonly name: string;
  /** The display name, such as `Claude Code`. */
  readonly title: string;
  /** The name of the program, which is looked for on PATH, or its absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** The names of the person's environment variables that the agent gets besides the usual ones. */
  readonly env: readonly string[];
  /** Environment variables that are set for the agent if it runs in a sandbox. */
  readonly sandboxed?: Readonly<Record<string, string>> | undefined;
  /**
   * Files and folders of the person's home that are copied for the agent. Changes to the copies are
   * discarded.
   */
  readonly home: readonly string[];
  /**
   * Files of the home that contain the agent's login. The agent may have to renew it, since a
   * refresh token can be used only once; a renewed login is copied back (`login.ts`).
   */
  readonly login: readonly string[];
  /**
   * The mode to which the agent's sessions are set; for a built-in agent, one in which it wrote no
   * files when it was tried. The mode is only a second protection, since agents do not always obey
   * it. Absent: no mode is set.
   */
  readonly mode?: string | undefined;
  /** The sign-in method to choose if the agent asks for one. */
  readonly authenticate?: string | undefined;
  /** The approximate number of tokens that the agent's own prompt and tools add to every call. */
  readonly promptTokens: number;
  /** The command with which a person signs in; absent for agents that do not come with the program. */
  readonly signIn?: string | undefined;
  /** The command that installs the agent; absent for agents that do not come with the program. */
  readonly install?: string | undefined;
}

/**
 * The definition of a coding agent: one entry of `presets/coding-agents.json`, or of a person's
 * configuration.
 */

/** A coding agent that speaks the Agent Client Protocol. */
export interface CodingAgent {
  /** The provider part of a seat's model: `claude-code`. */
  readonly name: string;
  /** The display name: `Claude Code`. */
  readonly title: string;
  /** The program, searched on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** The names of the person's variables that it gets. */
  readonly env: readonly string[];
  /** Variables that are set for it in a sandbox. */
  readonly sandboxed?: Readonly<Record<string, string>> | undefined;
  /** Files and folders of the person's home that are copied for it. Changes to the copies are discarded. */
  readonly home: readonly string[];
  /**
   * Files of the home with its login, which it may have to renew: a refresh token is worthless once it was
   * used. A renewed login is copied back (`login.ts`).
   */
  readonly login: readonly string[];
  /**
   * The mode in which it did not write files when tried; only a second protection, as agents do not always
   * keep to modes.
   */
  readonly mode?: string | undefined;
  /** The sign-in method to choose if it asks for one. */
  readonly authenticate?: string | undefined;
  /** The approximate tokens that its own prompt and tools add to every call. */
  readonly promptTokens: number;
  /** The commands with which a person signs in and installs it. Absent for a person's own agents. */
  readonly signIn?: string | undefined;
  readonly install?: string | undefined;
}

/** One call of the program: its words, flags, environment and streams. Every command gets one. */

import type { Env, Streams } from '../io/surroundings.ts';
import type { RunEstimate } from '../kernel/estimate.ts';
import type { Flags } from './flags.ts';

/** A call of the program: its command, words, flags, environment and streams. */
export interface Invocation extends Streams {
  /** The command's name; empty for the home screen. */
  readonly command: string;
  /** The words that are not flags, without the command's name. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Env;
  /**
   * Called with the run's id when a run has begun. The draft of its question can then be deleted.
   */
  readonly begun?: (run: string) => void;
  /**
   * A digest of another program's request over MCP, stored with the run. The same request then
   * finds the same run.
   */
  readonly key?: string;
  /** Whether a program, not a person, has set the budget. */
  readonly isWish?: boolean;
  /** Called with the estimate of the run before it begins. */
  readonly estimated?: (estimate: RunEstimate) => void;
}

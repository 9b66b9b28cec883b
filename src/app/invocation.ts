/** One call of the program: its words, flags, environment and streams. Every command gets one. */

import type { Env, Streams } from '../io/surroundings.ts';
import type { RunEstimate } from '../kernel/estimate.ts';
import type { Flags } from './flags.ts';

export interface Invocation extends Streams {
  /** The command's name; empty for the home screen. */
  readonly command: string;
  /** The words that are not flags, without the command's name. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Env;
  /** Called when a run has begun, so that the draft that led to it can be dropped. */
  readonly begun?: (run: string) => void;
  /**
   * A digest of the request of a program (through MCP). It is kept with a detached run, so that the same
   * request finds the run again.
   */
  readonly key?: string;
  /** Whether the budget among the flags was set by a program, not by a person. */
  readonly isWish?: boolean;
  /** Called with the estimate of the run before it begins. */
  readonly estimated?: (estimate: RunEstimate) => void;
}

/** One call of the program: its words, its flags, its surroundings. Handed to every command. */

import type { Env, Streams } from '../io/surroundings.ts';
import type { RunEstimate } from '../kernel/estimate.ts';
import type { Flags } from './flags.ts';

export interface Invocation extends Streams {
  /** The command's name; empty for the home screen. */
  readonly command: string;
  /** The words that are not flags, the command's name left out. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Env;
  /** Told when a run has begun: what led to it is sent. */
  readonly begun?: (run: string) => void;
  /** Digest of what a program asked for: kept with a detached run, so that the same wish finds it. */
  readonly key?: string;
  /** The budget among the flags is a program's wish, and no person's word. */
  readonly isWish?: boolean;
  /** Told what a run is likely to take, before it begins. */
  readonly estimated?: (estimate: RunEstimate) => void;
}

/** One call of the program: its words, its flags, its surroundings. Handed to every command. */

import type { Env, Streams } from '../io/surroundings.ts';
import type { Flags } from './flags.ts';

export interface Invocation extends Streams {
  /** The command's name; empty for the home screen. */
  readonly command: string;
  /** The words that are not flags, the command's name left out. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Env;
  /** Told when a run has begun: what led to it is sent. */
  readonly begun?: () => void;
}

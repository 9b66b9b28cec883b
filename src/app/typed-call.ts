/** One call of the program as it was typed. */

import type { Env, Streams } from '../io/surroundings.ts';
import type { Flags } from './flags.ts';

/** A call of the program as it was typed, before anything is loaded for it. */
export interface TypedCall extends Streams {
  /** The command's name; empty for the home screen. */
  readonly command: string;
  /** The words that are not flags, without the command's name. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Env;
}

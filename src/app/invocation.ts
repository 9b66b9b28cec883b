/** One call of the program: its words, its flags, its surroundings. Handed to every command. */
import type { Flags } from '../cli/flags.ts';
import type { Output } from '../io/output.ts';

export interface Invocation {
  /** The command's name; empty for the home screen. */
  readonly command: string;
  /** The words that are not flags, the command's name left out. */
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, for results only. */
  readonly out: Output;
  /** Standard error, for progress and diagnostics. */
  readonly err: Output;
  readonly stdin: NodeJS.ReadStream;
}

/** The environment variables and streams of the program. */
import type { Output } from './output.ts';

/** Environment variables, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The standard streams of the process. */
export interface Streams {
  /** Standard output, for results and for the screens of the console. */
  readonly out: Output;
  /** Standard error, for progress and diagnostics. */
  readonly err: Output;
  /** Standard input. */
  readonly stdin: NodeJS.ReadStream;
}

/** The environment variables and streams of the program. */
import type { Output } from './output.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Streams {
  /** Standard output, for results only. */
  readonly out: Output;
  /** Standard error, for progress and diagnostics. */
  readonly err: Output;
  readonly stdin: NodeJS.ReadStream;
}

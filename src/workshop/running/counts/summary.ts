/** Types of a runner's summary. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';

export type Counts = NonNullable<CheckRun['counts']>;

/** The counts of a summary, and the position at which it ends. */
export interface Summary {
  readonly at: number;
  readonly counts: Counts;
}

/** Reads the last summary of a runner; undefined if the text has none. */
export type Reader = (text: string) => Summary | undefined;

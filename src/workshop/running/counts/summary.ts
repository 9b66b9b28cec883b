/** Types of a runner's summary. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';

/** The numbers of passed, failed and skipped tests, with names of failed ones. */
export type Counts = NonNullable<CheckRun['counts']>;

/** The numbers of one summary, and the position in the output at which the summary ends. */
export interface Summary {
  /** The position in the output at which the summary ends. */
  readonly at: number;
  readonly counts: Counts;
}

/** Parses the last summary of one test runner in an output. Returns undefined if there is none. */
export type Reader = (text: string) => Summary | undefined;

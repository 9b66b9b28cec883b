/** Types of a runner's summary. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';

/** The numbers of passed, failed and skipped tests, with names of failed ones. */
export type Counts = NonNullable<CheckRun['counts']>;

/** The numbers of tests in a test runner's summary: the lines that it prints after the last test. */
export interface Summary {
  /** The index in the runner's output at which the summary ends. */
  readonly at: number;
  readonly counts: Counts;
}

/**
 * A parser for the output of one test runner. Returns the last summary in the output, or undefined
 * if there is none, or it is incomplete or contradictory.
 */
export type Reader = (text: string) => Summary | undefined;

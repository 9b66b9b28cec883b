/** What is read off a runner's summary. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';

export type Counts = NonNullable<CheckRun['counts']>;

/** Numbers, and where in the text the summary ends that they are from. */
export interface Summary {
  readonly at: number;
  readonly counts: Counts;
}

/** Undefined where the text has no summary of that runner. */
export type Reader = (text: string) => Summary | undefined;

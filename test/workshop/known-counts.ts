/** Counts tests as a check does on a machine where no person has added a test runner. */
import { readCounts, readersOf } from '../../src/workshop/running/counts/counts.ts';
import type { Counts } from '../../src/workshop/running/counts/summary.ts';
import { loadToolchains } from '../../src/workshop/toolchains/load.ts';

const readers = readersOf(loadToolchains({ HOME: '/nonexistent' }).runners);

/** Returns the counts of tests that the output of a check reports; undefined if no known runner wrote it. */
export function readKnownCounts(text: string): Counts | undefined {
  return readCounts(text, readers);
}

/** Counts tests as a check does on a machine where nobody has added a runner. */
import { readCounts, readersOf } from '../../src/workshop/running/counts/counts.ts';
import type { Counts } from '../../src/workshop/running/counts/summary.ts';
import { loadToolchains } from '../../src/workshop/toolchains/load.ts';

const readers = readersOf(loadToolchains({ HOME: '/nonexistent' }).runners);

export function readKnownCounts(text: string): Counts | undefined {
  return readCounts(text, readers);
}

/**
 * How many tests passed, failed and were skipped, read off what a runner printed. A runner that is not
 * known has no numbers, and neither has an output that contradicts itself: nothing is guessed.
 *
 * A test can print what looks like a summary. What counts is therefore the last one, since runners print
 * theirs when the tests are over, at the beginning of a line, since they indent what tests have said, and
 * whole, with sums that are right. What cannot be told apart: a program that prints a perfect summary and
 * then ends the runner's own process before it could print one, or writes to the terminal after it. Both
 * need code for it in the tree, where a verifier can read it. Several runners one after the other are
 * known by the last one's numbers alone.
 */
import { readJUnit } from './junit.ts';
import { readCargo, readGo, readPytest } from './other-runners.ts';
import { readJest, readMocha, readNode, readTap, readVitest } from './script-runners.ts';
import type { Counts, Reader, Summary } from './summary.ts';

const READERS: readonly Reader[] = [
  ...[readNode, readTap, readVitest, readJest, readMocha],
  ...[readPytest, readCargo, readGo, readJUnit],
];

/** @param text what was printed, without escapes. */
export function readCounts(text: string): Counts | undefined {
  let last: Summary | undefined;
  for (const read of READERS) {
    const found = read(text);
    if (found !== undefined && (last === undefined || found.at > last.at)) last = found;
  }
  return last?.counts;
}

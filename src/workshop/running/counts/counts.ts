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
import { readerOf, type SummaryFormat } from './format.ts';
import { readJUnit } from './junit.ts';
import { readAva, readUnittest } from './listing-runners.ts';
import { readCargo, readGo, readPytest } from './other-runners.ts';
import { readJest, readMocha, readNode, readTap, readVitest } from './script-runners.ts';
import type { Counts, Reader, Summary } from './summary.ts';

/** Those whose summary takes more than a pattern to read. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ...([
    ['node', readNode],
    ['tap', readTap],
    ['vitest', readVitest],
    ['jest', readJest],
    ['mocha', readMocha],
    ['ava', readAva],
    ['pytest', readPytest],
    ['unittest', readUnittest],
    ['cargo', readCargo],
    ['go', readGo],
    ['junit', readJUnit],
  ] as const),
]);

/** The readers of these runners; one that names code which is not there reads nothing. */
export function readersOf(
  runners: readonly (SummaryFormat & { readonly reader?: string | undefined })[],
): readonly Reader[] {
  return [
    ...new Set(
      runners.flatMap((runner) => {
        if (runner.reader !== undefined) return READERS.get(runner.reader) ?? [];
        return readerOf(runner);
      }),
    ),
  ];
}

/** @param text what was printed, without escapes. */
export function readCounts(text: string, readers: readonly Reader[]): Counts | undefined {
  let last: Summary | undefined;
  for (const read of readers) {
    const found = read(text);
    if (found !== undefined && (last === undefined || found.at > last.at)) last = found;
  }
  return last?.counts;
}

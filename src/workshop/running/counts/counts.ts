/**
 * Parses the numbers of passed, failed and skipped tests from a test runner's output. An unknown runner and
 * a contradictory output have no numbers: nothing is guessed.
 *
 * A test can print what looks like a summary. So only the last summary counts, since runners print theirs
 * after the tests; it must be at the beginning of a line, since runners indent output of tests, and be
 * complete with correct sums. Two cases cannot be detected: a program that prints a perfect summary and
 * then ends the runner's own process, or that writes to the terminal after it. Both need code in the tree
 * that a verifier can read. For several runners one after the other only the last one's numbers are known.
 */
import { readerOf, type SummaryFormat } from './format.ts';
import { readJUnit } from './junit.ts';
import { readAva, readUnittest } from './listing-runners.ts';
import { readCargo, readGo, readPytest } from './other-runners.ts';
import { readJest, readMocha, readNode, readTap, readVitest } from './script-runners.ts';
import type { Counts, Reader, Summary } from './summary.ts';

/** Readers for summaries that need more than a pattern. */
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

/**
 * Returns the parsers for the summaries of these test runners. A runner that names an unknown
 * parser is skipped.
 */
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

/**
 * Returns the numbers of tests in the last summary of a test run's output; undefined if no parser
 * finds a summary.
 * @param text the output, without escape sequences
 */
export function readCounts(text: string, readers: readonly Reader[]): Counts | undefined {
  let last: Summary | undefined;
  for (const read of readers) {
    const found = read(text);
    if (found !== undefined && (last === undefined || found.at > last.at)) last = found;
  }
  return last?.counts;
}

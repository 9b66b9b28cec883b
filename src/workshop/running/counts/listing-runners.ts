/** Reads summaries of ava and unittest, whose numbers must be derived from lists. */
import { firstNames, lastMatch, namesIn, numberOf } from './matching.ts';
import type { Reader } from './summary.ts';

/** Matches the lines below ava's rule: `2 tests failed`, `1 known failure`, `1 test skipped`. */
const AVA =
  /^ {2}─\n\n(?<rows>(?: {2}\d+ (?:tests? (?:passed|failed|skipped|todo|remained pending[^\n]*)|known failures?|uncaught exceptions?|unhandled rejections?)(?:\n|$))+)/gm;

/**
 * Parses ava's summary. If a test failed, the summary lacks the number of passed tests; the listed
 * check marks are counted instead. An uncaught exception fails a whole file, including tests that
 * never began.
 */
export const readAva: Reader = (text) => {
  const found = lastMatch(text, AVA);
  if (found?.groups === undefined) return undefined;
  const rows = found.groups.rows ?? '';
  const readCount = (words: string): number =>
    numberOf(new RegExp(`^ {2}(\\d+) ${words}`, 'm').exec(rows)?.[1]);
  const above = text.slice(0, found.index);
  const passed =
    readCount('tests? passed') || [...above.matchAll(/^ {2}✔ (?!\[expected fail\])/gm)].length;
  const failed =
    readCount('tests? failed') +
    readCount('uncaught exception') +
    readCount('unhandled rejection') +
    readCount('tests? remained');
  return {
    at: found.index + found[0].length,
    counts: {
      passed,
      failed,
      // A test that ava expects to fail (a known failure) proves nothing, so it counts as skipped.
      skipped: readCount('tests? skipped') + readCount('tests? todo') + readCount('known failure'),
      failing: namesIn(above, /^ {2}✘ \[fail\]: (?<name>.+?)(?: Error thrown in test)?$/gm),
    },
  };
};

const UNITTEST =
  /^Ran (?<ran>\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?: \((?<numbers>[a-z =,\d]+)\))?$/gm;

/**
 * Parses unittest's summary. A test with subtests may be listed as several failures and counts
 * once.
 */
export const readUnittest: Reader = (text) => {
  const found = lastMatch(text, UNITTEST);
  if (found?.groups === undefined) return undefined;
  const numbers = new Map(
    [...(found.groups.numbers ?? '').matchAll(/([a-z ]+)=(\d+)/g)].map(([, name = '', digits]) => [
      name.trim(),
      Number(digits),
    ]),
  );
  const sumCounts = (...names: string[]): number =>
    names.reduce((sum, name) => sum + (numbers.get(name) ?? 0), 0);
  const above = text.slice(0, found.index);
  const headings = namesIn(above, /^(?:FAIL|ERROR): (?<name>\S+ \(\S+\))/gm);
  const surprising = sumCounts('unexpected successes');
  const skipped = sumCounts('skipped', 'expected failures');
  const ran = numberOf(found.groups.ran);
  // If the output of Python's `unittest` names no failed test, add up its numbers of failures and errors.
  const tests = headings.length > 0 ? headings.length : sumCounts('failures', 'errors');
  return {
    at: found.index + found[0].length,
    counts: {
      passed: Math.max(0, ran - tests - surprising - skipped),
      failed: tests + surprising,
      skipped,
      failing: firstNames([
        ...headings,
        ...namesIn(above, /^UNEXPECTED SUCCESS: (?<name>\S+ \(\S+\))/gm),
      ]),
    },
  };
};

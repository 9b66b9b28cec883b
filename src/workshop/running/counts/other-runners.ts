/** Reads summaries of pytest, `cargo test` and `go test -v`. */
import { addCounts, firstNames, lastMatch, namesIn, numberOf, numbersIn } from './matching.ts';
import type { Reader } from './summary.ts';

/** Matches `=== 1 failed, 2 passed in 0.12s ===`; in quiet mode the equals signs are missing. */
const PYTEST =
  /^(?:=+ )?(?<numbers>\d+ (?:failed|passed|skipped|xfailed|xpassed|errors?|deselected|warnings?|rerun)(?:, \d+ [a-z]+)*) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm;

/** Parses pytest's summary. */
export const readPytest: Reader = (text) => {
  const found = lastMatch(text, PYTEST);
  if (found === undefined) return undefined;
  const numbers = numbersIn(found.groups?.numbers ?? '');
  return {
    at: found.index + found[0].length,
    counts: {
      passed: addCounts(numbers, 'passed', 'xpassed'),
      failed: addCounts(numbers, 'failed', 'error', 'errors'),
      // A test that pytest expects to fail proves nothing, so it counts as skipped.
      skipped: addCounts(numbers, 'skipped', 'xfailed'),
      failing: namesIn(
        text.slice(0, found.index),
        /^(?:FAILED|ERROR) (?<name>\S+\.py(?:::.+?)?)(?: - .*)?$/gm,
      ),
    },
  };
};

const CARGO =
  /^test result: (?:ok|FAILED)\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<ignored>\d+) ignored; (?<measured>\d+) measured; \d+ filtered out/gm;

/**
 * Parses cargo's output. Each crate, and the documentation, has a section that begins with the
 * number of its tests and ends with a line of results. The last line of results in a section
 * counts, if its figures add up to the number of tests.
 */
export const readCargo: Reader = (text) => {
  const starts = [...text.matchAll(/^running (\d+) tests?$/gm)];
  let [passed, failed, skipped, at] = [0, 0, 0, -1];
  for (const [index, start] of starts.entries()) {
    const section = text.slice(start.index, starts[index + 1]?.index);
    const result = lastMatch(section, CARGO);
    if (result?.groups === undefined) return undefined;
    const { groups } = result;
    const all = ['passed', 'failed', 'ignored', 'measured'].map((name) => numberOf(groups[name]));
    if (all.reduce((left, right) => left + right) !== Number(start[1])) return undefined;
    passed += numberOf(groups.passed);
    failed += numberOf(groups.failed);
    skipped += numberOf(groups.ignored);
    at = start.index + result.index + result[0].length;
  }
  if (at < 0) return undefined;
  const failing = namesIn(text, /^test (?<name>.+) \.\.\. FAILED$/gm);
  return { at, counts: { passed, failed, skipped, failing } };
};

/**
 * Matches the line that ends a test. A test with subtests counts as a test of its own, and each
 * subtest has a line of its own.
 */
const GO_TEST = /^ *--- (?<state>PASS|FAIL|SKIP): (?<name>\S+) \([\d.]+s\)$/gm;

/**
 * Parses the output of `go test -v`; without `-v`, go prints only the failures. Go announces each
 * test with a line `=== RUN` and later prints its result. A test has as many results as
 * announcements; further lines that look like results were printed by tests and do not count.
 */
export const readGo: Reader = (text) => {
  const end = lastMatch(text, /^(?:ok {2}|FAIL|---)\t\S+\t.*$|^(?:ok|FAIL) *\t\S+\t.*$/gm);
  if (end === undefined) return undefined;
  const announced = new Map<string, number>();
  for (const { groups } of text.matchAll(/^=== RUN +(?<name>\S+)$/gm)) {
    const name = groups?.name ?? '';
    announced.set(name, (announced.get(name) ?? 0) + 1);
  }
  if (announced.size === 0) return undefined;
  const ended = [...text.matchAll(GO_TEST)].reverse().filter(({ groups }) => {
    const name = groups?.name ?? '';
    const left = announced.get(name) ?? 0;
    announced.set(name, left - 1);
    return left > 0;
  });
  const inState = (state: string): string[] =>
    ended.filter(({ groups }) => groups?.state === state).map(({ groups }) => groups?.name ?? '');
  // Go tests that began and never ended, because their program was killed or panicked, count as failed.
  const lost = [...announced].filter(([, left]) => left > 0);
  const failed = inState('FAIL');
  return {
    at: end.index + end[0].length,
    counts: {
      passed: inState('PASS').length,
      failed: failed.length + lost.length,
      skipped: inState('SKIP').length,
      failing: firstNames([...failed.reverse(), ...lost.map(([name]) => name)]),
    },
  };
};

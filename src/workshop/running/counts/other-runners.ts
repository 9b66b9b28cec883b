/** Summaries of pytest, `cargo test` and `go test -v`. */
import { firstNames, lastMatch, namesIn, numberOf, numbersIn, sum } from './matching.ts';
import type { Reader } from './summary.ts';

/** `=== 1 failed, 2 passed in 0.12s ===`, and the same without the lines where it is quiet. */
const PYTEST =
  /^(?:=+ )?(?<numbers>\d+ (?:failed|passed|skipped|xfailed|xpassed|errors?|deselected|warnings?|rerun)(?:, \d+ [a-z]+)*) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/gm;

export const readPytest: Reader = (text) => {
  const found = lastMatch(text, PYTEST);
  if (found === undefined) return undefined;
  const numbers = numbersIn(found.groups?.numbers ?? '');
  return {
    at: found.index + found[0].length,
    counts: {
      passed: sum(numbers, 'passed', 'xpassed'),
      failed: sum(numbers, 'failed', 'error', 'errors'),
      // A test that is expected to fail proves nothing.
      skipped: sum(numbers, 'skipped', 'xfailed'),
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
 * One program a crate and one for the documents, each with a number of tests before and a result after
 * them. Between two such numbers the last result counts, and only if it comes to that number.
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

/** A test that has subtests is one as well: they are counted as they are printed. */
const GO_TEST = /^ *--- (?<state>PASS|FAIL|SKIP): (?<name>\S+) \([\d.]+s\)$/gm;

/**
 * Without `-v` only failures are named, and there are no numbers. A line counts once for each time that
 * its test was announced: what a test prints by itself was not.
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
  // A test that was announced and never ended: its program was killed, or has panicked.
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

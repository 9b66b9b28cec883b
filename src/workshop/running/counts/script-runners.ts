/**
 * Reads summaries of JavaScript's runners: `node --test`, vitest, jest, mocha; and TAP, which others print
 * too.
 */
import { addCounts, firstNames, lastMatch, namesIn, numberOf, numbersIn } from './matching.ts';
import type { Reader } from './summary.ts';

/** Matches the last eight lines of both reporters of `node --test`: with ℹ (spec) or # (TAP). */
const NODE =
  /^(?<sign>ℹ|#) tests (?<tests>\d+)\n\k<sign> suites \d+\n\k<sign> pass (?<pass>\d+)\n\k<sign> fail (?<fail>\d+)\n\k<sign> cancelled (?<cancelled>\d+)\n\k<sign> skipped (?<skipped>\d+)\n\k<sign> todo (?<todo>\d+)\n\k<sign> duration_ms [\d.]+$/gm;

/**
 * Parses the summary of `node --test`. The spec reporter repeats failed tests below the summary;
 * TAP names them where they ran.
 */
export const readNode: Reader = (text) => {
  const found = lastMatch(text, NODE);
  if (found?.groups === undefined) return undefined;
  const { sign, tests, pass, fail, cancelled, skipped, todo } = found.groups;
  const counts = {
    passed: numberOf(pass),
    failed: numberOf(fail) + numberOf(cancelled),
    skipped: numberOf(skipped) + numberOf(todo),
  };
  if (counts.passed + counts.failed + counts.skipped !== numberOf(tests)) return undefined;
  const below = text.slice(found.index);
  const failing =
    sign === '#'
      ? firstNames(
          failuresOf(text.slice(0, found.index))
            .filter(({ leaf }) => leaf)
            .map(nameOf),
        )
      : namesIn(below, /^\s*✖ (?<name>(?!failing tests:).+?) \([\d.]+ms\)$/gm);
  const empty = emptyFiles(text.slice(0, found.index), sign === '#');
  return {
    at: found.index + found[0].length,
    counts: { ...counts, failing, empty },
  };
};

/**
 * Returns files that passed without a test, such as a program that exits with 0. They are named by the end
 * of their path, since only one of the reporters prints whole paths.
 */
function emptyFiles(text: string, isTap: boolean): string[] {
  const names = isTap
    ? namesIn(text, /^ok \d+ - (?<name>\S+\.[cm]?[jt]sx?)$/gm)
    : namesIn(text, /^✔ (?<name>\S+\.[cm]?[jt]sx?) \([\d.]+ms\)$/gm);
  return firstNames(names.map((name) => name.split(/[\\/]/).slice(-2).join('/'))).sort();
}

interface Failure {
  readonly name: string;
  readonly leaf: boolean;
}
const nameOf = ({ name }: Failure): string => name;

/** Returns the failures. A suite that fails because of its tests is not counted itself. */
function failuresOf(text: string): Failure[] {
  return [
    ...text.matchAll(
      /^ *not ok \d+ - (?<name>.*?)(?: # (?:SKIP|TODO).*)?$(?<block>(?:\n +.*){0,12})/gm,
    ),
  ].map(({ groups }) => ({
    name: unescapeTap(groups?.name ?? ''),
    leaf: !/failureType: 'subtestsFailed'/.test(groups?.block ?? ''),
  }));
}

function unescapeTap(name: string): string {
  return name.replace(/\\([\\#])/g, '$1');
}

/**
 * Matches only lines without indentation; indented ones belong to subtests, which the line of their test
 * covers.
 */
const TAP_LINE =
  /^(?<not>not )?ok (?<number>\d+)(?: - | |$)(?<name>(?:\\.|[^\\#\n])*)(?:# ?(?<directive>SKIP|TODO)?.*)?$/gim;

/**
 * Parses the last output in TAP (Test Anything Protocol). A line such as `1..3` states the number of tests. If
 * there are not exactly as many result lines, numbered from 1, the output is incomplete and undefined is
 * returned. The same goes for output without a line such as `TAP version 13`, which may be something else.
 */
export const readTap: Reader = (text) => {
  const start = lastMatch(text, /^TAP version 1[34]$/gm);
  if (start === undefined) return undefined;
  const body = text.slice(start.index);
  const plans = [...body.matchAll(/^1\.\.(\d+)(?: #.*)?$/gm)];
  const lines = [...body.matchAll(TAP_LINE)];
  const [plan] = plans;
  if (plan === undefined || plans.length > 1 || lines.length !== Number(plan[1])) return undefined;
  if (lines.some(({ groups }, index) => groups?.number !== String(index + 1))) return undefined;
  const isSkipped = (line: RegExpExecArray): boolean => line.groups?.directive !== undefined;
  const rest = lines.filter((line) => !isSkipped(line));
  const failed = rest.filter(({ groups }) => groups?.not !== undefined);
  // The test runner tape prints a comment for each skipped test instead of a result line.
  const left = [...body.matchAll(/^# SKIP .+$/gm)].length;
  const last = [plan, ...lines].reduce(
    (end, line) => Math.max(end, line.index + line[0].length),
    0,
  );
  return {
    at: start.index + last,
    counts: {
      passed: rest.length - failed.length,
      failed: failed.length,
      skipped: lines.length - rest.length + left,
      failing: firstNames(failed.map(({ groups }) => unescapeTap(groups?.name ?? '').trim())),
    },
  };
};

const VITEST = /^ Test Files {2}.+\n {6}Tests {2}(?<tests>.+)$/gm;

/** Parses Vitest's summary. */
export const readVitest: Reader = (text) => {
  const found = lastMatch(text, VITEST);
  if (found === undefined) return undefined;
  const said = found.groups?.tests ?? '';
  const at = found.index + found[0].length;
  if (said === 'no tests') return { at, counts: { passed: 0, failed: 0, skipped: 0, failing: [] } };
  const numbers = numbersIn(said);
  const counts = {
    passed: addCounts(numbers, 'passed'),
    // Tests that Vitest lists as "expected fail" prove nothing, so they count neither as passed nor as
    // failed.
    failed: addCounts(numbers, 'failed'),
    skipped: addCounts(numbers, 'skipped', 'todo'),
  };
  const total = /\((\d+)\)$/.exec(said)?.[1];
  if (
    Number(total) !==
    counts.passed + counts.failed + counts.skipped + addCounts(numbers, 'expected')
  )
    return undefined;
  const failing = namesIn(text.slice(0, found.index), /^ FAIL {2}(?<name>.+ > .+?)(?: \[.*\])?$/gm);
  return { at, counts: { ...counts, failing } };
};

const JEST = /^Test Suites: .+ total\nTests: +(?<tests>.*?(?<total>\d+) total)$/gm;

/** Parses Jest's summary. */
export const readJest: Reader = (text) => {
  const found = lastMatch(text, JEST);
  if (found === undefined) return undefined;
  const numbers = numbersIn(found.groups?.tests ?? '');
  const counts = {
    passed: addCounts(numbers, 'passed'),
    failed: addCounts(numbers, 'failed'),
    skipped: addCounts(numbers, 'skipped', 'todo'),
  };
  if (counts.passed + counts.failed + counts.skipped !== addCounts(numbers, 'total'))
    return undefined;
  const failing = namesIn(text.slice(0, found.index), /^ {2}● (?<name>.+ › .+|(?!Console).+)$/gm);
  return { at: found.index + found[0].length, counts: { ...counts, failing } };
};

const MOCHA =
  /^ {2}(?<passing>\d+) passing \([^)\n]+\)(?:\n {2}(?<pending>\d+) pending)?(?:\n {2}(?<failing>\d+) failing)?$/gm;

/**
 * Parses mocha's summary and returns its numbers with the names of the failed tests. Mocha lists
 * them below the summary: a number, the names of the suites, and the test's name with a colon.
 */
export const readMocha: Reader = (text) => {
  const found = lastMatch(text, MOCHA);
  if (found?.groups === undefined) return undefined;
  const { passing, pending, failing } = found.groups;
  const below = text.slice(found.index);
  // Mocha lists failures by number, each with its error message. A message may contain text that looks like the
  // entry of a later failure, but the real entry follows below. So of several entries with the same number, the
  // last one counts.
  const named = new Map(
    [...below.matchAll(/^ {2}(\d+)\) ((?:[^\n]*[^:\n]\n {7,})*[^\n]+):$/gm)].map(
      ([, number, titles = '']) => [number, titles.split(/\n\s+/).join(' ')],
    ),
  );
  return {
    at: found.index + found[0].length,
    counts: {
      passed: numberOf(passing),
      failed: numberOf(failing),
      skipped: numberOf(pending),
      failing: firstNames([...named.values()]),
    },
  };
};

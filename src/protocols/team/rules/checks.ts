/** Judges the runs of checks on commits. An exit code of 0 alone does not make a commit green. */
import type { CheckRun, FileChange } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { Task } from '../forms/plan.ts';

/**
 * The most runs of acceptance tests by each check on the commit before the work. The tests count as failing if every
 * run of one check fails.
 */
export const RED_RUNS = 3;
/** The most names of tests that one sentence lists. */
const NAMED = 5;

/** How a check ended on the base (the commit that the work starts from), where it runs twice. */
export interface BaseCheck {
  readonly check: string;
  /**
   * If a check is `red` (failed) or `flaky` on the base, tests that fail there are not held against the work.
   * A person decides about a check that is `not-started`.
   */
  readonly state: 'green' | 'red' | 'flaky' | 'not-started';
  readonly runs: readonly CheckRun[];
  /** Names of the tests that failed in at least one of the runs. */
  readonly red: readonly string[];
}

/**
 * Derives the state of a check on the base from its runs there. It is `not-started` if there is no run, or if
 * a run never started or was stopped. Otherwise it is `flaky` if only some runs passed, or if other tests
 * failed in one run than in another.
 */
export function judgeBaseRuns(check: string, runs: readonly CheckRun[]): BaseCheck {
  const red = [...new Set(runs.flatMap(({ counts }) => counts?.failing ?? []))].sort();
  const never =
    runs.length === 0 || runs.some(({ ended }) => ended === 'not-started' || ended === 'stopped');
  const passed = runs.filter(isGreen).length;
  const differ = new Set(
    runs.map(({ counts }) => JSON.stringify([...(counts?.failing ?? [])].sort())),
  );
  return {
    check,
    state: never
      ? 'not-started'
      : passed === runs.length
        ? 'green'
        : passed > 0 || differ.size > 1
          ? 'flaky'
          : 'red',
    runs,
    red,
  };
}

/**
 * Returns the ids of checks that exited with 0 in at least one run on the base (the commit before the work),
 * but whose tests could not be counted in any run there.
 */
export function findUncountedChecks(base: readonly BaseCheck[]): readonly string[] {
  return base
    .filter(({ runs }) => runs.some(({ exit }) => exit === 0) && runs.every((run) => !run.counts))
    .map(({ check }) => check);
}

/**
 * Returns how new tests ended on the base, where they should fail. `not-run`: there was no run, or one did not
 * finish. `red`: they failed in every run. `vacuous`: they did not fail in every run. In a failed run the exit
 * code is not 0; if the tests were counted, at least one failed or none passed.
 */
export function judgeNewTests(runs: readonly CheckRun[]): 'red' | 'vacuous' | 'not-run' {
  if (runs.length === 0 || runs.some(({ exit, ended }) => exit === null || ended !== undefined))
    return 'not-run';
  const red = runs.every(
    ({ exit, counts }) =>
      exit !== 0 && (counts === undefined || counts.failed > 0 || counts.passed === 0),
  );
  return red ? 'red' : 'vacuous';
}

/**
 * The runs of one check on the base (the commit before the work) and on the commit to be judged.
 */
export interface ChecksOfCommit {
  readonly check: string;
  /** How the check ended before the work. */
  readonly base: BaseCheck;
  /** The run on the commit to be judged. */
  readonly commit: CheckRun;
  /**
   * The run on the commit after the old versions of tests (see `findOldTests`) replaced the commit's
   * versions of them. Absent if there was none.
   */
  readonly oldTests?: CheckRun | undefined;
}

/**
 * Returns the test files whose old version replaces that of the judged commit: all given ones except
 * those that the task declares to change.
 * @param paths the paths of the old tests that the commit changes
 */
export function findOldTests(task: Task, paths: readonly string[]): readonly string[] {
  const changed = task.changes_tests.map(({ file }) => file);
  return paths.filter((path) => !matchesGlob(path, changed));
}

/**
 * Returns a sentence for each existing test that a commit changes or removes without its task declaring so.
 * `tests` are globs of test files.
 */
export function findUndeclaredTestChanges(
  task: Task,
  changes: readonly FileChange[],
  tests: readonly string[],
): readonly string[] {
  const said = task.changes_tests.map(({ file }) => file);
  return changes
    .filter(
      ({ path, kind }) => kind !== 'added' && matchesGlob(path, tests) && !matchesGlob(path, said),
    )
    .map(
      ({ path, kind }) =>
        `the test ${path} is ${kind === 'mode' ? 'changed' : kind}, and the task does not say so`,
    );
}

/**
 * Judges whether a commit passes its checks, and returns every reason (`why`) if it does not:
 * - A check failed, does not count its tests any more although they were counted on the base, or runs no test
 *   any more in one of the test files.
 * - Fewer tests passed than on the base, or more were skipped. A task that declares which tests it changes and
 *   why is excused from this reason in the run of its own commit, but not in the run with the base's tests.
 *
 * A check that failed or was flaky on the base may fail again, but only by tests that failed on the base in
 * some run, and by no more tests than there. Before version 8 of the rules it could also fail without a count
 * of its tests, or by more tests if it named none. A check that did not start on the base is ignored. A commit
 * without any check does not pass.
 * `environment` is true if only the environment is at fault: for example, a check could not start,
 * or ran out of time although it did not on the base.
 */
export function judgeChecks(
  task: Task,
  checks: readonly ChecksOfCommit[],
  edition: number,
): { readonly green: boolean; readonly why: readonly string[]; readonly environment: boolean } {
  const declared = task.changes_tests.some(({ why }) => why.trim() !== '');
  const faults: string[] = [];
  const work: string[] = [];
  if (checks.length === 0) faults.push('no check ran');
  for (const { check, base, commit, oldTests: old } of checks) {
    if (base.state === 'not-started') continue;
    const runs = [
      { run: commit, name: check, excused: declared },
      ...(old === undefined
        ? []
        : [{ run: old, name: `${check}, with the base's tests`, excused: false }]),
    ];
    for (const { run, name, excused } of runs) {
      const fault = endOf(run, base);
      if (fault === 'as-base') continue;
      if (fault !== undefined) faults.push(`${name}: ${fault}`);
      else work.push(...reasonsIn(run, base, excused, edition).map((why) => `${name}: ${why}`));
    }
  }
  return {
    green: faults.length === 0 && work.length === 0,
    why: [...work, ...faults],
    environment: faults.length > 0 && work.length === 0,
  };
}

/**
 * Returns why an incomplete run says nothing about the work, `as-base` if the base ended the same way, or
 * undefined if the run is complete.
 */
function endOf({ exit, ended }: CheckRun, base: BaseCheck): string | 'as-base' | undefined {
  if (exit !== null && ended === undefined) return undefined;
  const ends = base.runs.map((run) => run.ended);
  if (ends.includes(ended ?? 'signal')) return 'as-base';
  switch (ended) {
    case 'not-started':
      return 'it could not start';
    case 'time':
      return 'it was out of time, and on the base it was not';
    case 'output':
      return 'it printed too much to be read';
    case 'stopped':
      return 'it was stopped';
    default:
      return 'it was ended by a signal';
  }
}

function reasonsIn(
  { exit, counts }: CheckRun,
  base: BaseCheck,
  excused: boolean,
  edition: number,
): string[] {
  const known = base.runs.flatMap((run) => run.counts ?? []);
  const least = Math.min(...known.map(({ passed }) => passed));
  const most = Math.max(...known.map(({ skipped }) => skipped));
  const mostFailed = Math.max(...known.map(({ failed }) => failed));
  const isNew = (test: string): boolean => !base.red.includes(test);
  const failing = (counts?.failing ?? []).filter(isNew);
  const reasons: string[] = [];
  if (base.state === 'green') {
    if (exit !== 0 || (counts?.failed ?? 0) > 0)
      reasons.push(
        `${exit === 0 ? `exit 0, and ${formatCount(counts?.failed ?? 0, 'test')} failed` : `exit ${exit}`}${namesOf(failing)}`,
      );
  } else if (failing.length > 0) reasons.push(`red, and not on the base${namesOf(failing)}`);
  if (known.length === 0) return reasons;
  if (counts === undefined) {
    const isExitReported = base.state === 'green' && exit !== 0;
    if (!isExitReported && (exit === 0 || edition >= 8))
      reasons.push(`exit ${exit}, and no count of tests where the base has ${least} passed`);
    return reasons;
  }
  // Some test runners say how many tests failed, but not which. If no new failure is named, compare the number of
  // failed tests with that on the base.
  if (edition >= 8 && base.state !== 'green' && failing.length === 0 && counts.failed > mostFailed)
    reasons.push(`more tests failed than on the base: ${counts.failed}, there ${mostFailed}`);
  const ended = endedEarly(counts, known);
  if (ended.length > 0) reasons.push(`no test ran in${namesOf(ended).slice(1)}`);
  if (excused) return reasons;
  const redBefore = counts.failing.length - failing.length;
  const still = counts.passed + (base.state === 'green' ? counts.failed : redBefore);
  if (still < least)
    reasons.push(`fewer tests passed than on the base: ${counts.passed} of ${least}`);
  if (counts.skipped > most)
    reasons.push(`more tests skipped than on the base: ${counts.skipped}, there ${most}`);
  return reasons;
}

type Counts = NonNullable<CheckRun['counts']>;

/**
 * Returns files in which no test ran, without those in which no test ran on the base either. Returns none if a
 * run on the base has no list of such files.
 */
function endedEarly({ empty = [] }: Counts, known: readonly Counts[]): readonly string[] {
  const before = known.flatMap((counts) => (counts.empty === undefined ? [] : [counts.empty]));
  // Some test runners list every file that passed as a file in which no test ran. Such a list says nothing.
  const isEveryPassedListed = known.some(
    (counts) => counts.passed > 0 && counts.empty?.length === counts.passed,
  );
  if (isEveryPassedListed || before.length < known.length) return [];
  return empty.filter((file) => !before.some((files) => files.includes(file)));
}

function namesOf(tests: readonly string[]): string {
  if (tests.length === 0) return '';
  const more = tests.length > NAMED ? ` and ${tests.length - NAMED} more` : '';
  return `: ${tests.slice(0, NAMED).join(', ')}${more}`;
}

function isGreen({ exit, ended, counts }: CheckRun): boolean {
  return exit === 0 && ended === undefined && (counts?.failed ?? 0) === 0;
}

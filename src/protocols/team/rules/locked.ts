/**
 * Handles verifiers' own tests: what their first run shows, when a test is dropped, and where it is
 * written.
 */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';
import type { FactOf } from '../facts.ts';
import type { LockedTest } from '../fold.ts';
import { isQuotedFrom } from './quotations.ts';

type Given = FactOf<'verdict.given'>;

type ProbeEnd =
  | { readonly state: 'passed' | 'failed' }
  /** The run says nothing about the work. */
  | { readonly state: 'not-run'; readonly why: string };

/**
 * Judges a verifier's new test, the file `path`, by two runs of a check: one without the test (`before`) and
 * one with it (`run`). The test is `not-run`, which says nothing about the work, if it was not found or could
 * not be loaded, if it breaks other tests, or if the run did not finish. A runner that names only the test's
 * file as failing could not load it.
 */
export function judgeProbe(before: CheckRun, run: CheckRun, path: string): ProbeEnd {
  if (run.exit === null || run.ended !== undefined)
    return { state: 'not-run', why: 'the run with it came to no end' };
  if (run.exit === 0)
    return hasMorePassed(before, run)
      ? { state: 'passed' }
      : { state: 'not-run', why: 'no runner noticed a test in it' };
  const { counts } = run;
  if (counts === undefined)
    return LOADING.test(run.output)
      ? { state: 'not-run', why: 'it could not be loaded' }
      : { state: 'failed' };
  if (counts.failed === 0) return { state: 'not-run', why: 'it could not be loaded' };
  if (before.counts !== undefined && counts.passed < before.counts.passed)
    return { state: 'not-run', why: 'tests beside it do not pass any more' };
  if (counts.failing.length > 0 && counts.failing.every((name) => isFile(name, path)))
    return { state: 'not-run', why: 'it could not be loaded' };
  return { state: 'failed' };
}

/**
 * What interpreters and compilers print about a file that they cannot load, for runners whose tests are not
 * counted.
 */
const LOADING =
  /\b(?:SyntaxError|ReferenceError|ModuleNotFoundError|ImportError|LoadError|ERR_MODULE_NOT_FOUND|Cannot find module|could not compile|build failed|setup failed)\b/;

type Counts = NonNullable<CheckRun['counts']>;

/**
 * Returns whether more tests passed in the second run than in the first, which shows that the runner has found
 * the new test. Also true if the first run did not count its tests; false if only the second did not.
 */
export function hasMorePassed({ counts: before }: CheckRun, { counts: after }: CheckRun): boolean {
  return before === undefined || (after !== undefined && countMore(before, after) > 0);
}

/**
 * Returns how many more tests passed than before. Some runners report a file without named tests as a passed
 * test. Such a file is not counted. If everything that passed before was such a file, the runner names no
 * tests, and the files are counted.
 */
export function countMore(before: Counts, after: Counts): number {
  const isPlain = before.empty?.length === before.passed;
  const countTests = ({ passed, empty = [] }: Counts): number =>
    isPlain ? passed : passed - empty.length;
  return countTests(after) - countTests(before);
}

function isFile(name: string, path: string): boolean {
  const file = name.replace(/^(?:ERROR|FAIL)\s+/, '').replaceAll('\\', '/');
  return file === path || file.endsWith(`/${path}`) || path.endsWith(`/${file}`);
}

/** Returns the verifiers' locked tests that the work still has to pass: those that were not dropped. */
export function findTestsInForce(locked: readonly LockedTest[]): readonly LockedTest[] {
  return locked.filter(({ dropped }) => dropped === undefined);
}

/**
 * Returns the failing tests that all verifiers want to drop because they do not test the
 * requirement, each with a reason and a quotation of the requirement. If there is only one verifier, no test
 * is dropped.
 */
export function findDroppedTests(
  red: readonly LockedTest[],
  verdicts: readonly Given[],
  seats: readonly string[],
  requirements: readonly { readonly id: string; readonly text: string }[],
): readonly Pick<FactOf<'test.dropped'>, 'path' | 'requirement' | 'said'>[] {
  if (seats.length < 2) return [];
  return red.flatMap(({ path, requirement }) => {
    const text = requirements.find(({ id }) => id === requirement)?.text ?? '';
    const said = seats.flatMap((seat) => {
      const last = verdicts.findLast(
        (verdict) => verdict.seat === seat && verdict.drops !== undefined,
      );
      const own = last?.drops?.find((drop) => drop.path === path);
      return own === undefined || own.why.trim() === '' || !isQuotedFrom(own.quote, text)
        ? []
        : [{ seat, quote: own.quote, why: own.why }];
    });
    return said.length === seats.length ? [{ path, requirement, said }] : [];
  });
}

/** How many numbers in a row each workstream has for the names of its tests. */
const LANE = 20;

/**
 * Returns an unused path for a verifier's test: the path that the verifier named, or that path with a number.
 * @param lane the number, from 0, of a workstream among the `lanes` workstreams verified at the
 * same time; each of them gets paths of its own
 */
export function freePath(
  path: string,
  isTaken: (path: string) => boolean,
  globs: readonly string[],
  { lane, lanes }: { readonly lane: number; readonly lanes: number },
): string {
  if (lane === 0 && !isTaken(path)) return path;
  const at = path.lastIndexOf('/') + 1;
  const [folder, name] = [path.slice(0, at), path.slice(at)];
  const dot = name.indexOf('.', 1);
  const [stem, rest] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  for (let count = 0; ; count += 1) {
    const turn = Math.floor(count / LANE) * Math.max(lanes, 1) + lane;
    const number = turn * LANE + (count % LANE) + 2;
    const tried = [`${stem}${number}${rest}`, `${stem}_${number}${rest}`, `t${number}_${name}`];
    const fitting = tried.filter((name) => matchesGlob(folder + name, globs));
    // From `a.test.ts`, the number 2 makes `a2.test.ts`, `a_2.test.ts` and `t2_a.test.ts`. If some of these
    // names match the globs of test files, only they are tried.
    const found = (fitting.length > 0 ? fitting : tried).find((name) => !isTaken(folder + name));
    if (found !== undefined) return folder + found;
  }
}

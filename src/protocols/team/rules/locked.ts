/** Verifiers' own tests: what their first run says, when one is dropped, and where it may lie. */
import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';
import type { FactOf } from '../facts.ts';
import type { LockedTest } from '../fold.ts';
import { stands } from './quotations.ts';

type Given = FactOf<'verdict.given'>;

type ProbeEnd =
  | { readonly state: 'passed' | 'failed' }
  /** It says nothing of the work. */
  | { readonly state: 'not-run'; readonly why: string };

/**
 * Reads the run of a check with a new test in it, beside the run without. A test failed where the runner
 * names one, and not only its file: what cannot be loaded says nothing of the work, and neither does one
 * that breaks the tests beside it.
 */
export function readProbe(before: CheckRun, run: CheckRun, path: string): ProbeEnd {
  if (run.exit === null || run.ended !== undefined)
    return { state: 'not-run', why: 'the run with it came to no end' };
  if (run.exit === 0)
    return isNoticed(before, run)
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

/** What interpreters and compilers print of a file that they could not take in, where nothing is counted. */
const LOADING =
  /\b(?:SyntaxError|ReferenceError|ModuleNotFoundError|ImportError|LoadError|ERR_MODULE_NOT_FOUND|Cannot find module|could not compile|build failed|setup failed)\b/;

type Counts = NonNullable<CheckRun['counts']>;

export function isNoticed({ counts: before }: CheckRun, { counts: after }: CheckRun): boolean {
  return before === undefined || (after !== undefined && countMore(before, after) > 0);
}

/**
 * How many more tests passed than before. A file that ended well without a test in it is none, unless all
 * that passed before are such files: then these are the tests.
 */
export function countMore(before: Counts, after: Counts): number {
  const isPlain = before.empty?.length === before.passed;
  const ran = ({ passed, empty = [] }: Counts): number =>
    isPlain ? passed : passed - empty.length;
  return ran(after) - ran(before);
}

function isFile(name: string, path: string): boolean {
  const file = name.replace(/^(?:ERROR|FAIL)\s+/, '').replaceAll('\\', '/');
  return file === path || file.endsWith(`/${path}`) || path.endsWith(`/${file}`);
}

/** Locked tests that hold: those that were not dropped. */
export function heldTests(locked: readonly LockedTest[]): readonly LockedTest[] {
  return locked.filter(({ dropped }) => dropped === undefined);
}

/**
 * Tests, of those that are red, which every verifier says in their last word do not test what the
 * requirement says, each with a reason and a place in its words. One alone drops nothing.
 */
export function droppedBy(
  red: readonly LockedTest[],
  verdicts: readonly Given[],
  seats: readonly string[],
  requirements: readonly { readonly id: string; readonly text: string }[],
): readonly Pick<FactOf<'test.dropped'>, 'path' | 'requirement' | 'said'>[] {
  if (seats.length < 2) return [];
  return red.flatMap(({ path, requirement }) => {
    const text = requirements.find(({ id }) => id === requirement)?.text ?? '';
    const said = seats.flatMap((seat) => {
      const last = verdicts.findLast((one) => one.seat === seat && one.drops !== undefined);
      const own = last?.drops?.find((one) => one.path === path);
      return own === undefined || own.why.trim() === '' || !stands(own.quote, text)
        ? []
        : [{ seat, quote: own.quote, why: own.why }];
    });
    return said.length === seats.length ? [{ path, requirement, said }] : [];
  });
}

/** Numbers that a workstream has for its tests, in a row. */
const LANE = 20;

/**
 * A path where nothing lies yet, as near to the one that was named as can be. `lane`: of `lanes` workstreams
 * that are verified side by side, so that they take different names whoever is first; 0 for the first.
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
    const fitting = tried.filter((one) => matchesGlob(folder + one, globs));
    // Where no other name is a test's, it is kept all the same: that nobody runs it is found out by code.
    const found = (fitting.length > 0 ? fitting : tried).find((one) => !isTaken(folder + one));
    if (found !== undefined) return folder + found;
  }
}

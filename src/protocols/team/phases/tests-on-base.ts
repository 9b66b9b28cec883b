/** Runs acceptance tests on the base: they have to be red there before any work is done. */

import type { CheckRun } from '../../../kernel/tools/workshop.ts';
import type { FactOf } from '../facts.ts';
import type { Workstream } from '../forms/plan.ts';
import type { BlindTests } from '../forms/work.ts';
import { judgeNewTests, RED_RUNS } from '../rules/checks.ts';
import { hasMorePassed } from '../rules/locked.ts';
import { checksOf } from '../rules/plan.ts';
import type { TeamRun, WorkBasis } from '../team-run.ts';
import { runCheck } from './checks.ts';

type State = FactOf<'tests.written'>['tests'][number]['state'];

/**
 * How the test files of a requirement ended on the base (the commit that the work starts from),
 * where they should fail.
 */
export interface TriedTests {
  readonly requirement: string;
  readonly paths: readonly string[];
  readonly state: State;
}

/**
 * Runs the new tests of each requirement on the base (the commit that the work starts from), together
 * with new files that belong to no requirement and count as helpers.
 * @param tree the id of the base's tree
 * @returns how the tests ended, by requirement: `red` is what is wanted
 */
export async function tryOnBase(
  team: TeamRun,
  step: string,
  tree: string,
  ground: WorkBasis,
  workstream: Workstream,
  { tests }: BlindTests,
  { commit, files }: { readonly commit: string; readonly files: readonly string[] },
): Promise<readonly TriedTests[]> {
  const own = tests.filter(
    ({ path, requirement }) => files.includes(path) && workstream.covers.includes(requirement),
  );
  const listed = new Set(own.map(({ path }) => path));
  // Files that belong to no requirement of the workstream count as helpers of all its tests.
  const helpers = files.filter((path) => !listed.has(path));
  // Requirements with the same test files share one result.
  const known = new Map<string, State>();
  const tried: TriedTests[] = [];
  for (const requirement of [...new Set(own.map((test) => test.requirement))].sort()) {
    const paths = [
      ...new Set([
        ...own.flatMap((test) => (test.requirement === requirement ? [test.path] : [])),
        ...helpers,
      ]),
    ].sort();
    const same = paths.join('\0');
    const state =
      known.get(same) ??
      (await redOnBase(team, `${step}/${requirement}`, {
        tree,
        ground,
        workstream,
        commit,
        paths,
      }));
    known.set(same, state);
    tried.push({ requirement, paths, state });
  }
  return tried;
}

interface Tried {
  /** The id of the base's tree. */
  readonly tree: string;
  readonly ground: WorkBasis;
  readonly workstream: Workstream;
  readonly commit: string;
  readonly paths: readonly string[];
}

/**
 * Runs new test files on the base, where they are meant to fail, with one check after another until they fail.
 * Each check runs them up to three times. From version 3 of the rules on, a check stops at its first green
 * run, and the result is `not-run` if no check found a test in the files.
 */
async function redOnBase(
  team: TeamRun,
  key: string,
  { tree, ground: { survey, plan, provision, base }, workstream, commit, paths }: Tried,
): Promise<State> {
  const runners = testRunners(base);
  let found: State = 'not-run';
  for (const check of checksOf(plan).filter((check) => runners.has(check.id))) {
    const before = base.find((baseCheck) => baseCheck.check === check.id)?.runs[0];
    const runs: CheckRun[] = [];
    for (let time = 1; time <= RED_RUNS; time += 1) {
      const run = await runCheck(team, `${key}/${check.id}-${time}`, provision, check, {
        kind: 'red-before',
        tree,
        commit: survey.base,
        workstream: workstream.id,
        over: { from: commit, paths },
      });
      runs.push(run);
      if (team.edition >= 3 && run.exit === 0) break;
    }
    const state = judgeNewTests(runs);
    if (state === 'red') return 'red';
    const [run] = runs;
    const isUnnoticed =
      team.edition >= 3 && run?.exit === 0 && before !== undefined && !hasMorePassed(before, run);
    if (state === 'vacuous' && !isUnnoticed) found = 'vacuous';
  }
  return found;
}

/**
 * Returns the ids of the checks that new tests are tried with. These are checks that passed on the
 * base (the commit that the work starts from), since a check that fails there fails with any new
 * test. Checks whose output has no count of tests are only returned if no other check has one.
 */
export function testRunners(base: WorkBasis['base']): ReadonlySet<string> {
  const green = base.filter(({ state }) => state === 'green');
  const counting = green.filter(({ runs }) => runs.some(({ counts }) => counts !== undefined));
  const chosen = counting.length > 0 ? counting : green;
  return new Set(chosen.map(({ check }) => check));
}

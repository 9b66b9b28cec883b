/**
 * Judges a task's commit by running checks: on the commit, with the base's tests copied over it, and its
 * new tests on the base.
 */
import type { RunCommit } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';
import { fact } from '../facts.ts';
import {
  type ChecksOfCommit,
  findOldTests,
  findUndeclaredTestChanges,
  judgeChecks,
  judgeNewTests,
} from '../rules/checks.ts';
import { withPermittedTests } from '../rules/permits.ts';
import { checksOf, testsOf } from '../rules/plan.ts';
import { newTestsIn } from './changed.ts';
import { endOf, runCheck, runTwiceIfRed, tellCheck } from './checks.ts';
import { lockedFiles, lockedSets } from './locked.ts';
import { completesRequirement, type Start, type WorkState } from './state.ts';
import { testRunners } from './tests-on-base.ts';

/** How the checks of a task judged its commit. */
export interface JudgedCommit {
  /** `environment`: the checks could not run, so nothing is known about the commit. */
  readonly state: 'green' | 'red' | 'environment';
  /** The reasons why the commit is not green. */
  readonly why: readonly string[];
  /** The output of the failed checks. */
  readonly output: readonly string[];
  /** Whether the commit may be kept as a part of the task; undefined if locked tests ran too. */
  readonly standsAsPart?: boolean | undefined;
}

/**
 * Judges a task's commit by the task's checks and records whether it is green. If the commit changes tests
 * that the task may not change, the checks also run with the old version of these tests. If the commit does
 * the whole task, its new tests also run on the base. They have to fail there if they are the only tests of a
 * requirement.
 * @param isWhole false if the commit does only a part of the task, which need not pass the
 * acceptance tests and verifiers' tests
 */
export async function judgeCommit(
  state: WorkState,
  key: string,
  { id, attempt, commit: base }: Start,
  { commit, tree }: RunCommit,
  isWhole: boolean,
): Promise<JudgedCommit> {
  const { team, ground } = state;
  const { plan, survey, provision } = ground;
  const view = team.task(id);
  const { task } = view;
  const of = { task: id, attempt, workstream: task.workstream };
  const globs = testsOf(plan, survey);
  const changes = await team.look(`${key}/changes`, { base, commit }, (signal) =>
    team.workshop.changes(base, commit, signal),
  );
  const own = await ownTests(state, key, id, commit, globs);
  const said = withPermittedTests(view);
  const touched = changes.flatMap(({ path, kind }) =>
    kind !== 'added' && matchesGlob(path, globs) && !own.includes(path) ? [path] : [],
  );
  // If the commit changed tests that the task may not change, run each check a second time, with the tests' old
  // versions.
  const over = findOldTests(said, touched);
  const permitted = team.edition < 3 ? [] : touched.filter((path) => !over.includes(path));
  // Take the old version of a test from the commit that the attempt started from, because it contains the tests
  // of earlier tasks. Up to version 2 of the rules, take it from the base, which lacks those tests.
  const from = team.edition < 3 ? survey.base : base;
  // If the commit does only a part of the task, leave out the locked tests: only the whole task has to pass them.
  const aside = isWhole ? [] : lockedFiles(state);
  const checks: ChecksOfCommit[] = [];
  const output: string[] = [];
  for (const check of checksOf(plan).filter((check) => task.checks.includes(check.id))) {
    const known = ground.base.find((baseCheck) => baseCheck.check === check.id);
    if (known === undefined) continue;
    const step = `${key}/check-${check.id}`;
    const ran = await runTwiceIfRed(team, step, provision, check, {
      kind: 'commit',
      tree,
      commit,
      ...of,
      ...(aside.length === 0 ? {} : { over: { from: survey.base, paths: aside } }),
    });
    const old =
      over.length === 0
        ? undefined
        : await runCheck(team, `${step}-old`, provision, check, {
            kind: 'old-tests',
            tree,
            commit,
            ...of,
            over: { from, paths: over },
          });
    if (permitted.length > 0)
      await runCheck(team, `${step}-before`, provision, check, {
        kind: 'old-version',
        tree,
        commit,
        ...of,
        over: { from, paths: permitted },
      });
    checks.push({ check: check.id, base: known, commit: ran, oldTests: old });
    if (ran.exit !== 0)
      output.push(
        `${tellCheck({ ...ran, check: check.id, counts: undefined })}\n${endOf(ran.output)}`,
      );
  }
  const judged = judgeChecks(said, checks, team.edition);
  const old = changes.filter(({ path }) => !own.includes(path));
  const why = [...findUndeclaredTestChanges(said, old, globs), ...judged.why];
  let isGreen = why.length === 0 && judged.green;
  const ranLockedTests = isWhole && lockedFiles(state).length > 0;
  const standsAsPart = ranLockedTests ? undefined : isGreen;
  if (isGreen && isWhole) {
    const shows = await showsByTests(state, key, id, attempt, commit, newTestsIn(changes, globs));
    why.push(...shows);
    isGreen = shows.length === 0;
  }
  await team.record(`${key}/judged`, { commit, isGreen, why }, [
    fact('task.judged', { task: id, attempt, commit, green: isGreen, why }),
  ]);
  if (isGreen) return { state: 'green', why, output, standsAsPart };
  const isFault = judged.environment && why.length === judged.why.length;
  return { state: isFault ? 'environment' : 'red', why, output, standsAsPart };
}

/**
 * Returns the paths of tests that the task has added in any of its attempts, excluding tests of the base,
 * of other tasks and of verifiers. From version 3 of the rules on, the task may change these tests.
 */
async function ownTests(
  state: WorkState,
  key: string,
  id: string,
  commit: string,
  globs: readonly string[],
): Promise<readonly string[]> {
  const { team, ground } = state;
  if (team.edition < 3) return [];
  const { base } = ground.survey;
  const { attempts } = team.task(id);
  const made = new Set(attempts.flatMap(({ commits }) => commits.flatMap(({ files }) => files)));
  // Tasks that share a file run one after the other, so a replay finds the same tests here.
  const lockedOrOfOthers = new Set([
    ...lockedFiles(state),
    ...team.view.tasks.flatMap((task) =>
      task.task.id === id
        ? []
        : task.attempts.flatMap(({ commits }) => commits.flatMap(({ files }) => files)),
    ),
  ]);
  const ownTests = [...made]
    .filter((path) => matchesGlob(path, globs) && !lockedOrOfOthers.has(path))
    .sort();
  if (ownTests.length === 0) return [];
  return team.look(`${key}/own-tests`, { base, commit, mine: ownTests }, async (signal) => {
    const there = await Promise.all(ownTests.map((path) => team.workshop.text(base, path, signal)));
    return ownTests.filter((_path, at) => there[at] === undefined);
  });
}

/**
 * Runs the task's new tests on the base, where they have to fail to prove anything. A new test is required
 * only for a requirement that has none yet and that this task completes.
 */
async function showsByTests(
  state: WorkState,
  key: string,
  id: string,
  attempt: number,
  commit: string,
  tests: readonly string[],
): Promise<readonly string[]> {
  const { team, ground, tests: blind, red } = state;
  const { plan, survey, provision, base } = ground;
  const { task, files } = team.task(id);
  const wanted = plan.requirements.filter(
    (candidate) =>
      candidate.proof === 'test' &&
      task.covers.includes(candidate.id) &&
      completesRequirement(state, id, candidate.id) &&
      ![...blind, ...lockedSets(team)].some(({ requirement }) => requirement === candidate.id) &&
      !team.view.tasks.some(
        (piece) =>
          piece.of === id && red.has(piece.task.id) && piece.task.covers.includes(candidate.id),
      ),
  );
  if (tests.length === 0) {
    const globs = testsOf(plan, survey);
    const mayTest = files.some((file) => matchesGlob(file, globs));
    return mayTest && !red.has(id)
      ? wanted.map(
          (requirement) =>
            `${requirement.id} is to be shown by a test, and no test was added for it`,
        )
      : [];
  }
  const baseTree = await team.look(`${key}/base-tree`, { base: survey.base }, () =>
    team.workshop.treeOf(survey.base),
  );
  const runners = testRunners(base);
  const states: string[] = [];
  for (const check of checksOf(plan).filter((check) => runners.has(check.id))) {
    const ran = await runCheck(team, `${key}/red-${check.id}`, provision, check, {
      kind: 'red-before',
      tree: baseTree,
      commit: survey.base,
      task: id,
      attempt,
      workstream: task.workstream,
      over: { from: commit, paths: tests },
    });
    states.push(judgeNewTests([ran]));
  }
  if (states.includes('red')) {
    red.set(id, tests);
    return [];
  }
  return states.includes('vacuous')
    ? wanted.map(
        (requirement) =>
          `its new tests pass without the work, so they show nothing of ${requirement.id}`,
      )
    : [];
}

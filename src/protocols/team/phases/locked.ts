/**
 * Locks verifiers' tests. A locked test belongs to its workstream like the acceptance tests: the last task
 * that covers its requirement starts from it and has to make it pass.
 */

import { joinLines } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { cutText } from '../../../text/words/cut.ts';
import { type FactOf, fact } from '../facts.ts';
import type { LockedTest } from '../fold.ts';
import type { Workstream } from '../forms/plan.ts';
import { MAX_SUBJECT } from '../history.ts';
import type { GivenVerdict } from '../prompts/verify.ts';
import { countMore, findTestsInForce, freePath } from '../rules/locked.ts';
import { checksOf } from '../rules/plan.ts';
import type { TeamRun } from '../team-run.ts';
import { runCheck } from './checks.ts';
import type { JoinedCommit, SentDown, WorkState } from './state.ts';
import type { BlindSet } from './tests.ts';
import { testRunners } from './tests-on-base.ts';

/**
 * Returns the verifiers' tests that were not dropped, in the same form as acceptance tests: each with
 * its own commit on the base (the commit that the work starts from).
 */
export function lockedSets({ view }: TeamRun): readonly BlindSet[] {
  return findTestsInForce(view.locked).map(({ workstream, requirement, commit, path }) => ({
    workstream,
    requirement,
    commit,
    files: [path],
  }));
}

/**
 * Returns the paths of all tests that no task may change: acceptance tests and tests by verifiers.
 */
export function lockedFiles({ team, tests }: Pick<WorkState, 'team' | 'tests'>): string[] {
  return [...tests, ...lockedSets(team)].flatMap(({ files }) => files);
}

/**
 * Returns the id of the task that has to make a verifier's test pass: the workstream's last task that
 * covers the test's requirement, or else its last task. Dropped tasks do not count. Undefined if no other
 * task is left.
 */
export function findOwnerTask(
  { graph, view }: TeamRun,
  { workstream, requirement }: Pick<LockedTest, 'workstream' | 'requirement'>,
): string | undefined {
  const dropped = new Set(
    view.tasks.flatMap((task) => (task.state === 'dropped' ? task.task.id : [])),
  );
  const own = graph.tasks.filter((task) => task.workstream === workstream && !dropped.has(task.id));
  return (own.findLast(({ covers }) => covers.includes(requirement)) ?? own.at(-1))?.id;
}

/** Returns the verifiers' tests that a task has to make pass. */
export function findLockedForTask(team: TeamRun, task: string): readonly LockedTest[] {
  return findTestsInForce(team.view.locked).filter(
    (lockedTest) => findOwnerTask(team, lockedTest) === task,
  );
}

function subjectOf(requirement: string, shows: string): string {
  return cutText(`Test ${requirement}: ${joinLines(shows)}`, MAX_SUBJECT);
}

/**
 * Locks new tests of verifiers: commits each of them on the base (the commit before the work), so that no
 * task may change them. Every test that failed on the merged commit is locked. A test that passed there is locked if it
 * failed on the base, and if its requirement has no test in this workstream yet.
 * @param key the prefix of the recorded steps
 * @param on the merged commit and its round, the globs of test files, and whether the workstream is
 * verified alone, while other workstreams may lock tests at the same time
 * @param given the verdicts with the tests and how these ended
 * @returns the locked tests that failed on the merged commit
 */
export async function lockProbes(
  { team, ground, tests }: WorkState,
  key: string,
  on: {
    readonly commit: string;
    readonly round: number;
    readonly globs: readonly string[];
    readonly isAlone?: boolean | undefined;
  },
  { id: workstream }: Workstream,
  given: readonly GivenVerdict[],
): Promise<readonly LockedTest[]> {
  const { base } = ground.survey;
  const proved = new Set(
    [...tests, ...lockedSets(team)].flatMap((set) =>
      set.workstream === workstream ? [set.requirement] : [],
    ),
  );
  // Leave out tests that other workstreams may be locking now, since their order can differ in a replay.
  const before = team.view.locked.filter(
    (lockedTest) =>
      lockedTest.workstream === workstream || (!on.isAlone && lockedTest.round < on.round),
  );
  const taken = new Set([
    ...ground.survey.paths,
    ...tests.flatMap(({ files }) => files),
    ...before.map(({ path }) => path),
  ]);
  const { workstreams } = ground.plan;
  const lane = workstreams.findIndex(({ id }) => id === workstream);
  const lanes = workstreams.length;
  const locked: LockedTest[] = [];
  // First lock the tests that failed on the merged commit, then those that passed. A test that passed is locked only
  // if it failed on the base and its requirement has no test yet.
  for (const state of ['failed', 'passed'] as const)
    for (const { seat, probe } of given) {
      if (probe?.state !== state || probe.requirement === undefined) continue;
      const { requirement, text, shows, output = '' } = probe;
      if (state === 'passed' && (probe.red === undefined || proved.has(requirement))) continue;
      const path = freePath(probe.path, (path) => taken.has(path), on.globs, { lane, lanes });
      const wish = { base, path, text, message: subjectOf(requirement, shows) };
      const commit = await team.look(`${key}/lock-${path}`, wish, async (signal) => {
        const tree = await team.workshop.put(await team.workshop.treeOf(base), path, text, signal);
        const made = await team.workshop.commit(
          { tree, parents: [base], message: wish.message },
          signal,
        );
        return made.done ? made.commit : null;
      });
      if (commit === null) throw new Error(`the test ${path} could not be committed`);
      taken.add(path);
      proved.add(requirement);
      locked.push({
        workstream,
        requirement,
        path,
        text,
        shows,
        by: seat,
        round: on.round,
        commit,
        output,
        ...(state === 'failed'
          ? { on: on.commit, state: 'red' as const }
          : { on: base, state: 'green' as const }),
      });
    }
  if (locked.length > 0)
    await team.record(
      `${key}/locked`,
      { locked },
      locked.map((lockedTest) => fact('test.locked', { ...lockedTest })),
    );
  return locked.filter(({ state }) => state === 'red');
}

/**
 * Restores all tests that both verifiers had dropped, because the person asked for this: the tests are
 * locked again, and their requirements are unmet.
 * @returns the tasks that have to make these tests pass
 */
export async function restoreTests(
  { team }: WorkState,
  round: number,
  commit: string,
): Promise<SentDown['failed']> {
  const dropped = team.view.locked.filter((lockedTest) => lockedTest.dropped !== undefined);
  await team.record(`deliver/restored-${round}`, { dropped, commit }, [
    ...dropped.map(({ dropped: _dropped, ...lockedTest }) =>
      fact('test.locked', { ...lockedTest, by: 'person' }),
    ),
    ...unmetBy(dropped, round, commit),
  ]);
  const whys = new Map<string, string[]>();
  for (const lockedTest of dropped) {
    const owner = findOwnerTask(team, lockedTest);
    if (owner === undefined) continue;
    const told = `The person has put back the test ${lockedTest.path} for ${lockedTest.requirement}, which verifiers had dropped, and it is red: ${lockedTest.shows}\nIt printed:\n${lockedTest.output}`;
    whys.set(owner, [...(whys.get(owner) ?? []), told]);
  }
  return [...whys].map(([task, words]) => ({
    task,
    failure: { kind: 'bad-output', cause: 'work', why: words.join('\n') },
  }));
}

/** Builds the facts by which requirements of tests that were put back are unmet again. */
function unmetBy(
  tests: readonly LockedTest[],
  round: number,
  commit: string,
): readonly FactOf<'verdict.joined'>[] {
  return [...new Set(tests.map(({ workstream }) => workstream))].map((workstream) => {
    const own = tests.filter((lockedTest) => lockedTest.workstream === workstream);
    const told = own.map(({ requirement, path, shows }) => ({
      requirement,
      why: `the test ${path}, which the person has put back, is red: ${shows}`,
    }));
    return fact('verdict.joined', {
      workstream,
      round,
      commit,
      verdict: 'fail',
      cause: 'work',
      requirements: [...new Set(told.map(({ requirement }) => requirement))].map((id) => ({
        id,
        state: 'unmet' as const,
        evidence: told.flatMap(({ requirement, why }) => (requirement === id ? [why] : [])),
      })),
      failing: told.map(({ requirement, why }) => ({
        task: '',
        why: `${requirement} is not met: ${why}`,
      })),
    });
  });
}

/**
 * Finds out whether the locked tests really ran on a merged commit, from version 3 of the rules on. For
 * this, the checks are run again without the locked tests. At least one test fewer has to pass then for
 * each test of a verifier, and one for all acceptance tests together.
 * @returns if too many pass, the last finished task in the list of tasks, which is worked on again;
 * undefined if the locked tests ran, if there are none, or if tests cannot be counted
 */
export async function findUnrun(
  state: WorkState,
  round: number,
  { commit, tree, ran }: JoinedCommit,
): Promise<SentDown | undefined> {
  const { team, ground } = state;
  const { plan, survey, provision, base } = ground;
  const paths = lockedFiles(state);
  if (team.edition < 3 || paths.length === 0) return undefined;
  const runners = testRunners(base);
  let more = 0;
  for (const check of checksOf(plan).filter(({ id }) => runners.has(id))) {
    const whole = ran.get(check.id);
    const run = await runCheck(team, `join/round-${round}/unlocked-${check.id}`, provision, check, {
      kind: 'without-locked',
      tree,
      commit,
      over: { from: survey.base, paths },
    });
    if (whole?.counts === undefined || run.counts === undefined) return undefined;
    more += countMore(run.counts, whole.counts);
  }
  const own = lockedSets(team).length;
  const least = own + (paths.length > own ? 1 : 0);
  if (more >= least) return undefined;
  return sendBackUnrun(
    state,
    commit,
    `${paths.join(', ')} are locked and do not all run on what was joined: with them ${formatCount(Math.max(more, 0), 'test')} more ${more === 1 ? 'passes' : 'pass'} than without, and there are at least ${least}. ${KEPT_FROM_RUNNING}`,
  );
}

const KEPT_FROM_RUNNING = 'Something that was changed keeps them from being run: it has to go.';

/**
 * Blames the last finished task in the list of tasks. Undefined if no task is done, since then nobody's
 * work can be at fault.
 */
function sendBackUnrun({ team }: WorkState, commit: string, why: string): SentDown | undefined {
  const task = team.view.tasks.findLast((task) => task.state === 'done')?.task.id;
  if (task === undefined) return undefined;
  return { floor: commit, failed: [{ task, failure: { kind: 'bad-output', cause: 'work', why } }] };
}

/**
 * Finds out, for each set of tests that no task may change, whether it really ran on a merged
 * commit. Runs the checks again without the set: fewer tests have to pass then. Used from version 5
 * of the rules on, if there are several sets, because `findUnrun` counts all sets together and one
 * may hide another.
 * @returns the last finished task in the list of tasks, which is worked on again, if a set did not run;
 * undefined if all sets ran, or if tests cannot be counted
 */
export async function findUnrunSet(
  state: WorkState,
  round: number,
  { commit, tree, ran }: JoinedCommit,
): Promise<SentDown | undefined> {
  const { team, tests, ground } = state;
  const { plan, survey, provision, base } = ground;
  const sets = new Map(
    [...tests, ...lockedSets(team)].map(({ files }) => [files.join('\0'), files]),
  );
  if (team.edition < 5 || sets.size < 2) return undefined;
  const runners = testRunners(base);
  const unrun: string[] = [];
  for (const [at, files] of [...sets.values()].entries()) {
    let more = 0;
    for (const check of checksOf(plan).filter(({ id }) => runners.has(id))) {
      const whole = ran.get(check.id);
      const key = `join/round-${round}/unlocked-${check.id}-${at + 1}`;
      const run = await runCheck(team, key, provision, check, {
        kind: 'without-locked',
        tree,
        commit,
        over: { from: survey.base, paths: [...files] },
      });
      if (whole?.counts === undefined || run.counts === undefined) return undefined;
      more += countMore(run.counts, whole.counts);
    }
    if (more < 1) unrun.push(...files);
  }
  if (unrun.length === 0) return undefined;
  return sendBackUnrun(
    state,
    commit,
    `${unrun.join(', ')}: locked, and no test of it runs on what was joined: without it as many tests pass. ${KEPT_FROM_RUNNING}`,
  );
}

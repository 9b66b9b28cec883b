/** Collects what a verifier is shown about a workstream, and which requirements tests already prove. */

import { matchesGlob } from '../../../../text/globs.ts';
import type { LockedTest } from '../../fold.ts';
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import { architecturePart, planPart, standingArchitecture } from '../../prompts/opening.ts';
import type { VerifyContext } from '../../prompts/verify.ts';
import { findTestsInForce } from '../../rules/locked.ts';
import type { TeamRun } from '../../team-run.ts';
import { tellChecks } from '../checks.ts';
import { lockedSets } from '../locked.ts';
import { completesRequirement, type JoinedCommit, type WorkState } from '../state.ts';

/** Returns the requirements of a workstream that the author of its acceptance tests called untestable. */
export function listUntestable({ view }: TeamRun, { id }: Workstream): readonly string[] {
  return view.tests.flatMap((testSet) =>
    testSet.workstream === id ? testSet.untestable.map(({ requirement }) => requirement) : [],
  );
}

/**
 * Returns the ids of the requirements that need a test and have none yet. Tests written by the seat that did
 * the work do not count.
 */
export function findUntested(
  { team, tests }: WorkState,
  workstream: Workstream,
  requirements: TeamPlan['requirements'],
): readonly string[] {
  const tested = [...tests, ...lockedSets(team)].flatMap((set) =>
    set.workstream === workstream.id ? [set.requirement] : [],
  );
  return requirements.flatMap(({ id, proof }) =>
    proof === 'test' && !tested.includes(id) ? [id] : [],
  );
}

/**
 * Returns the tests that prove requirements, each with its requirement: they failed on the base or on an earlier state
 * of the work, and pass now. These are the workstream's acceptance tests and locked tests of verifiers, and all
 * tasks' own tests for requirements that have none of these. The caller has to make sure that all checks have passed.
 * @param red verifiers' tests that fail in this verification; from version 5 of the rules on, they
 * prove nothing
 */
export function findShown(state: WorkState, { id }: Workstream, red: readonly LockedTest[] = []) {
  const { team, tests } = state;
  const isRed = (path: string): boolean =>
    team.edition >= 5 && red.some((lockedTest) => lockedTest.path === path);
  const blind = [
    ...tests.flatMap(({ workstream, requirement, files }) =>
      workstream === id ? [{ requirement, tests: files, by: 'verifier' as const }] : [],
    ),
    ...findTestsInForce(team.view.locked).flatMap((lockedTest) =>
      lockedTest.workstream === id && !isRed(lockedTest.path)
        ? [
            {
              requirement: lockedTest.requirement,
              tests: [lockedTest.path],
              by: 'verifier' as const,
              whose: `of ${lockedTest.by}: red on ${lockedTest.state === 'green' ? 'the base' : `what was joined in round ${lockedTest.round}`}`,
            },
          ]
        : [],
    ),
  ];
  const byTasks = team.graph.tasks.flatMap((task) => {
    const own = state.red.get(task.id);
    if (own === undefined) return [];
    return (
      task.covers
        .filter((id) => completesRequirement(state, task.id, id))
        // Leave out the tests of the task itself if another seat has written a test for the requirement: a test
        // by the seat that did the work counts less.
        .filter((id) => !blind.some(({ requirement }) => requirement === id))
        .map((requirement) => ({ requirement, tests: own, by: 'work' as const }))
    );
  });
  return [...blind, ...byTasks];
}

/**
 * Collects what verifiers are shown about a workstream: its tasks, changes, tests and check
 * results.
 * @param within the ids of the only tasks whose amendments of the plan are shown, beside those of
 * no task; if absent, all amendments are shown
 */
export async function gatherContext(
  state: WorkState,
  key: string,
  { commit, ran }: JoinedCommit,
  workstream: Workstream,
  requirements: TeamPlan['requirements'],
  within?: ReadonlySet<string>,
): Promise<VerifyContext> {
  const { team, ground } = state;
  const { goal, config, view, workshop } = team;
  const { survey, plan } = ground;
  const tasks = view.tasks
    .filter(({ task, state: how }) => task.workstream === workstream.id && how === 'done')
    .map(({ task, files, brief }) => ({ ...task, brief, files: [...files] }));
  const paths = await team.look(
    `${key}/paths`,
    { from: survey.base, to: commit },
    async (signal) => {
      const changes = await workshop.changes(survey.base, commit, signal);
      return changes.map(({ path }) => path);
    },
  );
  const locked = findTestsInForce(view.locked).filter(
    (lockedTest) => lockedTest.workstream === workstream.id,
  );
  const tests = [
    ...view.tests.flatMap((testSet) => (testSet.workstream === workstream.id ? testSet.files : [])),
    ...locked.map(({ path }) => path),
  ];
  const own = paths.filter(
    (path) =>
      tests.includes(path) ||
      matchesGlob(
        path,
        tasks.flatMap(({ files }) => files),
      ),
  );
  const diff = await team.look(`${key}/diff`, { from: survey.base, to: commit, own }, (signal) =>
    own.length === 0 ? Promise.resolve('') : workshop.diff(survey.base, commit, own, signal),
  );
  const told = tellChecks(team.edition, ran);
  return {
    goal,
    seed: config.seed,
    requirements,
    tasks,
    diff,
    parts: [
      planPart(plan, amendmentsIn(view, within), config.seed),
      architecturePart(standingArchitecture(view, team.edition), config.seed),
    ],
    checks: [...told.rows, ...redBefore(state, workstream)],
    red: told.red,
    ...(team.edition >= 4 && requirements.length === 0 ? { isLater: true } : {}),
    ...(team.edition < 3
      ? {}
      : {
          locked: locked.map(({ path, requirement, by, shows }) => ({
            path,
            requirement,
            by,
            shows,
          })),
          untested: findUntested(state, workstream, requirements),
        }),
  };
}

/**
 * Returns the amendments of the plan to show: all, or those of no task and of the tasks in `within`. Other
 * tasks may still be running; their amendments are shown when all work is merged.
 */
function amendmentsIn({ amendments }: TeamRun['view'], within: ReadonlySet<string> | undefined) {
  return within === undefined
    ? amendments
    : amendments.filter(({ task }) => task === undefined || within.has(task));
}

/** Returns lines on new tests that fail without the work, including the acceptance tests. */
function redBefore({ team, tests, red }: WorkState, { id }: Workstream): string[] {
  const before = tests.flatMap((set) => (set.workstream === id ? set.files : []));
  const own = team.graph.tasks.flatMap((task) =>
    task.workstream === id ? (red.get(task.id) ?? []) : [],
  );
  const tellTests = (whose: string, files: readonly string[]): string[] =>
    files.length === 0
      ? []
      : [`${whose}, red on the base and green now: ${[...new Set(files)].sort().join(' ')}`];
  return [
    ...tellTests('Tests that somebody else wrote before the work', before),
    ...tellTests('Tests of the work itself', own),
  ];
}

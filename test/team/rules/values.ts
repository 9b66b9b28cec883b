/** Valid plans, tasks, results of checks and facts, which tests change to try the rules of a team. */
import type { CheckRun, Survey } from '../../../src/kernel/tools/workshop.ts';
import { type FactBody, type FactOf, fact } from '../../../src/protocols/team/facts.ts';
import {
  foldAllTeamFacts,
  type TaskView,
  type TeamView,
} from '../../../src/protocols/team/fold.ts';
import type { Task, TeamPlan, Workstream } from '../../../src/protocols/team/forms/plan.ts';
import { planSchema, taskSchema } from '../../../src/protocols/team/forms/plan.ts';

/** A valid survey of a repository with three files and one check. */
export const SURVEY: Survey = {
  base: 'b0',
  branch: 'main',
  files: 3,
  paths: ['package.json', 'src/list.js', 'test/list.test.js'],
  checks: [{ id: 'unit', argv: ['npm', 'test'], env: [], timeoutS: 60, why: 'package.json' }],
  tests: ['test/**'],
  guarded: ['**/package.json', '.github/**'],
  ignored: [],
  uncommitted: [],
  untracked: [],
  hooks: [],
  submodules: [],
  lfs: [],
  sandbox: 'bwrap',
};

/**
 * Returns a valid task of the workstream `list` that covers R1 and holds `src/ID.js`. `change` replaces
 * fields.
 */
export function makeValidTask(id: string, change: Partial<Task> = {}): Task {
  return taskSchema.parse({
    id,
    workstream: 'list',
    title: `Write ${id}`,
    files: [`src/${id}.js`],
    changes_tests: [],
    depends_on: [],
    covers: ['R1'],
    brief: 'Write it.',
    done_when: 'It is green.',
    checks: ['unit'],
    ...change,
  });
}

/** Returns a valid workstream that covers R1, by default with the path T3-T5. `change` replaces fields. */
export function makeValidWorkstream(id: string, change: Partial<Workstream> = {}): Workstream {
  const path = change.path ?? 'T3-T5';
  return {
    id,
    goal: 'It lists.',
    path,
    depends_on: [],
    covers: ['R1'],
    retry_multiplier: 1,
    task: path === 'T4-T5' ? makeValidTask(`${id}-task`, { workstream: id }) : null,
    ...change,
  };
}

const USES: readonly (readonly [tier: 'T2' | 'T3', paths: readonly string[]])[] = [
  ['T2', ['T2-T5']],
  ['T3', ['T2-T5', 'T3-T5']],
];

/** Returns a valid plan, by default with one workstream of a single task. `change` replaces fields. */
export function makeValidPlan(change: Partial<TeamPlan> = {}): TeamPlan {
  const workstreams = change.workstreams ?? [makeValidWorkstream('list', { path: 'T4-T5' })];
  return planSchema.parse({
    no_team: '',
    requirements: [{ id: 'R1', text: 'It lists as JSON.', proof: 'test' }],
    tiers: USES.flatMap(([tier, paths]) =>
      workstreams.some(({ path }) => paths.includes(path)) ? [{ tier, why: 'It has parts.' }] : [],
    ),
    workstreams,
    cast: [],
    checks: [{ id: 'unit', argv: ['npm', 'test'], env: [], timeout_s: 60, from_survey: true }],
    tests: ['test/**'],
    guarded: [],
    questions: [],
    ...change,
  });
}

/** Returns the result of a check that passed 12 tests. `change` replaces fields. */
export function makePassingRun(change: Partial<CheckRun> = {}): CheckRun {
  return {
    exit: 0,
    counts: { passed: 12, failed: 0, skipped: 0, failing: [] },
    ms: 10,
    sandbox: 'bwrap',
    output: '',
    bytes: 0,
    ...change,
  };
}

/** Returns the result of a check of 12 tests in which the named tests failed. */
export function makeFailingRun(...failing: string[]): CheckRun {
  const { length } = failing;
  return makePassingRun({
    exit: 1,
    counts: { passed: 12 - length, failed: length, skipped: 0, failing },
  });
}

/** Returns the view of a team that the given facts fold to, in their order. */
export function foldTeam(...bodies: readonly FactBody[]): TeamView {
  return foldAllTeamFacts(
    bodies.map((body, at) => ({ run: 'r', seq: at + 1, at: '2026-01-01T00:00:00.000Z', ...body })),
  );
}

/** Returns the fact that T1 has made a plan, which code accepted. */
export function makePlanFact(body: TeamPlan): FactBody {
  return fact('team.planned', { plan: body, by: 't1', found: [], refused: [] });
}

/** Returns the fact that the tasks of a run were planned and accepted by code, without an order by files. */
export function makeGraphFact(...tasks: readonly Task[]): FactBody {
  return fact('team.graphed', { tasks: [...tasks], ordered: [], refused: [] });
}

/** Returns the fact that an attempt at a task has started. */
export function makeTaskStarted(id: string, attempt = 1): FactBody {
  return fact('task.started', {
    task: id,
    attempt,
    level: 'fast-cheap',
    effort: 'medium',
    model: 'test/m',
    base: 'b0',
    files: [],
  });
}

/**
 * Returns the fact that T3 has a task tried again. `attempt` is the number of the new attempt. `change`
 * replaces fields.
 */
export function makeRetryFact(
  id: string,
  attempt: number,
  change: Partial<FactOf<'task.retried'>> = {},
): FactBody {
  return fact('task.retried', { task: id, attempt, by: 'T3', why: 'It is red.', ...change });
}

/** Returns the view of a task that has not started. `change` replaces fields. */
export function makeWaitingTask(task: Task, change: Partial<TaskView> = {}): TaskView {
  return {
    task,
    files: task.files,
    brief: task.brief,
    state: 'waiting',
    attempts: [],
    retried: [],
    testChanges: [],
    ...change,
  };
}

/** Folds a team's facts into its present state, which prompts, tabs, the report and the views read. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type FactOf, type RequirementState, TEAM } from './facts.ts';
import type { Task, TeamPlan } from './forms/plan.ts';

/** An attempt at a task, with everything that has been recorded about it so far. */
export interface AttemptView {
  readonly attempt: number;
  /** What was recorded when the attempt began. */
  readonly started: FactOf<'task.started'>;
  /** The implementer's report at the end. Absent until there is one. */
  readonly reported?: FactOf<'task.reported'> | undefined;
  readonly commits: readonly FactOf<'commit.made'>[];
  readonly checks: readonly FactOf<'check.ran'>[];
  /** The judgments on whether a commit of the attempt is green. */
  readonly judged: readonly FactOf<'task.judged'>[];
}

/**
 * The states of a task. `red` and `green`: its last commit was judged to be so, and code has not
 * decided yet how the task goes on. `done`: a green commit does the whole task. `dropped`: a person
 * has left the task out. `stuck`: a person ended the run because of the task.
 */
export const TASK_STATES = [
  'waiting',
  'working',
  'red',
  'green',
  'done',
  'dropped',
  'stuck',
] as const;
type TaskState = (typeof TASK_STATES)[number];

/** The present state of a task. */
export interface TaskView {
  readonly task: Task;
  /** The files that the task may write now, including those granted since the plan. */
  readonly files: readonly string[];
  /** The task's present instructions, with corrections. */
  readonly brief: string;
  /** Existing tests that a tier above has allowed the task to change, although the plan did not. */
  readonly testChanges: Task['changes_tests'];
  readonly state: TaskState;
  readonly attempts: readonly AttemptView[];
  /** The decisions to try the task again. */
  readonly retried: readonly FactOf<'task.retried'>[];
  /** The commit with the finished work. Absent until there is one. */
  readonly commit?: string | undefined;
  /** Why the task is in its state. Absent if nothing was recorded. */
  readonly why?: string | undefined;
  /**
   * The id of the task that was split into this task and others; undefined if this task is not part
   * of a split.
   */
  readonly of?: string | undefined;
}

/** A requirement with its present state and evidence. */
export interface RequirementView {
  readonly id: string;
  readonly text: string;
  readonly proof: TeamPlan['requirements'][number]['proof'];
  /**
   * The requirement's state by the last verdict of all verifiers together that names it. `unproved`
   * before there is one, and when all work was judged later without naming it.
   */
  readonly state: RequirementState;
  readonly evidence: readonly string[];
}

/** A verifier's test that the work has to pass and that no task may change. */
export interface LockedTest extends Omit<FactOf<'test.locked'>, 'v' | 'type'> {
  /** What both verifiers said when they dropped the test. Absent if the test is still in force. */
  readonly dropped?: FactOf<'test.dropped'>['said'] | undefined;
}

/** The present state of a team's run. Lists are in the order of the facts unless stated otherwise. */
export interface TeamView {
  /** What was found in the repository before planning. */
  readonly survey?: FactOf<'team.surveyed'>['survey'] | undefined;
  /** All plans that were handed in, including refused ones. `plan` is the last one that code accepted. */
  readonly planned: readonly FactOf<'team.planned'>[];
  readonly plan?: TeamPlan | undefined;
  readonly approved?: FactOf<'team.approved'> | undefined;
  /** The recorded design. Absent if there is none. */
  readonly designed?: FactOf<'team.designed'> | undefined;
  /** The tasks with their order, as recorded last, also if code refused them. Absent before that. */
  readonly graphed?: FactOf<'team.graphed'> | undefined;
  readonly tasks: readonly TaskView[];
  /** The records of acceptance tests, also of workstreams for which none could be written. */
  readonly tests: readonly FactOf<'tests.written'>[];
  /** Verifiers' own tests, including dropped ones, sorted by path. */
  readonly locked: readonly LockedTest[];
  /** All runs of checks, in order. */
  readonly checks: readonly FactOf<'check.ran'>[];
  /** The recorded merges of the work, including failed ones. */
  readonly joins: readonly FactOf<'team.joined'>[];
  /** The verdicts of single verifiers. */
  readonly verdicts: readonly FactOf<'verdict.given'>[];
  /** The verdicts that code derived from those of all verifiers together. */
  readonly joint: readonly FactOf<'verdict.joined'>[];
  readonly requirements: readonly RequirementView[];
  /** The changes to the plan and its tasks during the work. */
  readonly amendments: readonly FactOf<'plan.amended'>[];
  /** The requests for more files or changes that code refused. */
  readonly refusedNeeds: readonly FactOf<'need.refused'>[];
  /** The failed tasks that were handed to a tier above or to the person. */
  readonly escalations: readonly FactOf<'team.escalated'>[];
  /** The decisions of T1 to accept or reject the work, including those that code refused. */
  readonly accepted: readonly FactOf<'team.accepted'>[];
  readonly delivered?: FactOf<'team.delivered'> | undefined;
}

/** The state of a team's run before its first fact. */
export const EMPTY_TEAM: TeamView = {
  planned: [],
  tasks: [],
  tests: [],
  locked: [],
  checks: [],
  joins: [],
  verdicts: [],
  joint: [],
  requirements: [],
  amendments: [],
  refusedNeeds: [],
  escalations: [],
  accepted: [],
};

/** Computes the state of a team from all facts of its run. */
export function foldAllTeamFacts(facts: Iterable<AnyFact>): TeamView {
  let view = EMPTY_TEAM;
  for (const fact of facts) view = foldTeam(view, fact);
  return view;
}

/**
 * Updates the state of a team by one fact. Returns the same object for facts that are not about a
 * team's work, such as calls.
 */
export function foldTeam(view: TeamView, any: AnyFact): TeamView {
  const fact = TEAM.own(any);
  switch (fact?.type) {
    case 'team.surveyed':
      return { ...view, survey: fact.survey };
    case 'check.ran':
      return onTask({ ...view, checks: [...view.checks, fact] }, fact, (attempt) => ({
        ...attempt,
        checks: [...attempt.checks, fact],
      }));
    case 'team.planned': {
      const planned = [...view.planned, fact];
      return fact.refused.length > 0 || isGivenUp(fact)
        ? { ...view, planned }
        : { ...view, planned, plan: fact.plan, requirements: requirementsOf(view, fact.plan) };
    }
    case 'team.approved':
      return { ...view, approved: fact };
    case 'team.designed':
      return { ...view, designed: fact };
    case 'team.graphed':
      return fact.refused.length > 0
        ? { ...view, graphed: fact }
        : { ...view, graphed: fact, tasks: tasksOf(view, fact.tasks) };
    case 'tests.written':
      return { ...view, tests: [...view.tests, fact] };
    case 'task.started':
      return changeTask(view, fact.task, (task) => ({
        ...task,
        state: 'working',
        attempts: [
          ...task.attempts.filter(({ attempt }) => attempt !== fact.attempt),
          { attempt: fact.attempt, started: fact, commits: [], checks: [], judged: [] },
        ],
      }));
    case 'task.reported':
      return onTask(view, fact, (attempt) => ({ ...attempt, reported: fact }));
    case 'commit.made':
      return onTask(view, fact, (attempt) => ({ ...attempt, commits: [...attempt.commits, fact] }));
    case 'task.judged':
      return changeTask(
        onTask(view, fact, (attempt) => ({ ...attempt, judged: [...attempt.judged, fact] })),
        fact.task,
        (task) => ({ ...task, state: fact.green ? 'green' : 'red' }),
      );
    case 'task.retried':
      return changeTask(view, fact.task, (task) => ({
        ...task,
        state: 'waiting',
        retried: [...task.retried, fact],
        brief: fact.brief ?? task.brief,
      }));
    case 'task.split':
      return splitTask(view, fact);
    case 'task.ended':
      return changeTask(view, fact.task, (task) => ({
        ...task,
        state: fact.state,
        commit: fact.commit ?? task.commit,
        why: fact.why,
      }));
    case 'team.escalated':
      return { ...view, escalations: [...view.escalations, fact] };
    case 'plan.amended': {
      const amended = { ...view, amendments: [...view.amendments, fact] };
      if (fact.task === undefined || fact.files.length === 0) return amended;
      return changeTask(amended, fact.task, (task) => ({
        ...task,
        files: [...task.files, ...fact.files.filter((file) => !task.files.includes(file))],
        testChanges: fact.kind === 'test-change' ? withChanges(task, fact) : task.testChanges,
      }));
    }
    case 'need.refused':
      return { ...view, refusedNeeds: [...view.refusedNeeds, fact] };
    case 'team.joined':
      return { ...view, joins: [...view.joins, fact] };
    case 'verdict.given':
      return { ...view, verdicts: [...view.verdicts, fact] };
    case 'test.locked': {
      const { v: _v, type: _type, ...locked } = fact;
      return { ...view, locked: byPath([...removeTest(view.locked, fact), locked]) };
    }
    case 'test.dropped':
      return {
        ...view,
        locked: view.locked.map((each) =>
          each.path === fact.path ? { ...each, dropped: fact.said } : each,
        ),
      };
    case 'verdict.joined':
      return {
        ...view,
        joint: [...view.joint, fact],
        requirements: view.requirements.map((each) => judgeRequirement(each, fact, view.joint)),
      };
    case 'team.accepted':
      return { ...view, accepted: [...view.accepted, fact] };
    case 'team.delivered':
      return { ...view, delivered: fact };
    default:
      return view;
  }
}

function removeTest(
  locked: readonly LockedTest[],
  { path }: { readonly path: string },
): LockedTest[] {
  return locked.filter((each) => each.path !== path);
}

/** Workstreams are verified at the same time, so sort by path to be independent of their order. */
function byPath(locked: readonly LockedTest[]): LockedTest[] {
  return [...locked].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Returns whether T1 (the seat that plans) gave up instead of planning again. The previous plan
 * then stays in force.
 */
export function isGivenUp({ by, plan }: FactOf<'team.planned'>): boolean {
  return by === 'replan' && plan.no_team !== '';
}

/**
 * Returns a requirement's state after a joint verdict. If the verdict does not name the requirement, it
 * becomes unproved, unless the last verdict that names it was on the whole, with the same commit and round. A
 * verdict on a workstream alone leaves the requirements that it does not name as they are.
 */
function judgeRequirement(
  requirement: RequirementView,
  { requirements, round, commit, alone }: FactOf<'verdict.joined'>,
  earlier: readonly FactOf<'verdict.joined'>[],
): RequirementView {
  const isAbout = ({ id }: { readonly id: string }) => id === requirement.id;
  const found = requirements.find(isAbout);
  if (found !== undefined) return { ...requirement, ...found };
  if (alone) return requirement;
  const before = earlier.findLast((verdict) => verdict.requirements.some(isAbout));
  const isSame = before?.round === round && before.commit === commit && !before.alone;
  return isSame ? requirement : { ...requirement, state: 'unproved', evidence: [] };
}

/** Returns the requirements of a new plan. Those with the same words and kind of proof keep their state. */
function requirementsOf(view: TeamView, plan: TeamPlan): RequirementView[] {
  return plan.requirements.map(({ id, text, proof }) => {
    const before = view.requirements.find(
      (requirement) =>
        requirement.id === id && requirement.text === text && requirement.proof === proof,
    );
    return before ?? { id, text, proof, state: 'unproved', evidence: [] };
  });
}

function withChanges(
  { task, testChanges }: TaskView,
  { files, why }: FactOf<'plan.amended'>,
): TaskView['testChanges'] {
  const known = [...task.changes_tests, ...testChanges].map(({ file }) => file);
  return [
    ...testChanges,
    ...files.filter((file) => !known.includes(file)).map((file) => ({ file, why })),
  ];
}

/**
 * Returns the tasks of a new graph. Tasks that have not changed keep their state, others only their
 * attempts.
 */
function tasksOf(view: TeamView, tasks: readonly Task[]): TaskView[] {
  return tasks.map((task) => {
    const before = view.tasks.find((taskView) => taskView.task.id === task.id);
    if (before !== undefined && JSON.stringify(before.task) === JSON.stringify(task)) return before;
    return {
      task,
      files: task.files,
      brief: task.brief,
      testChanges: [],
      state: 'waiting',
      attempts: before?.attempts ?? [],
      retried: [],
    };
  });
}

/** Puts the pieces of a task before it. The result does not depend on which of two tasks is split first. */
function splitTask(view: TeamView, { task, into, ordered }: FactOf<'task.split'>): TeamView {
  const { graphed } = view;
  const at = view.tasks.findIndex((taskView) => taskView.task.id === task);
  if (graphed === undefined || at < 0) return view;
  const pieces = into.map(
    (piece): TaskView => ({
      task: piece,
      files: piece.files,
      brief: piece.brief,
      state: 'waiting',
      attempts: [],
      retried: [],
      testChanges: [],
      of: task,
    }),
  );
  const tasks = graphed.tasks.flatMap((plannedTask) =>
    plannedTask.id === task ? [...into, plannedTask] : [plannedTask],
  );
  return {
    ...view,
    graphed: { ...graphed, tasks, ordered: [...graphed.ordered, ...ordered] },
    tasks: view.tasks.toSpliced(at, 0, ...pieces),
  };
}

function changeTask(
  view: TeamView,
  id: string | undefined,
  change: (task: TaskView) => TaskView,
): TeamView {
  return {
    ...view,
    tasks: view.tasks.map((task) => (task.task.id === id ? change(task) : task)),
  };
}

function onTask(
  view: TeamView,
  { task, attempt }: { readonly task?: string | undefined; readonly attempt?: number | undefined },
  change: (attempt: AttemptView) => AttemptView,
): TeamView {
  return changeTask(view, task, (taskView) => ({
    ...taskView,
    attempts: taskView.attempts.map((each) => (each.attempt === attempt ? change(each) : each)),
  }));
}

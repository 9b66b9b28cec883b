/**
 * Joins the tasks of all squads into one graph. Two tasks that hold the same file run one after the other.
 * The graph does not depend on the order in which squads hand in their tasks.
 */

import { canOverlap, isPattern } from '../../../text/globs.ts';
import type { TaskView } from '../fold.ts';
import type { TaskGraph } from '../forms/design.ts';
import type { Task, TeamPlan } from '../forms/plan.ts';
import { findCircle, orderBy, orderById, waitingSentence } from './order.ts';
import { problemsInTask } from './plan.ts';

/** Two tasks that code put in an order because both may write `file`. */
export interface OrderedTasks {
  /** The id of the task that runs first. */
  readonly before: string;
  /** The id of the task that runs second. */
  readonly after: string;
  /** The file that both may write. */
  readonly file: string;
}

/** All tasks of a run, with every order between them. */
export interface JoinedGraph {
  /** Sorted so that each task comes after the tasks it depends on. `depends_on` names tasks only, no workstreams. */
  readonly tasks: readonly Task[];
  /** Pairs of tasks that may write a common file and therefore run one after the other; empty if there is a circle. */
  readonly ordered: readonly OrderedTasks[];
  /**
   * The reasons why code refuses these tasks, as sentences for the squads' leads; empty if it
   * accepts them.
   */
  readonly refused: readonly string[];
  /** Ids of tasks that depend on one another in a circle; empty if there is no circle. */
  readonly circle: readonly string[];
}

/**
 * Joins the tasks that squads' leads handed in with those of workstreams without a lead (`T4-T5`),
 * which come from the plan. A dependency on a workstream becomes one on all of its tasks. Two tasks
 * that may write a common file get an order here, unless they already have one.
 */
export function joinGraphs(plan: TeamPlan, graphs: ReadonlyMap<string, TaskGraph>): JoinedGraph {
  const { order, circle: waiting } = orderById(plan.workstreams);
  const byId = new Map(plan.workstreams.map((workstream) => [workstream.id, workstream]));
  const parts = [...order, ...waiting].map((id) => {
    const workstream = byId.get(id);
    return {
      id,
      covers: workstream?.covers ?? [],
      after: workstream?.depends_on ?? [],
      tasks:
        workstream?.path === 'T4-T5'
          ? workstream.task
            ? [workstream.task]
            : []
          : (graphs.get(id)?.tasks ?? []),
    };
  });
  const known = new Map<string, Task>();
  const refused: string[] = [];
  for (const id of [...graphs.keys()].sort())
    if (!byId.has(id)) refused.push(`There is no workstream ${id}, and it has tasks.`);
  for (const { id, covers, tasks } of parts) {
    if (tasks.length === 0) refused.push(`Workstream ${id} has no task.`);
    for (const task of tasks) {
      if (known.has(task.id))
        refused.push(`There are two tasks ${task.id}. Ids are of the whole run.`);
      else known.set(task.id, task);
      refused.push(...problemsInTask(task, id, plan));
    }
    for (const requirement of covers)
      if (tasks.length > 0 && !tasks.some((task) => task.covers.includes(requirement)))
        refused.push(`No task of workstream ${id} covers ${requirement}.`);
  }
  const ofWorkstream = new Map(parts.map(({ id, tasks }) => [id, tasks.map((task) => task.id)]));
  const full = parts.flatMap(({ after, tasks }) =>
    tasks
      .filter((task) => known.get(task.id) === task)
      .map((task) => {
        const needs = new Set<string>();
        for (const id of after) for (const taskId of ofWorkstream.get(id) ?? []) needs.add(taskId);
        for (const id of task.depends_on) {
          const meant = known.has(id) ? [id] : ofWorkstream.get(id);
          if (meant === undefined)
            refused.push(`Task ${task.id} depends on ${id}, and there is no such task.`);
          for (const taskId of meant ?? []) needs.add(taskId);
        }
        return { ...task, depends_on: [...needs].sort() };
      }),
  );
  const sorted = orderBy(full);
  const byTask = new Map(full.map((task) => [task.id, task]));
  const tasks = [...sorted.order, ...sorted.circle].flatMap((id) => byTask.get(id) ?? []);
  if (sorted.circle.length === 0)
    return { tasks, ordered: orderByFiles(tasks), refused, circle: [] };
  const circle = findCircle(full, sorted.circle);
  return { tasks, ordered: [], refused: [...refused, waitingSentence('Tasks', circle)], circle };
}

/**
 * Returns an order for pairs of tasks that may write a common file: the task that is first in the list runs
 * first. Pairs that are already ordered, by dependencies or through other pairs, are left out: with A before
 * B and B before C, there is no pair of A and C.
 * @param tasks sorted so that each task comes after the tasks it depends on
 */
export function orderByFiles(tasks: readonly Task[]): OrderedTasks[] {
  const ordered: OrderedTasks[] = [];
  const before = new Map<string, Set<string>>();
  for (const [at, task] of tasks.entries()) {
    const all = new Set<string>();
    const addWithEarlier = (id: string): void => {
      all.add(id);
      for (const taskId of before.get(id) ?? []) all.add(taskId);
    };
    for (const id of task.depends_on) addWithEarlier(id);
    const nearestFirst = tasks.slice(0, at).reverse();
    for (const other of nearestFirst) {
      const file = all.has(other.id) ? undefined : sharedFile(other.files, task.files);
      if (file === undefined) continue;
      ordered.push({ before: other.id, after: task.id, file });
      addWithEarlier(other.id);
    }
    before.set(task.id, all);
  }
  return ordered;
}

/**
 * Returns the first file that both lists hold, or the narrower of two globs; undefined if they share none.
 */
function sharedFile(one: readonly string[], other: readonly string[]): string | undefined {
  for (const left of one)
    for (const right of other) if (canOverlap(left, right)) return isPattern(left) ? right : left;
  return undefined;
}

/**
 * Returns the ids of the tasks whose commits a task starts from: its dependencies and the tasks that code
 * put before it.
 */
export function startsFrom(
  task: string,
  tasks: readonly Task[],
  ordered: readonly OrderedTasks[],
): readonly string[] {
  const depends = tasks.find(({ id }) => id === task)?.depends_on ?? [];
  const put = ordered.flatMap(({ before, after }) => (after === task ? [before] : []));
  return [...new Set([...depends, ...put])].sort();
}

/** Returns the ids of all tasks that come before a task, directly or through others. */
export function findAllBefore(
  task: string,
  tasks: readonly Task[],
  ordered: readonly OrderedTasks[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [task];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const taskId of startsFrom(id, tasks, ordered))
      if (!found.has(taskId)) {
        found.add(taskId);
        open.push(taskId);
      }
  return found;
}

/**
 * Returns the tasks that can begin together: the tasks before them are done, and neither a task at work nor
 * another task in the result may write one of their files. A dropped task still blocks tasks that depend on
 * it, but not tasks that only share a file with it.
 */
export function findReadyTasks(
  tasks: readonly TaskView[],
  ordered: readonly OrderedTasks[],
): readonly TaskView[] {
  const states = new Map(tasks.map(({ task, state }) => [task.id, state]));
  const held = tasks.filter(({ state }) => AT_WORK.has(state)).flatMap(({ files }) => files);
  const found: TaskView[] = [];
  for (const task of tasks) {
    if (task.state !== 'waiting') continue;
    const waits =
      task.task.depends_on.some((id) => states.get(id) !== 'done') ||
      ordered.some(
        ({ before, after }) =>
          after === task.task.id && !['done', 'dropped'].includes(states.get(before) ?? ''),
      );
    if (waits || sharedFile(held, task.files) !== undefined) continue;
    found.push(task);
    held.push(...task.files);
  }
  return found;
}

/** States in which a task still holds its files; a judged task holds them until it has ended. */
const AT_WORK: ReadonlySet<TaskView['state']> = new Set(['working', 'red', 'green']);

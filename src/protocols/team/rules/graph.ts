/**
 * One graph of all tasks of the run, in which files are leases: two tasks on one file come one after the
 * other. Whatever order the squads hand their parts in, the graph is the same.
 */

import { canOverlap, isPattern } from '../../../text/globs.ts';
import type { TaskView } from '../fold.ts';
import type { TaskGraph } from '../forms/design.ts';
import type { Task, TeamPlan } from '../forms/plan.ts';
import { circleIn, orderBy, orderOf, problemsInTask, waitingSentence } from './plan.ts';

export interface Ordered {
  readonly before: string;
  readonly after: string;
  readonly file: string;
}

export interface JoinedGraph {
  /** Each after those it depends on, which are named in full. */
  readonly tasks: readonly Task[];
  /** Tasks that hold a file together, one after the other, by the order of workstreams and tasks. */
  readonly ordered: readonly Ordered[];
  /** Sentences for whoever handed the tasks in; empty: it stands. */
  readonly refused: readonly string[];
  /** Tasks that wait for one another, workstream by workstream; empty where there is no circle. */
  readonly circle: readonly string[];
}

/**
 * Joins what the squads' leads handed in, and the tasks of `T4-T5` workstreams. A dependency on a
 * workstream is one on all its tasks. Two tasks that hold a file and are not ordered are ordered here.
 */
export function joinGraphs(plan: TeamPlan, graphs: ReadonlyMap<string, TaskGraph>): JoinedGraph {
  const { order, circle: waiting } = orderOf(plan.workstreams);
  const byId = new Map(plan.workstreams.map((one) => [one.id, one]));
  const parts = [...order, ...waiting].map((id) => {
    const one = byId.get(id);
    return {
      id,
      covers: one?.covers ?? [],
      after: one?.depends_on ?? [],
      tasks: one?.path === 'T4-T5' ? (one.task ? [one.task] : []) : (graphs.get(id)?.tasks ?? []),
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
    for (const one of covers)
      if (tasks.length > 0 && !tasks.some((task) => task.covers.includes(one)))
        refused.push(`No task of workstream ${id} covers ${one}.`);
  }
  const ofWorkstream = new Map(parts.map(({ id, tasks }) => [id, tasks.map((task) => task.id)]));
  const full = parts.flatMap(({ after, tasks }) =>
    tasks
      .filter((task) => known.get(task.id) === task)
      .map((task) => {
        const needs = new Set<string>();
        for (const id of after) for (const one of ofWorkstream.get(id) ?? []) needs.add(one);
        for (const id of task.depends_on) {
          const meant = known.has(id) ? [id] : ofWorkstream.get(id);
          if (meant === undefined)
            refused.push(`Task ${task.id} depends on ${id}, and there is no such task.`);
          for (const one of meant ?? []) needs.add(one);
        }
        return { ...task, depends_on: [...needs].sort() };
      }),
  );
  const sorted = orderBy(full);
  const byTask = new Map(full.map((task) => [task.id, task]));
  const tasks = [...sorted.order, ...sorted.circle].flatMap((id) => byTask.get(id) ?? []);
  if (sorted.circle.length === 0)
    return { tasks, ordered: orderByFiles(tasks), refused, circle: [] };
  const circle = circleIn(full, sorted.circle);
  return { tasks, ordered: [], refused: [...refused, waitingSentence('Tasks', circle)], circle };
}

/** Puts tasks that hold a file together in the order they stand in, where nothing does already. */
export function orderByFiles(tasks: readonly Task[]): Ordered[] {
  const ordered: Ordered[] = [];
  const before = new Map<string, Set<string>>();
  for (const [at, task] of tasks.entries()) {
    const all = new Set<string>();
    const add = (id: string): void => {
      all.add(id);
      for (const one of before.get(id) ?? []) all.add(one);
    };
    for (const id of task.depends_on) add(id);
    // The nearest first: who comes after it comes after all that are before it.
    for (const other of tasks.slice(0, at).reverse()) {
      const file = all.has(other.id) ? undefined : sharedFile(other.files, task.files);
      if (file === undefined) continue;
      ordered.push({ before: other.id, after: task.id, file });
      add(other.id);
    }
    before.set(task.id, all);
  }
  return ordered;
}

/** The first file, or the narrower of two globs, that both hold. */
function sharedFile(one: readonly string[], other: readonly string[]): string | undefined {
  for (const left of one)
    for (const right of other) if (canOverlap(left, right)) return isPattern(left) ? right : left;
  return undefined;
}

/** What a task starts from: exactly these, by id, those that code put before it included. */
export function startsFrom(
  task: string,
  tasks: readonly Task[],
  ordered: readonly Ordered[],
): readonly string[] {
  const depends = tasks.find(({ id }) => id === task)?.depends_on ?? [];
  const put = ordered.flatMap(({ before, after }) => (after === task ? [before] : []));
  return [...new Set([...depends, ...put])].sort();
}

/** All that come before a task, near and far. */
export function allBefore(
  task: string,
  tasks: readonly Task[],
  ordered: readonly Ordered[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [task];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const one of startsFrom(id, tasks, ordered))
      if (!found.has(one)) {
        found.add(one);
        open.push(one);
      }
  return found;
}

/**
 * Tasks that can begin: all they start from is done, and nobody at work holds a file of theirs. One that
 * only a file had put after another need not wait for it where that was dropped.
 */
export function ready(
  tasks: readonly TaskView[],
  ordered: readonly Ordered[],
): readonly TaskView[] {
  const states = new Map(tasks.map(({ task, state }) => [task.id, state]));
  const held = tasks.filter(({ state }) => AT_WORK.has(state)).flatMap(({ files }) => files);
  const found: TaskView[] = [];
  for (const one of tasks) {
    if (one.state !== 'waiting') continue;
    const waits =
      one.task.depends_on.some((id) => states.get(id) !== 'done') ||
      ordered.some(
        ({ before, after }) =>
          after === one.task.id && !['done', 'dropped'].includes(states.get(before) ?? ''),
      );
    if (waits || sharedFile(held, one.files) !== undefined) continue;
    found.push(one);
    held.push(...one.files);
  }
  return found;
}

/** A task that was judged and has not ended is still its own. */
const AT_WORK: ReadonlySet<TaskView['state']> = new Set(['working', 'red', 'green']);

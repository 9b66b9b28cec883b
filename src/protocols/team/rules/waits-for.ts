/** Finds the workstreams that a task builds on, and that have to be verified before the task begins. */
import type { Task } from '../forms/plan.ts';
import { findAllBefore, type OrderedTasks } from './graph.ts';

/**
 * Returns, by task id, which other workstreams have to be verified before the task begins: those
 * with a task that it builds on, directly or through other tasks, sorted by id. If two workstreams build on
 * each other, neither waits for the other, because they can only be verified together at the end.
 */
export function findStreamsToWaitFor(
  tasks: readonly Task[],
  ordered: readonly OrderedTasks[],
): ReadonlyMap<string, readonly string[]> {
  const ownerOf = new Map(tasks.map(({ id, workstream }) => [id, workstream]));
  const before = new Map(
    tasks.map(({ id }) => {
      const found = [...findAllBefore(id, tasks, ordered)].flatMap(
        (taskId) => ownerOf.get(taskId) ?? [],
      );
      return [id, new Set(found)];
    }),
  );
  const reach = collectReachable(tasks, before);
  return new Map(
    tasks.map(({ id, workstream }) => {
      const others = [...(before.get(id) ?? [])].filter(
        (other) => other !== workstream && reach.get(other)?.has(workstream) !== true,
      );
      return [id, others.sort()];
    }),
  );
}

/** Returns, by workstream, all workstreams that come before it, directly or through others. */
function collectReachable(
  tasks: readonly Task[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const near = new Map<string, Set<string>>();
  for (const { id, workstream } of tasks)
    near.set(workstream, new Set([...(near.get(workstream) ?? []), ...(before.get(id) ?? [])]));
  return new Map(
    [...near.keys()].map((id) => {
      const found = new Set<string>();
      const open = [id];
      for (let workstream = open.pop(); workstream !== undefined; workstream = open.pop())
        for (const each of near.get(workstream) ?? [])
          if (!found.has(each)) {
            found.add(each);
            open.push(each);
          }
      return [id, found] as const;
    }),
  );
}

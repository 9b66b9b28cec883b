/** Decides whether a task gets what it needs beyond the files that it holds. */

import { canOverlap, matchesGlob } from '../../../text/globs.ts';
import type { TaskView } from '../fold.ts';
import type { Need } from '../forms/design.ts';
import { findAllBefore, type OrderedTasks } from './graph.ts';
import { findAllowedGuarded, problemsInPath } from './plan.ts';

/** How many files in addition to its own one task may be given. */
export const MOST_GRANTS = 3;

/**
 * What code decided about something that a task asks for: files that the task may now write, or why
 * the task does not get it.
 */
export type NeedDecision =
  | { readonly grant: readonly string[] }
  | { readonly refuse: string }
  /** Why somebody above has to decide. The task then ends as blocked. */
  | { readonly above: string };

/**
 * Decides about what a task says it needs. Only a file can be granted; other needs go to a tier above, except
 * for the change of a locked test, which is refused. A granted file is neither guarded nor a locked test, and no
 * task that may run at the same time holds it. A task is granted at most three files (`MOST_GRANTS`); `granted` says
 * how many it has so far.
 */
export function settleNeed(
  need: Need,
  task: TaskView,
  context: {
    readonly tasks: readonly TaskView[];
    readonly ordered: readonly OrderedTasks[];
    readonly guarded: readonly string[];
    readonly locked: readonly string[];
    readonly granted: number;
  },
): NeedDecision {
  const file = need.what.trim().replace(/^\.\//, '');
  if (need.kind === 'test-change' && matchesGlob(file, context.locked))
    return { refuse: `${file} is an acceptance test, which no task changes.` };
  if (need.kind !== 'file') return { above: `${WORDS[need.kind]}: ${need.what}` };
  const [problem] = problemsInPath(file, 'A file is needed');
  if (problem !== undefined) return { refuse: problem };
  if (/[*?{}]/.test(file)) return { refuse: `Name one file; ${file} stands for several.` };
  if (matchesGlob(file, context.locked))
    return { refuse: `${file} is an acceptance test, which no task changes.` };
  const allowedByName = findAllowedGuarded(task.files, context.guarded);
  if (matchesGlob(file, context.guarded) && !matchesGlob(file, allowedByName))
    return { above: `${file} is guarded: only a person lets a task hold it.` };
  if (matchesGlob(file, task.files)) return { refuse: `${file} is held by this task already.` };
  if (context.granted >= MOST_GRANTS)
    return { above: `${MOST_GRANTS} files were granted, and ${file} is one more.` };
  const holder = holderOf(file, task, context);
  return holder === undefined
    ? { grant: [file] }
    : {
        above: `${file} is held by task ${holder.task.id}, which may be at work at the same time.`,
      };
}

const WORDS: Readonly<Record<Exclude<Need['kind'], 'file'>, string>> = {
  'test-change': 'A test would have to change',
  check: 'Another check is needed',
  dependency: 'A dependency is needed',
  decision: 'A decision is needed',
};

/**
 * Finds a task that holds the file and has no order with this task, so that both may be at work at once.
 */
function holderOf(
  file: string,
  { task }: TaskView,
  context: { readonly tasks: readonly TaskView[]; readonly ordered: readonly OrderedTasks[] },
): TaskView | undefined {
  const all = context.tasks.map((task) => task.task);
  const before = findAllBefore(task.id, all, context.ordered);
  return context.tasks.find(
    (other) =>
      other.task.id !== task.id &&
      other.state !== 'dropped' &&
      !before.has(other.task.id) &&
      !findAllBefore(other.task.id, all, context.ordered).has(task.id) &&
      other.files.some((held) => canOverlap(held, file)),
  );
}

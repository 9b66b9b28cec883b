/** What a task needs beyond what it holds, decided by code where code can. */

import { canOverlap, matchesGlob } from '../../../text/globs.ts';
import type { TaskView } from '../fold.ts';
import type { Need } from '../forms/design.ts';
import { allBefore, type Ordered } from './graph.ts';
import { allowedOf, problemsInPath } from './plan.ts';

/** Amendments that one task may be granted. */
export const MOST_GRANTS = 3;

export type Settled =
  | { readonly grant: readonly string[] }
  | { readonly refuse: string }
  /** Somebody above has to decide; the task ends as blocked. */
  | { readonly above: string };

/**
 * A file is granted where no task that could be at work at the same time holds it, and it is not guarded
 * or locked; at most `MOST_GRANTS` times.
 */
export function settleNeed(
  need: Need,
  task: TaskView,
  context: {
    readonly tasks: readonly TaskView[];
    readonly ordered: readonly Ordered[];
    readonly guarded: readonly string[];
    readonly locked: readonly string[];
    readonly granted: number;
  },
): Settled {
  const file = need.what.trim().replace(/^\.\//, '');
  if (need.kind === 'test-change' && matchesGlob(file, context.locked))
    return { refuse: `${file} is an acceptance test, which no task changes.` };
  if (need.kind !== 'file') return { above: `${WORDS[need.kind]}: ${need.what}` };
  const [problem] = problemsInPath(file, 'A file is needed');
  if (problem !== undefined) return { refuse: problem };
  if (/[*?{}]/.test(file)) return { refuse: `Name one file; ${file} stands for several.` };
  if (matchesGlob(file, context.locked))
    return { refuse: `${file} is an acceptance test, which no task changes.` };
  // A wide lease covers a guarded file and does not open it.
  const allowed = allowedOf(task.files, context.guarded);
  if (matchesGlob(file, context.guarded) && !matchesGlob(file, allowed))
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

/** A task that neither comes before this one nor after it, and holds the file, or has held it. */
function holderOf(
  file: string,
  { task }: TaskView,
  context: { readonly tasks: readonly TaskView[]; readonly ordered: readonly Ordered[] },
): TaskView | undefined {
  const all = context.tasks.map((one) => one.task);
  const before = allBefore(task.id, all, context.ordered);
  return context.tasks.find(
    (other) =>
      other.task.id !== task.id &&
      other.state !== 'dropped' &&
      !before.has(other.task.id) &&
      !allBefore(other.task.id, all, context.ordered).has(task.id) &&
      other.files.some((held) => canOverlap(held, file)),
  );
}

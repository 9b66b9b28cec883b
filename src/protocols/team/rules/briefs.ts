/** Builds the brief of a task: what the task is to do, and how to see that it is done. */
import type { TaskView } from '../fold.ts';

const DONE_WHEN = '\n\nDone when: ';

/**
 * Joins a corrected brief with `doneWhen`, the words that say how to see that the task is done. Returns the
 * brief alone if `doneWhen` is empty. Returns an empty text if the brief is empty, which means that the old
 * brief stays.
 */
export function joinBrief(brief: string, doneWhen: string): string {
  const words = brief.trim();
  const end = doneWhen.trim();
  return words === '' || end === '' ? words : `${words}${DONE_WHEN}${end}`;
}

/**
 * Replaces the end of a task's brief, which says how to see that the task is done. If `doneWhen` is empty, the
 * end is removed. Used from version 3 of the rules on.
 */
export function replaceDoneWhen(before: string, doneWhen: string): string {
  const [words = ''] = before.split(DONE_WHEN);
  return joinBrief(words, doneWhen);
}

/**
 * Returns how to see that a task is done, in the plan's words. Undefined if a corrected brief says it
 * itself.
 */
export function plannedDoneWhen({ task, brief }: TaskView): string | undefined {
  return brief !== task.brief && brief.includes(DONE_WHEN) ? undefined : task.done_when;
}

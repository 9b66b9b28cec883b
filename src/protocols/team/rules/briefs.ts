/** Builds the brief of a task: what the task is to do, and how to see that it is done. */
import type { TaskView } from '../fold.ts';

const DONE_WHEN = '\n\nDone when: ';

/**
 * Joins a corrected brief and how to see that the task is done into one text, since a task that is tried
 * again is described by its brief alone. Returns an empty text if both parts are empty, which means that
 * the brief stays.
 */
export function joinBrief(brief: string, doneWhen: string): string {
  const words = brief.trim();
  const end = doneWhen.trim();
  return words === '' || end === '' ? words : `${words}${DONE_WHEN}${end}`;
}

/**
 * Replaces how to see that the task is done, and keeps the rest of the brief. Used from version 3 of the
 * rules on.
 */
export function replaceDoneWhen(before: string, doneWhen: string): string {
  const [words = ''] = before.split(DONE_WHEN);
  return joinBrief(words, doneWhen);
}

/**
 * Returns how the plan says that the task is seen to be done, or undefined if a corrected brief says it
 * itself.
 */
export function plannedDoneWhen({ task, brief }: TaskView): string | undefined {
  return brief !== task.brief && brief.includes(DONE_WHEN) ? undefined : task.done_when;
}

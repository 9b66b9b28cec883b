/** Builds the brief of a task: what the task is to do, and how to see that it is done. */
import type { TaskView } from '../fold.ts';

const DONE_WHEN = '\n\nDone when: ';

/**
 * Joins corrected instructions and how to see that the task is done into one text. Returns an empty
 * text if both are empty, which means that the instructions stay.
 */
export function joinBrief(brief: string, doneWhen: string): string {
  const words = brief.trim();
  const end = doneWhen.trim();
  return words === '' || end === '' ? words : `${words}${DONE_WHEN}${end}`;
}

/**
 * Replaces the part of a task's instructions that says how to see that the task is done. Used from
 * version 3 of the rules on.
 */
export function replaceDoneWhen(before: string, doneWhen: string): string {
  const [words = ''] = before.split(DONE_WHEN);
  return joinBrief(words, doneWhen);
}

/**
 * Returns how to see that the task is done, in the plan's words. Undefined if corrected
 * instructions say it themselves.
 */
export function plannedDoneWhen({ task, brief }: TaskView): string | undefined {
  return brief !== task.brief && brief.includes(DONE_WHEN) ? undefined : task.done_when;
}

/** What a task is to do, and how it is seen to be done, as it was corrected. */
import type { TaskView } from '../fold.ts';

const DONE_WHEN = '\n\nDone when: ';

/** In one text: a task that is tried again is handed down by it alone. Empty: the brief stays. */
export function correctedBrief(brief: string, doneWhen: string): string {
  const words = brief.trim();
  const end = doneWhen.trim();
  return words === '' || end === '' ? words : `${words}${DONE_WHEN}${end}`;
}

/** From version 3 on: how to see that it is done holds also where the brief stays as it was. */
export function keptBrief(before: string, doneWhen: string): string {
  const [words = ''] = before.split(DONE_WHEN);
  return correctedBrief(words, doneWhen);
}

/** Of the task as it was planned; undefined where the corrected brief says it itself. */
export function plannedDoneWhen({ task, brief }: TaskView): string | undefined {
  return brief !== task.brief && brief.includes(DONE_WHEN) ? undefined : task.done_when;
}

/** Defines the records of decisions and tasks, each with the statements it follows from. */
import { recordKind } from '../../../record-kinds/kind.ts';
import type { Planned } from './display-state.ts';

/**
 * The description of decisions, from which their list, report section and comparison are made.
 * Decisions have no ids and are numbered from 1.
 */
export const DECISION = recordKind({
  name: 'Decisions',
  about: 'Each decision, with the statements that it carries.',
  all: ({ plan }: Planned) =>
    (plan.written?.spec.decisions ?? []).map((one, at) => ({ ...one, id: `decision-${at + 1}` })),
  id: ({ id }) => id,
  heading: ({ id, text }) => `${id} · ${text}`,
  columns: [
    { title: 'entry', of: ({ id }) => id },
    { title: 'carries', of: ({ from }) => from.join(', ') },
    { title: 'text', of: ({ text }) => text },
  ],
  compared: ({ text, from }) => ({ text, from: from.join(', ') }),
  sentence: ({ text }) => text,
});

/** The description of tasks, from which their list, report section and comparison are made. */
export const TASK = recordKind({
  name: 'Tasks',
  about: 'Each task, with the statements that it carries.',
  all: ({ plan }: Planned) =>
    (plan.written?.spec.tasks ?? []).map((one, at) => ({ ...one, id: taskId(at + 1) })),
  id: ({ id }) => id,
  heading: ({ id, title }) => `${id} · ${title}`,
  columns: [
    { title: 'entry', of: ({ id }) => id },
    { title: 'carries', of: ({ from }) => from.join(', ') },
    {
      title: 'text',
      of: ({ title, test, doneWhen }) => ({
        text: title,
        below: [`Test: ${test}`, `Done when: ${doneWhen}`],
      }),
    },
  ],
});

/** Returns the id of a task by its number in the plan, from 1. */
export function taskId(number: number): string {
  return `task-${number}`;
}

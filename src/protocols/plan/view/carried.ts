/** Defines the records of decisions and tasks, each with the statements it follows from. */
import type { Tone } from '../../../plain/blocks.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { marksOn, taskText } from '../rules/marks.ts';
import type { PlanDisplay } from './display-state.ts';

/**
 * The description of a plan's decisions (a kind of record), from which their section of the report, their nodes
 * in the graph and the comparison of two runs are made. A decision is shown with the statements that it cites, in
 * the column `carries`, and with its marks: what readers found wrong with it, or have not read. Decisions have no
 * recorded ids; they are numbered from 1.
 */
export const DECISION = recordKind({
  name: 'Decisions',
  about: 'Each decision, with the statements that it carries.',
  all: ({ plan }: PlanDisplay) =>
    (plan.written?.spec.decisions ?? []).map((decision, at) => ({
      ...decision,
      id: `decision-${at + 1}`,
      marks: marksOn(decision, plan.written?.spec.checks),
    })),
  id: ({ id }) => id,
  heading: ({ id, text }) => `${id} · ${text}`,
  columns: [
    { title: 'entry', of: ({ id }) => id },
    { title: 'carries', of: ({ from }) => from.join(', ') },
    { title: 'text', of: ({ text, marks }) => ({ text, below: marks, tone: toneOf(marks) }) },
  ],
  compared: ({ text, from, marks }) => ({
    ...{ text, from: from.join(', ') },
    ...(marks.length === 0 ? {} : { marks: marks.join(' ') }),
  }),
  sentence: ({ text }) => text,
});

/**
 * The description of a plan's tasks (a kind of record), from which their section of the report and their nodes in
 * the graph are made. A task is shown with the statements that it cites, in the column `carries`, and with its
 * marks: what readers found wrong with it, or have not compared.
 */
export const TASK = recordKind({
  name: 'Tasks',
  about: 'Each task, with the statements that it carries.',
  all: ({ plan }: PlanDisplay) =>
    (plan.written?.spec.tasks ?? []).map((task, at) => ({
      ...task,
      id: taskId(at + 1),
      marks: marksOn({ text: taskText(task), from: task.from }, plan.written?.spec.checks),
    })),
  id: ({ id }) => id,
  heading: ({ id, title }) => `${id} · ${title}`,
  columns: [
    { title: 'entry', of: ({ id }) => id },
    { title: 'carries', of: ({ from }) => from.join(', ') },
    {
      title: 'text',
      of: ({ title, test, doneWhen, marks }) => ({
        text: title,
        below: [
          ...(test.trim() === '' ? [] : [`Test: ${test}`]),
          `Done when: ${doneWhen}`,
          ...marks,
        ],
        tone: toneOf(marks),
      }),
    },
  ],
});

/** Returns the color of a part that has a mark; undefined if it has none. */
function toneOf(marks: readonly string[]): Tone | undefined {
  return marks.length === 0 ? undefined : 'open';
}

/**
 * Formats the first decision of a plan's spec with its marks (what readers found wrong with it, or have not read),
 * such as `First decision: Use one table. (Not read against what it cites: the call failed)`. Undefined if the spec
 * is not written or has no decision.
 */
export function firstDecisionWords(planned: PlanDisplay): string | undefined {
  const [first] = DECISION.all(planned);
  if (first === undefined) return undefined;
  return [`First decision: ${first.text}`, ...first.marks.map((mark) => `(${mark})`)].join(' ');
}

/** Returns the id of a task by its number in the plan, from 1. */
export function taskId(number: number): string {
  return `task-${number}`;
}

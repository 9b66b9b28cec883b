/** A task that is too much for one: pieces of it that are done before what is left of it. */
import type { TaskView } from '../fold.ts';
import type { Task } from '../forms/plan.ts';
import type { Piece } from '../forms/work.ts';
import { fits } from './globs.ts';
import { type Ordered, orderByFiles } from './graph.ts';
import { circleIn, orderBy, problemsInPath, waitingSentence } from './plan.ts';

/** More of them is another plan. */
const MOST_PIECES = 6;

export interface Split {
  /** Each after those of its siblings that it depends on. */
  readonly into: readonly Task[];
  /** All of them come before the task, and after whatever came before it. */
  readonly ordered: readonly Ordered[];
  /** Why it does not hold; empty: it stands. */
  readonly refused: readonly string[];
}

/** A piece holds only what its task holds, and is for what its task is for: nobody else is concerned. */
export function splitInto(
  { task, files, of }: TaskView,
  pieces: readonly Piece[],
  context: { readonly tasks: readonly TaskView[]; readonly ordered: readonly Ordered[] },
): Split {
  const ids = pieces.map(({ id }) => id);
  const known = new Set(context.tasks.map((one) => one.task.id));
  const { order, circle } = orderBy(pieces);
  const refused = [
    ...(of === undefined ? [] : [`Task ${task.id} is a piece of ${of}: it is not split again.`]),
    ...(pieces.length > MOST_PIECES ? [`There are more than ${MOST_PIECES} tasks.`] : []),
    ...ids
      .filter((id, at) => known.has(id) || ids.indexOf(id) !== at)
      .map((id) => `There are two tasks ${id}. Ids are of the whole run.`),
    ...(circle.length === 0 ? [] : [waitingSentence('Tasks', circleIn(pieces, circle))]),
    ...pieces.flatMap((one) => [
      ...one.files.flatMap((file) => problemsInPath(file, `Task ${one.id}`)),
      ...one.files
        .filter((file) => !fits(file, files))
        .map((file) => `Task ${one.id} holds ${file}, which ${task.id} does not hold.`),
      ...one.covers
        .filter((id) => !task.covers.includes(id))
        .map((id) => `Task ${one.id} covers ${id}, which ${task.id} does not cover.`),
      ...one.depends_on
        .filter((id) => !ids.includes(id))
        .map((id) => `Task ${one.id} depends on ${id}, which is none of these tasks.`),
    ]),
  ];
  const byId = new Map(pieces.map((one) => [one.id, one]));
  const into = [...order, ...circle].flatMap((id): Task[] => {
    const one = byId.get(id);
    if (one === undefined) return [];
    const { workstream, checks, changes_tests, depends_on } = task;
    return [
      {
        ...{ ...one, workstream, checks: [...checks] },
        changes_tests: changes_tests.filter(({ file }) => fits(file, one.files)),
        depends_on: [...new Set([...depends_on, ...one.depends_on])].sort(),
      },
    ];
  });
  const before = context.ordered.filter(({ after }) => after === task.id);
  return {
    into,
    refused,
    ordered: [
      ...into.flatMap(({ id }) => before.map((one) => ({ ...one, after: id }))),
      ...orderByFiles(into),
      ...into.map(({ id, files: [file = ''] }) => ({ before: id, after: task.id, file })),
    ],
  };
}

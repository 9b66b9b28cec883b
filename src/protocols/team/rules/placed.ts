/** Checks how work that belongs to no task is given to one by the tier above the squads. */

import { matchesGlob } from '../../../text/globs.ts';
import type { Need, PlacedNeed } from '../forms/design.ts';
import type { Task } from '../forms/plan.ts';
import { problemsInPath } from './plan.ts';

/** Work that a squad's lead finds necessary and that belongs to none of the squad's tasks. */
export interface UnownedWork {
  /** An id such as `N1`. */
  readonly id: string;
  /** The workstream whose lead says that the work is necessary. */
  readonly workstream: string;
  readonly need: Need;
}

/**
 * Returns what is wrong with an answer that gives a piece of work to a task; an empty list means
 * that the answer is valid. Items of the answer about other pieces are ignored.
 */
export function problemsInPlacement(
  { id, need }: UnownedWork,
  placed: readonly PlacedNeed[],
  tasks: readonly Pick<Task, 'id' | 'files'>[],
  locked: readonly string[],
): readonly string[] {
  const own = placed.filter(({ item }) => item === id);
  const [placement] = own;
  if (placement === undefined)
    return ['it is missing: give it to a task, or leave it out with task "" and say why'];
  if (own.length > 1) return [`it is placed ${own.length} times: name one task for it`];
  const { task, files, what, why } = placement;
  if (task === '') return why.trim() === '' ? ['it is left out, and why does not say so'] : [];
  if (!tasks.some((each) => each.id === task))
    return [`there is no task ${task}, only ${tasks.map((each) => each.id).join(', ')}`];
  return [
    ...(what.trim() === '' ? [`what does not say what ${task} is to do`] : []),
    ...files.flatMap((file) =>
      problemsInPath(file, 'files').map((problem) => problem.replace(/\.$/, '')),
    ),
    ...files
      .filter((file) => matchesGlob(file, locked))
      .map((file) => `${file} is an acceptance test, which no task changes`),
    ...(need.kind === 'test-change' && files.length === 0
      ? [`files does not name the test that ${task} may change`]
      : []),
  ];
}

/**
 * Adds to a task the work that it was given besides its own. The task may then also change the
 * files of that work, and a test if the work is to change one.
 */
export function withUnownedWork(
  task: Task,
  given: readonly (UnownedWork & { readonly by: 'T1' | 'T2'; readonly placed: PlacedNeed })[],
): Task {
  if (given.length === 0) return task;
  const tests = given.filter(({ need }) => need.kind === 'test-change');
  return {
    ...task,
    files: [...new Set([...task.files, ...given.flatMap(({ placed }) => placed.files)])],
    changes_tests: [
      ...task.changes_tests,
      ...tests.flatMap(({ need, placed }) => placed.files.map((file) => ({ file, why: need.why }))),
    ],
    brief: [task.brief, ...given.map(({ by, placed }) => `${by} adds: ${placed.what}`)].join(
      '\n\n',
    ),
  };
}

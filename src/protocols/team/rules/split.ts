/** Splits a task that is too large into pieces, which are done before what is left of the task. */

import { matchesGlob } from '../../../text/globs.ts';
import { joinLines } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import type { TaskView } from '../fold.ts';
import type { Task } from '../forms/plan.ts';
import type { Piece } from '../forms/work.ts';
import { type OrderedTasks, orderByFiles } from './graph.ts';
import { findCircle, orderBy, waitingSentence } from './order.ts';
import { findAllowedGuarded, problemsInPath } from './plan.ts';

/** The most pieces that a task can be split into; more would be another plan. */
const MOST_PIECES = 6;

/** The pieces into which a task is split, and the reasons if code refuses the split. */
export interface Split {
  /** The pieces, sorted so that each comes after the pieces it depends on. */
  readonly into: readonly Task[];
  /**
   * New orders between tasks: every piece runs before the task itself, and after every task that came before
   * the task. Pieces that may write a common file run one after the other.
   */
  readonly ordered: readonly OrderedTasks[];
  /** The reasons why the split is refused, as sentences; empty if it is accepted. */
  readonly refused: readonly string[];
}

/**
 * Splits a task into pieces. Each piece may only write files of the task and cover requirements of
 * the task.
 * @param left the new brief of the task itself, for the work that the pieces leave to it
 * @param context all tasks of the run, their orders, and the globs of guarded files
 */
export function splitInto(
  whole: TaskView,
  pieces: readonly Piece[],
  left: string,
  context: {
    readonly tasks: readonly TaskView[];
    readonly ordered: readonly OrderedTasks[];
    readonly guarded: readonly string[];
  },
): Split {
  const { task, files, of } = whole;
  const allowed = findAllowedGuarded(files, context.guarded);
  const ids = pieces.map(({ id }) => id);
  const known = new Set(context.tasks.map((task) => task.task.id));
  const { order, circle } = orderBy(pieces);
  const refused = withoutFalse([
    of !== undefined && `Task ${task.id} is a piece of ${of}: it is not split again.`,
    pieces.length > MOST_PIECES && `There are more than ${MOST_PIECES} tasks.`,
    ...ids
      .filter((id, at) => known.has(id) || ids.indexOf(id) !== at)
      .map((id) => `There are two tasks ${id}. Ids are of the whole run.`),
    circle.length !== 0 && waitingSentence('Tasks', findCircle(pieces, circle)),
    ...saidTwice(whole, pieces),
    isOnlyRenamed(whole, pieces, left) &&
      `Task ${ids[0]} is ${task.id} over again: it holds all of its files and covers all that it covers, and nothing is left. Give [] where one seat can do it.`,
    ...pieces.flatMap((piece) => [
      ...(piece.brief.trim() === '' ? [`Task ${piece.id} has no brief.`] : []),
      ...piece.files.flatMap((file) => problemsInPath(file, `Task ${piece.id}`)),
      ...piece.files
        .filter((file) => !matchesGlob(file, files))
        .map((file) => `Task ${piece.id} holds ${file}, which ${task.id} does not hold.`),
      // A person allows guarded files by name. So refuse a piece's guarded file that the whole task holds only by a
      // wide glob such as `src/*`.
      ...findAllowedGuarded(piece.files, context.guarded)
        .filter((file) => matchesGlob(file, files) && !matchesGlob(file, allowed))
        .map((file) => `Task ${piece.id} holds ${file}, which is guarded: only a person lets it.`),
      ...piece.covers
        .filter((id) => !task.covers.includes(id))
        .map((id) => `Task ${piece.id} covers ${id}, which ${task.id} does not cover.`),
      ...piece.depends_on
        .filter((id) => !ids.includes(id))
        .map((id) => `Task ${piece.id} depends on ${id}, which is none of these tasks.`),
    ]),
  ]);
  const byId = new Map(pieces.map((piece) => [piece.id, piece]));
  const into = [...order, ...circle].flatMap((id): Task[] => {
    const piece = byId.get(id);
    if (piece === undefined) return [];
    const { workstream, checks, changes_tests, depends_on } = task;
    return [
      {
        ...piece,
        workstream,
        checks: [...checks],
        changes_tests: changes_tests.filter(({ file }) => matchesGlob(file, piece.files)),
        depends_on: [...new Set([...depends_on, ...piece.depends_on])].sort(),
      },
    ];
  });
  const before = context.ordered.filter(({ after }) => after === task.id);
  return {
    into,
    refused,
    ordered: [
      ...into.flatMap(({ id }) => before.map((pair) => ({ ...pair, after: id }))),
      ...orderByFiles(into),
      ...into.map(({ id, files: [file = ''] }) => ({ before: id, after: task.id, file })),
    ],
  };
}

/**
 * Returns a sentence for each piece whose brief repeats another, since the same brief leads to the same
 * work.
 */
function saidTwice({ task, brief }: TaskView, pieces: readonly Piece[]): string[] {
  const said = new Map([[toPlainWords(brief), task.id]]);
  return pieces.flatMap(({ id, brief: words }) => {
    const known = said.get(toPlainWords(words));
    if (known === undefined) said.set(toPlainWords(words), id);
    return known === undefined || words.trim() === ''
      ? []
      : [`Task ${id} has the brief of ${known}. Say what is its own.`];
  });
}

function toPlainWords(words: string): string {
  return joinLines(words).toLowerCase();
}

function isOnlyRenamed({ task, files }: TaskView, pieces: readonly Piece[], left: string): boolean {
  const [piece] = pieces;
  return (
    piece !== undefined &&
    pieces.length === 1 &&
    left.trim() === '' &&
    files.every((file) => piece.files.includes(file)) &&
    task.covers.every((id) => piece.covers.includes(id))
  );
}

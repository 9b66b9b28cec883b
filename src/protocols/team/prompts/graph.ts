/** Builds the prompts of T3 and of tiers above failed work: tasks of a workstream, and corrected briefs. */
import type { Message } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import type { TaskView } from '../fold.ts';
import type { PlacedNeed, TaskGraph } from '../forms/design.ts';
import type { Task, Workstream } from '../forms/plan.ts';
import type { Piece } from '../forms/work.ts';
import { plannedDoneWhen } from '../rules/briefs.ts';
import type { UnownedWork } from '../rules/placed.ts';
import { buildPrompt, formatMaterial, joinRows, refusedPart } from './opening.ts';
import { type LockedShown, lockedParts } from './verify.ts';

/** What every prompt about tasks contains, whether it goes to a squad's lead or to a tier above. */
export interface SquadContext {
  readonly goal: string;
  readonly seed: number;
  /** The survey, the plan and the architecture, each as a part of the prompt. */
  readonly parts: readonly string[];
}

/**
 * Builds the prompt that asks a squad's lead for the tasks of its workstream.
 * @param locked a line on each acceptance test that no task may change
 * @param refused an earlier answer, with the reasons why code refused it
 */
export function graphMessages(
  { goal, seed, parts }: SquadContext,
  { id, covers, depends_on }: Workstream,
  locked: readonly string[],
  refused?: { readonly handed: TaskGraph; readonly why: readonly string[] },
): Message[] {
  return buildPrompt(goal, seed, parts, [
    ...(locked.length === 0
      ? []
      : [
          formatMaterial(
            'Tests that were written before the work and that no task changes or writes again:',
            'locked',
            joinRows(locked),
            seed,
          ),
        ]),
    ...(refused === undefined ? [] : [refusedPart(refused.handed, refused.why, seed)]),
    [
      `You are T3 for the workstream ${id}, which covers ${covers.join(', ')}${depends_on.length === 0 ? '' : ` and comes after ${depends_on.join(', ')}`}. Cut it into tasks, as few as possible; whoever does one sees the goal, the requirements it covers, its brief and the repository, and nothing else of this plan.`,
      `tasks: ids are unique in the whole run, so begin them with what is yours. workstream is ${JSON.stringify(id)}. files: all the files it may change or add, tests included: no other task changes them at the same time, and two tasks that hold one file are put one after the other. New tests go into files of their own. A breaking change of an interface and all its callers are one task. depends_on: ids of tasks, or of workstreams for all their tasks. covers: requirements. brief: what to do and what to hold to, with interfaces to the letter. done_when: how to see it. changes_tests: existing tests that have to change, with why. checks: ids of the plan.`,
      'not_mine: what has to be done for this and belongs to nobody here.',
    ].join('\n'),
  ]);
}

/**
 * Builds the prompt that asks which task gets each piece of work that belongs to no task yet.
 * @param tier the tier that is asked
 * @param refused an earlier answer, with the reasons why code refused it
 */
export function placeMessages(
  { goal, seed, parts }: SquadContext,
  tier: 'T1' | 'T2',
  items: readonly UnownedWork[],
  tasks: readonly Task[],
  refused?: { readonly handed: readonly PlacedNeed[]; readonly why: readonly string[] },
): Message[] {
  return buildPrompt(goal, seed, parts, [
    formatMaterial(
      'Tasks, each with the files that it holds:',
      'tasks',
      joinRows(
        tasks.map(
          ({ id, workstream, title, files }) =>
            `${id} (${workstream}): ${title} [${files.join(' ')}]`,
        ),
      ),
      seed,
    ),
    formatMaterial(
      'What squad leads say has to be done and belongs to none of them:',
      'nobodys',
      joinRows(
        items.map(
          ({ id, workstream, need: { kind, what, why } }) =>
            `${id} (${kind}, from ${workstream}): ${what}. ${why}`,
        ),
      ),
      seed,
    ),
    ...(refused === undefined ? [] : [refusedPart(refused.handed, refused.why, seed)]),
    [
      `You are ${tier}, above these squads. Give each of these to the task that can do it best, or leave it out where the goal does not need it.`,
      'placed: each item once. task: the id of a task above; "" to leave it out. files: files that the task then holds besides its own, and of a test-change the tests that it may then change; [] where it needs none. what: what that task is to do, or what is decided, for somebody who knows nothing of this. why: why there, or why not at all.',
    ].join('\n'),
  ]);
}

interface Failed {
  readonly task: TaskView;
  /** Verifiers' tests that the task has to make pass. */
  readonly locked?: readonly LockedShown[];
  readonly why: string;
  readonly earlier: readonly string[];
}

/** Builds the prompt that asks a tier above what to do about a failed task. */
export function correctMessages(
  { goal, seed, parts }: SquadContext,
  tier: 'T1' | 'T2' | 'T3',
  { task, why, earlier, locked = [] }: Failed,
  /** Given if the task may also be split, with the reasons why code refused an earlier split. */
  maySplit?: {
    readonly refused?:
      | { readonly handed: readonly Piece[]; readonly why: readonly string[] }
      | undefined;
  },
  /** Whether existing tests may be allowed to change; true from version 3 of the rules on. */
  permits = false,
): Message[] {
  const { id, title, covers, changes_tests } = task.task;
  const doneWhen = maySplit === undefined ? task.task.done_when : plannedDoneWhen(task);
  return buildPrompt(goal, seed, parts, [
    formatMaterial(
      `The task ${id}, which has failed:`,
      'task',
      [
        toLine(`${title} (${covers.join(', ')}); holds ${task.files.join(' ')}`),
        task.brief,
        ...(doneWhen === undefined ? [] : [toLine(`Done when: ${doneWhen}`)]),
        ...(maySplit === undefined ? [] : changes_tests).map(({ file, why: ground }) =>
          toLine(`May change the test ${file}: ${ground}`),
        ),
      ].join('\n'),
      seed,
    ),
    ...lockedParts(locked, seed),
    formatMaterial('Why it failed:', 'failure', why, seed),
    ...(earlier.length === 0
      ? []
      : [formatMaterial('What was tried before:', 'earlier', joinRows(earlier), seed)]),
    ...(maySplit?.refused === undefined
      ? []
      : [refusedPart(maySplit.refused.handed, maySplit.refused.why, seed)]),
    [
      permits
        ? `You are ${tier}, above this work. It is tried again by somebody who sees the change of the last attempt, why it failed, and what you say here.`
        : `You are ${tier}, above this work. It is tried again by somebody who is told why it failed, and sees nothing else of what was tried.`,
      tier === 'T3'
        ? 'brief: the brief put right, whole, so that this failure cannot come again; "" where the brief was right and only the work was not.'
        : 'brief: the task cut anew within the files it holds, whole: what it is to do, and what it is not to do any more. "" only if there is nothing to change.',
      ...(maySplit === undefined
        ? []
        : [
            'tasks: [] where one seat can do it. Otherwise the pieces that are done before it, as few as possible, each with files and requirements out of those above, and depends_on only among these pieces; ids are unique in the whole run. Each has to leave the checks green by itself, so it holds the tests that have to change with it; tests that were written before the work hold once all of the task is done. brief is then what is left of the task after them.',
          ]),
      ...(permits
        ? [
            'test_changes: tests that were there before and that this task may change from now on, by path, each with why: only where what is asked for makes what they expect wrong, and never one that was written before the work or by a verifier. [] as a rule; the task owns the tests that it has added itself.',
            'done_when: how to see that it is done; it holds also where the brief stays. why: what was wrong, and what to do otherwise; whoever tries again reads it.',
          ]
        : ['done_when: how to see that it is done. why: what was wrong.']),
    ].join('\n'),
  ]);
}

/** Builds the prompts of T4 and of the author of acceptance tests. */

import type { Message, MessagePart } from '../../../kernel/model.ts';
import { toLine } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { insertAttached } from '../../common/prompts/attached.ts';
import { cleanTagLabel } from '../../common/prompts/fence.ts';
import type { Effort } from '../facts.ts';
import type { Interface } from '../forms/design.ts';
import type { Task, TeamPlan } from '../forms/plan.ts';
import { buildPrompt, formatMaterial, joinRows, tellInterface } from './opening.ts';

/** The instructions for an attempt at a task, put together by code. */
export interface Brief {
  readonly goal: string;
  readonly seed: number;
  readonly task: Task;
  /** The files that the task may write now, including those granted since the plan. */
  readonly files: readonly string[];
  /** The instructions in words, from the plan or a correction. */
  readonly brief: string;
  /** How to see that the task is done; undefined if the brief says it. */
  readonly doneWhen?: string | undefined;
  readonly requirements: TeamPlan['requirements'];
  readonly interfaces: readonly Interface[];
  readonly assumptions: readonly string[];
  readonly checks: readonly { readonly id: string; readonly argv: readonly string[] }[];
  /** Paths of the acceptance tests and of verifiers' tests in the task's tree. */
  readonly locked: readonly string[];
  /** Lines on the guarded files, which the task may not change unless it holds them by name. */
  readonly guarded: readonly string[];
  /** The texts of the task's files that exist and are short enough. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  /** The tasks that this one builds on, with the files that they were allowed to write. */
  readonly madeBefore: readonly { readonly task: string; readonly files: readonly string[] }[];
  /** Earlier attempts, with the reasons why they failed. */
  readonly earlier: readonly { readonly attempt: number; readonly why: string }[];
  /** The last attempt as far as it got; undefined before version 3 of the rules and in a first attempt. */
  readonly last?: LastAttempt | undefined;
  /** What was wrong with the commit that this attempt handed in before. The tree is as the seat left it. */
  readonly sentBack?: string | undefined;
  readonly effort: Effort;
}

/** The previous attempt at the same task. */
export interface LastAttempt {
  readonly attempt: number;
  /** The changes that the attempt made, as a diff of limited length. */
  readonly diff: string;
  /** Whether the present tree contains these changes. */
  readonly isKept: boolean;
  /** The checks that failed, with their output. */
  readonly red: readonly string[];
  /** What the tier above said about the attempt, and whether that tier has changed the brief since. */
  readonly said: readonly string[];
}

const EFFORT: Readonly<Record<Effort, string>> = {
  low: 'The task is small: read what you need, change it, run the checks.',
  medium: 'Take the time to read what the change touches before you write.',
  high: 'Others have failed at this. Think it through first: what could be wrong with the obvious way, which cases it misses, how you would notice. Then write.',
};

function briefParts(brief: Brief): string[] {
  const { task, seed } = brief;
  return withoutFalse([
    formatMaterial(
      'What the whole has to meet, of which this task is a part:',
      'requirements',
      joinRows(
        brief.requirements.map(({ id, text, proof }) => `${id} (to be shown by ${proof}): ${text}`),
      ),
      seed,
    ),
    brief.interfaces.length + brief.assumptions.length !== 0 &&
      formatMaterial(
        'What is settled about it:',
        'settled',
        [...brief.interfaces.map(tellInterface), ...brief.assumptions.map(toLine)].join('\n'),
        seed,
      ),
    formatMaterial(
      `Your task, ${task.id}:`,
      'task',
      withoutFalse([
        toLine(task.title),
        brief.brief,
        brief.doneWhen !== undefined && toLine(`Done when: ${brief.doneWhen}`),
        toLine(`Covers: ${task.covers.join(', ')}`),
        toLine(`Files that you may change or add, and no others: ${brief.files.join(' ')}`),
        ...task.changes_tests.map(({ file, why }) => toLine(`May change the test ${file}: ${why}`)),
        brief.locked.length !== 0 &&
          toLine(
            `Tests in your tree that have to pass, and that you may not change: ${brief.locked.join(' ')}`,
          ),
        toLine(
          `Guarded files, which you may not change unless they are named above: ${brief.guarded.join(' ')}`,
        ),
        ...brief.checks.map(({ id, argv }) => toLine(`Check ${id}: ${JSON.stringify(argv)}`)),
        ...brief.madeBefore.map(({ task: id, files }) =>
          toLine(`Done before you, and in your tree: ${id} (${files.join(' ')})`),
        ),
      ]).join('\n'),
      seed,
    ),
    ...brief.texts.map(({ path, text }) =>
      formatMaterial(`${toLine(path)}, as it is:`, `file-${path}`, text, seed),
    ),
    ...lastParts(brief.last, seed),
    ...brief.earlier.map(({ attempt, why }) =>
      formatMaterial(
        `Attempt ${attempt} came to nothing, because:`,
        `attempt-${attempt}`,
        why,
        seed,
      ),
    ),
  ]);
}

function lastParts(last: LastAttempt | undefined, seed: number): string[] {
  if (last === undefined) return [];
  const { attempt, diff, isKept, red, said } = last;
  const where = isKept
    ? 'which is in your tree'
    : 'which is not in your tree: take from it what is right';
  return withoutFalse([
    diff !== '' &&
      formatMaterial(`What attempt ${attempt} changed, ${where}:`, `diff-${attempt}`, diff, seed),
    red.length !== 0 &&
      formatMaterial(`What was red then:`, `red-${attempt}`, red.join('\n'), seed),
    said.length !== 0 &&
      formatMaterial('What is different since:', `since-${attempt}`, said.join('\n'), seed),
  ]);
}

const REPORT =
  'The JSON object: status: "done" when all of it is; "partial" where a part that stands by itself is, with what is left; "blocked" where you cannot go on without something that you were refused or cannot have, named in needs. did: what you changed, by path. covers_done: requirements that your change meets. You are not asked whether it works: commands say that.';

/** Builds the prompt that asks an implementer to do a task. */
export function workMessages(brief: Brief): Message[] {
  return buildPrompt(
    brief.goal,
    brief.seed,
    briefParts(brief),
    withoutFalse([
      brief.sentBack !== undefined &&
        formatMaterial(
          'What you handed in does not stand. Your tree is as you left it. Code says:',
          'sent-back',
          brief.sentBack,
          brief.seed,
        ),
      `You are T4. Do this task and nothing beside it. ${EFFORT[brief.effort]}`,
      'Where you add tests, they go into new files among those that you hold, and fail without your change. Do not weaken a test. Nothing is taken that changes a file which you do not hold.',
      REPORT,
    ]),
  );
}

/**
 * Builds the prompt for work on a task as the text of a file, for a coding agent that reads files.
 * @param attached the attached documents; undefined if there are none
 */
export function workFile(brief: Brief, attached: MessagePart | undefined): string {
  return insertAttached(workMessages(brief), attached)
    .flatMap(({ parts }) => parts.map(({ text }) => text))
    .join('\n\n');
}

/**
 * Builds the prompt that asks for acceptance tests before the work begins.
 * @param globs the glob patterns of test files
 * @param taken the paths of the files that the plan's tasks hold, which no test may have
 */
export function testsMessages(
  {
    goal,
    seed,
    parts,
  }: { readonly goal: string; readonly seed: number; readonly parts: readonly string[] },
  requirements: TeamPlan['requirements'],
  globs: readonly string[],
  taken: readonly string[],
  /**
   * From version 3 of the rules on: an existing test as an example, and what was wrong with an earlier
   * answer.
   */
  {
    example,
    again,
    edition = 2,
  }: {
    readonly example?: { readonly path: string; readonly text: string } | undefined;
    readonly again?: string | undefined;
    readonly edition?: number;
  } = {},
): Message[] {
  return buildPrompt(
    goal,
    seed,
    parts,
    withoutFalse([
      example !== undefined &&
        formatMaterial(
          `How tests are written here, for instance ${toLine(example.path)}:`,
          'example',
          example.text,
          seed,
        ),
      again !== undefined &&
        formatMaterial(
          'You have handed in an answer, and there are no tests to go with it. Your tree is as you left it. Code says:',
          'again',
          again,
          seed,
        ),
      [
        `You are T5, before the work. Write tests for ${requirements.map(({ id }) => id).join(', ')} that fail today and pass once the requirement is met, whoever meets it and however: through what a user of this code can call. You have seen no implementation and will see none.`,
        `Only new files, which match ${globs.join(' ')}, in the style of the tests that are there; one file for each requirement${edition < 3 ? ', named after it as r1-….' : '. A runner finds tests by their names: name each file as those beside it are named, and by what it shows, since it stays in the repository.'}${taken.length === 0 ? '' : ` These names the work will have: ${taken.map(cleanTagLabel).join(' ')}.`} Think of what a careless implementation gets wrong: boundaries, time zones, empty and odd input, two processes at once, what is left behind after a failure. Each has to come out the same every time and on every machine: set clocks, time zones and folders yourself. You cannot run them; code does, three times on the base, where each file has to fail.`,
        'tests: each requirement with the path of its file and what it shows. untestable: requirements that no test can show, with why.',
      ].join('\n'),
    ]),
  );
}

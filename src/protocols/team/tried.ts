/** Formats what was tried, for the person who decides whether the work goes on. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { foldAllTeamFacts, type TaskView } from './fold.ts';

/** Matches the end of a failure's reason, which code adds when all attempts are used. */
const BOUND = /; (?:all \d+ attempts are used|the run has had its \d+ attempts)$/;

/** Returns the reason of a failure on one line, without the command output that follows it. */
export function reasonOf(why: string): string {
  const [first = '', ...rows] = why.split('\n');
  const end = rows.findIndex((row) => !row.startsWith('- '));
  const told = [first, ...(end < 0 ? rows : rows.slice(0, end))].join(' ');
  const bound = BOUND.exec(why.trimEnd())?.[0] ?? '';
  return told.endsWith(bound) ? told : `${told}${bound}`;
}

/** Returns a line for each attempt of a task with its result, and for each retry with who decided it. */
export function triedRows(task: TaskView): string[] {
  return [
    ...task.attempts.map((attempt) =>
      toLine(
        `Attempt ${attempt.attempt} (${attempt.started.level}, ${attempt.started.effort}): ${endOfAttempt(task, attempt)}`,
      ),
    ),
    ...task.retried.map(({ attempt, by, refused = [] }) =>
      toLine(
        `Attempt ${attempt} was given by ${by}.${refused.length === 0 ? '' : ` Not split: ${refused.join(' ')}`}`,
      ),
    ),
  ];
}

/** Returns how an attempt ended, by code's judgment and not by T4's report. */
function endOfAttempt(
  { retried }: TaskView,
  { attempt, judged, commits, reported }: TaskView['attempts'][number],
): string {
  const red = judged.at(-1)?.why.join('; ') ?? '';
  if (red !== '') return red;
  const why = retried.find((retry) => retry.attempt === attempt + 1)?.why;
  if (why !== undefined) return reasonOf(why);
  if (reported?.why !== undefined) return reported.why;
  if (reported?.result?.status === 'blocked') return 'blocked';
  const commit = commits.at(-1);
  if (commit !== undefined && commit.commit === undefined) return 'nothing was committed';
  return commit === undefined ? 'no result' : 'its checks were green';
}

/**
 * Formats how far a run got whose budget is used up: the number of finished tasks, and what was tried on the
 * tasks that were begun and not finished. Empty if there are no tasks yet.
 */
export function formatProgressAtBudgetEnd(facts: readonly AnyFact[]): string {
  const { tasks } = foldAllTeamFacts(facts);
  if (tasks.length === 0) return '';
  const done = tasks.filter(({ state }) => state === 'done').length;
  const open = tasks.filter(({ state, attempts }) => state !== 'done' && attempts.length > 0);
  return [
    `${done} of ${formatCount(tasks.length, 'task')} done.`,
    ...open.flatMap((task) => [
      toLine(`Task ${task.task.id} (${task.task.title}) is ${task.state}:`),
      ...triedRows(task).map((row) => `  ${row}`),
    ]),
  ].join('\n');
}

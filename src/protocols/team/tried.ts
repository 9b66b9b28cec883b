/** What was tried, for whoever is asked whether it goes on. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { line } from '../../text/line.ts';
import { plural } from '../../text/numbers.ts';
import { type TaskView, teamOf } from './fold.ts';

/** Matches what code appends to the reason of a failure that has used up its attempts. */
const BOUND = /; (?:all \d+ attempts are used|the run has had its \d+ attempts)$/;

/** Returns the reason of a failure on one line, without command output, which is shown with the task. */
export function reasonOf(why: string): string {
  const [first = '', ...rows] = why.split('\n');
  const end = rows.findIndex((row) => !row.startsWith('- '));
  const told = [first, ...(end < 0 ? rows : rows.slice(0, end))].join(' ');
  const bound = BOUND.exec(why.trimEnd())?.[0] ?? '';
  return told.endsWith(bound) ? told : `${told}${bound}`;
}

/** Each attempt with what came of it, and who sent it back why. */
export function triedRows(task: TaskView): string[] {
  return [
    ...task.attempts.map((one) =>
      line(
        `Attempt ${one.attempt} (${one.started.level}, ${one.started.effort}): ${endOfAttempt(task, one)}`,
      ),
    ),
    ...task.retried.map(({ attempt, by, refused = [] }) =>
      line(
        `Attempt ${attempt} was given by ${by}.${refused.length === 0 ? '' : ` Not split: ${refused.join(' ')}`}`,
      ),
    ),
  ];
}

/** What became of it, by code: what T4 says of it decides nothing. */
function endOfAttempt(
  { retried }: TaskView,
  { attempt, judged, commits, reported }: TaskView['attempts'][number],
): string {
  const red = judged.at(-1)?.why.join('; ') ?? '';
  if (red !== '') return red;
  const why = retried.find((one) => one.attempt === attempt + 1)?.why;
  if (why !== undefined) return reasonOf(why);
  if (reported?.why !== undefined) return reported.why;
  if (reported?.result?.status === 'blocked') return 'blocked';
  const commit = commits.at(-1);
  if (commit !== undefined && commit.commit === undefined) return 'nothing was committed';
  return commit === undefined ? 'no result' : 'its checks were green';
}

/** Of a run whose budget is used up: what is done by then, and what was tried of the rest. */
export function standing(facts: readonly AnyFact[]): string {
  const { tasks } = teamOf(facts);
  if (tasks.length === 0) return '';
  const done = tasks.filter(({ state }) => state === 'done').length;
  const open = tasks.filter(({ state, attempts }) => state !== 'done' && attempts.length > 0);
  return [
    `${done} of ${plural(tasks.length, 'task')} done.`,
    ...open.flatMap((one) => [
      line(`Task ${one.task.id} (${one.task.title}) is ${one.state}:`),
      ...triedRows(one).map((row) => `  ${row}`),
    ]),
  ].join('\n');
}

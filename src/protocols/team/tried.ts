/** What was tried, for whoever is asked whether it goes on. */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { plural } from '../../text/figures.ts';
import { line } from '../../text/line.ts';
import { type TaskView, teamOf } from './fold.ts';

/** Each attempt with what came of it, and who sent it back why. */
export function triedRows({ attempts, retried }: TaskView): string[] {
  return [
    ...attempts.map(({ attempt, started: { level, effort }, judged, reported }) =>
      line(
        `Attempt ${attempt} (${level}, ${effort}): ${judged.at(-1)?.why.join('; ') || reported?.why || reported?.result?.status || 'no result'}`,
      ),
    ),
    ...retried.map(({ attempt, by, why }) => line(`Before attempt ${attempt}, ${by}: ${why}`)),
  ];
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

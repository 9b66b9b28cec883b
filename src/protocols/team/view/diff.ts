/** What two teams came to differently: what is met, how tasks ended, and where the work is. Pure. */
import {
  arrow,
  type Change,
  type Compared,
  compare,
  comparedText,
  differences,
  diffText,
  modelLines,
  modelsOf,
} from '../../../plain/diff.ts';
import type { Recorded } from '../../../plain/protocol-text.ts';
import { teamOf } from '../fold.ts';
import { outcomeWords } from './status.ts';

interface TeamDiff {
  /** Absent where both came to the same. */
  readonly outcome?: Change;
  readonly requirements: Compared;
  readonly tasks: Compared;
  /** Models of seats that differ. */
  readonly models: Readonly<Record<string, Change>>;
}

export function diffTeams(before: Recorded, after: Recorded): TeamDiff {
  const [old, now] = [teamOf(before.facts), teamOf(after.facts)];
  const [from, to] = [outcomeWords(old), outcomeWords(now)];
  return {
    ...(from === to ? {} : { outcome: { from, to } }),
    requirements: compare(
      old.requirements,
      now.requirements,
      ({ text, state, proof }) => ({ text, state, proof }),
      ({ text, state }) => `${text} (${state})`,
    ),
    tasks: compare(
      old.tasks.map(tellTask),
      now.tasks.map(tellTask),
      ({ title, state, attempts }) => ({ title, state, attempts }),
      ({ title, state }) => `${title} (${state})`,
    ),
    models: differences(modelsOf(before.view, undefined), modelsOf(after.view, undefined)),
  };
}

function tellTask({
  task: { id, title },
  state,
  attempts,
}: ReturnType<typeof teamOf>['tasks'][number]) {
  return { id, title, state, attempts: String(attempts.length) };
}

export function teamDiffText({ outcome, requirements, tasks, models }: TeamDiff): string {
  return diffText([
    ...(outcome === undefined ? [] : [`Outcome: ${arrow(outcome)}`]),
    ...comparedText('Requirements', requirements),
    ...comparedText('Tasks', tasks),
    ...modelLines(models),
  ]);
}

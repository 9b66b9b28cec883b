/** Lists evaluations as lines of the history. The hundreds of runs of an evaluation are not listed there. */
import type { Preview } from '../../console/history/state.ts';
import type { RunLine } from '../../console/model/runs.ts';
import { questionOf } from '../../evaluation/answers.ts';
import { type Arms, HIGH, SINGLE, VOTE } from '../../evaluation/arms.ts';
import type { EvaluationPlan } from '../../evaluation/plan.ts';
import type { EvaluationRow } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { formatCount } from '../../text/numbers.ts';

/**
 * Lists evaluations for the history, newest first. An evaluation is listed if its line contains
 * every word of `search`.
 *
 * @param search words separated by blanks; undefined: no evaluation is left out
 * @param limit only so many of the newest evaluations are searched
 */
export function listEvaluations(
  store: Store,
  search: string | undefined,
  limit: number,
): RunLine[] {
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const asked = new Set(
    store.evaluations.cellsAtWork().map(({ run }) => store.summary(run).question),
  );
  return store.evaluations
    .newest(limit)
    .map((row) => lineOf(row, row.endedAt === null && isAtWork(store, row.id, asked)))
    .filter(({ question }) => words.every((word) => question.toLowerCase().includes(word)));
}

/** Returns the text that the history shows beside an evaluation. */
export function previewEvaluation(store: Store, id: string): Preview {
  const { plan, endedAt } = store.evaluations.find(id);
  const { arms, models } = JSON.parse(plan) as EvaluationPlan;
  return {
    seats: [namesIn(arms).join(', '), ...models],
    text:
      endedAt === null
        ? 'This evaluation is not finished. Run its command again to continue.'
        : 'This evaluation is finished. Open it to read its report and answers.',
    rehearsal: models.some((model) => model.startsWith('rehearsal/')),
    change: '',
    changes: '',
  };
}

/** Returns whether one of its items is being asked now. */
function isAtWork(store: Store, id: string, asked: ReadonlySet<string>): boolean {
  if (asked.size === 0) return false;
  const { items } = JSON.parse(store.evaluations.find(id).plan) as EvaluationPlan;
  return items.some((item) => asked.has(questionOf(item)));
}

function lineOf(row: EvaluationRow, isRunning: boolean): RunLine {
  const { id, at, endedAt, setName, units, model } = row;
  const arms = namesIn(JSON.parse(row.arms) as Arms).join(', ');
  return {
    id,
    protocol: 'eval',
    question: `${setName}, ${formatCount(units, 'unit')}: ${arms}, with ${model}`,
    status: isRunning ? 'running' : endedAt === null ? 'interrupted' : 'done',
    startedAt: at,
    costUsd: null,
    estimated: false,
    rehearsal: model.startsWith('rehearsal/'),
    isEvaluation: true,
  };
}

function namesIn({ single, high, vote, panels }: Arms): string[] {
  return [
    ...(single ? [SINGLE] : []),
    ...(high ? [HIGH] : []),
    ...(vote ? [VOTE] : []),
    ...panels.map(({ name }) => name),
  ];
}

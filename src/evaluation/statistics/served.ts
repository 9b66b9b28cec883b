/**
 * Refuses outcomes of changed models. Providers replace the model behind a name; the mean of answers from
 * before and after would describe neither.
 */
import { DeliberateError } from '../../kernel/errors.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import type { Header } from '../header.ts';
import type { Outcome } from '../outcome.ts';

/**
 * Refuses to evaluate answers of a model together with answers of another model that the server put under
 * the same name in the meantime. Such a change shows in the number of different models that servers
 * reported.
 * @throws DeliberateError if servers reported more models than the header names, for one arm or for all arms
 * together
 */
export function refuseChangedModels(header: Header, outcomes: readonly Outcome[]): void {
  for (const { name, models } of header.arms)
    refuseOtherModels(
      name,
      models,
      outcomes.filter(({ arm }) => arm === name),
    );
  const named = new Set(header.arms.map(({ name }) => name));
  refuseOtherModels(
    'all arms together',
    header.arms.flatMap(({ models }) => models),
    outcomes.filter(({ arm }) => named.has(arm)),
  );
}

function refuseOtherModels(
  whose: string,
  named: readonly string[],
  outcomes: readonly Outcome[],
): void {
  const served = new Map<string, number>();
  for (const { models } of outcomes)
    for (const model of new Set(models)) served.set(model, (served.get(model) ?? 0) + 1);
  const most = new Set(named).size;
  if (served.size <= most) return;
  const list = [...served].map(
    ([model, count]) => `${toLine(model)} in ${formatCount(count, 'answer')}`,
  );
  throw new DeliberateError(
    'model-changed',
    `${whose}: ${formatCount(most, 'model')} named, ${served.size} served (${list.join(', ')}); one report cannot cover both`,
    'Evaluate again, or report on the answers of one of them.',
  );
}

/** How many predictions rounds make, where a person may have said so and where nobody has. */
import { USUAL_PREDICTIONS } from '../../decisions/predictions.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { Config } from './config.ts';

/**
 * Returns what the person set, else the usual number. With the stand-in the usual number is 0: its
 * probabilities say nothing, and would ask to be resolved later.
 */
export function predictionsWanted({ predict }: Config, models: readonly ModelSpec[]): number {
  if (predict !== undefined) return predict;
  const isPlayed = models.every((model) => splitSpec(model).provider === 'rehearsal');
  return isPlayed ? 0 : USUAL_PREDICTIONS;
}

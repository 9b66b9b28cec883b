/** Determines how many predictions rounds make: the number that a person set, or the default. */
import { USUAL_PREDICTIONS } from '../../decisions/predictions.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { Config } from './config.ts';

/**
 * Returns how many predictions are to be drafted from each synthesis: as configured, by default 3.
 * The default is 0 if the built-in stand-in plays all models, because its predictions mean nothing.
 */
export function getPredictionCount({ predict }: Config, models: readonly ModelSpec[]): number {
  if (predict !== undefined) return predict;
  const isPlayed = models.every((model) => splitSpec(model).provider === 'rehearsal');
  return isPlayed ? 0 : USUAL_PREDICTIONS;
}

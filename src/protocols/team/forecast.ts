/** What a run is likely to take, as the plan's gate says it. */
import type { Seat } from '../../kernel/model.ts';
import type { Survey } from '../../kernel/tools/workshop.ts';
import type { TeamConfig } from './config.ts';
import { pricePlan } from './estimate.ts';
import type { TeamPlan } from './forms/plan.ts';
import type { Measured } from './measured.ts';

/**
 * Calls and tokens of a run by how it is likely to go, over those where nothing goes wrong: between a run in
 * which nothing does and one in which a verifier sends all of the work back once, which takes about twice.
 */
const LIKELY = 1.4;

export interface Forecast {
  readonly likely: Count;
  /** Where nothing goes wrong. */
  readonly straight: Count;
}

interface Count {
  readonly calls: number;
  readonly tokens: number;
}

/**
 * Returns what the whole of a plan is likely to take, what was paid for the plan itself included.
 * @param measured what planning has taken so far; absent: all of it is estimated
 */
export function forecastOf(
  plan: TeamPlan,
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  survey?: Survey,
  measured?: Measured,
): Forecast {
  const { calls, tokens } = pricePlan(plan, goal, seats, config, survey, measured);
  return {
    likely: {
      calls: Math.round(calls.low * LIKELY),
      tokens: Math.round(tokens.low * LIKELY),
    },
    straight: { calls: calls.low, tokens: tokens.low },
  };
}

/** Forecasts the calls and tokens of a whole run, for the question in which a person approves the plan. */
import type { Seat } from '../../kernel/model.ts';
import type { Survey } from '../../kernel/tools/workshop.ts';
import type { TeamConfig } from './config.ts';
import { estimatePlan } from './estimate.ts';
import type { TeamPlan } from './forms/plan.ts';
import type { PlanningCost } from './measured.ts';

/**
 * The likely calls and tokens of a run, as a multiple of those without failures. A run in which a verifier
 * sends all work back once takes about twice as many.
 */
const LIKELY = 1.4;

/** How many calls and tokens a run is expected to take. */
export interface Forecast {
  /** The count to expect, since something usually goes wrong. */
  readonly likely: Count;
  /** The count if nothing goes wrong. */
  readonly straight: Count;
}

interface Count {
  readonly calls: number;
  readonly tokens: number;
}

/**
 * Estimates how many calls and tokens a whole plan takes, including the planning already paid for.
 * @param measured what planning has taken so far; if absent, planning is estimated as well
 */
export function forecastOf(
  plan: TeamPlan,
  goal: string,
  seats: readonly Seat[],
  config: TeamConfig,
  survey?: Survey,
  measured?: PlanningCost,
): Forecast {
  const { calls, tokens } = estimatePlan(plan, goal, seats, config, survey, measured);
  return {
    likely: {
      calls: Math.round(calls.low * LIKELY),
      tokens: Math.round(tokens.low * LIKELY),
    },
    straight: { calls: calls.low, tokens: tokens.low },
  };
}

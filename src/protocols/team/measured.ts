/**
 * Corrects estimates by what planning took in the same run. How many turns a question takes, and how many
 * tokens a turn, depends on the model and its server. Once the plan is made, T1 has shown both.
 */
import type { Span } from '../../kernel/estimate.ts';

/** An estimate of the calls and tokens of a run, each as a range from lowest to highest. */
export interface RunEstimate {
  readonly calls: Span;
  readonly tokens: Span;
}

/**
 * The calls and tokens that planning has taken when the plan is shown to the person. They are measured
 * from version 5 of the rules on.
 */
export interface PlanningCost {
  /** How many questions the planning seat was asked, such as for a plan or a critique. Repeated ones count again. */
  readonly questions: number;
  /** How many calls these questions took: at least one for each question. */
  readonly calls: number;
  /** The tokens of these calls. */
  readonly tokens: number;
  /** The average number of tokens in the files that a task of the plan may write. */
  readonly held: number;
}

/**
 * The least and most by which an estimate of calls is multiplied. Planning that took less than estimated
 * says nothing about the work, and very long planning may be due to one slow answer.
 */
const CALLS: Span = { low: 1, high: 3 };
const TOKENS: Span = { low: 1, high: 4 };

/**
 * Corrects an estimate by what planning has really taken. If each question of planning took two calls
 * instead of one, the lowest number of calls for the work is doubled. If the questions took twice the
 * estimated tokens, the lowest number of tokens is doubled. Each factor is never below 1 and never above
 * a fixed maximum. The highest numbers stay; one that is lower than its corrected lowest number becomes
 * equal to it.
 * @param price the estimate of the whole run
 * @param planning the estimate of planning alone: one question for a plan and one for its critique
 * @param measured what planning has taken; if undefined, the estimate is returned unchanged
 */
export function correctByMeasured(
  price: RunEstimate,
  planning: RunEstimate,
  measured: PlanningCost | undefined,
): RunEstimate {
  if (measured === undefined || measured.questions === 0) return price;
  const { questions, calls, tokens } = measured;
  const estimated = (planning.tokens.low / planning.calls.low) * questions;
  const low = {
    calls: calls + (price.calls.low - planning.calls.low) * limitFactor(calls / questions, CALLS),
    tokens:
      tokens + (price.tokens.low - planning.tokens.low) * limitFactor(tokens / estimated, TOKENS),
  };
  const spanOf = (least: number, high: number): Span => ({
    low: Math.round(least),
    high: Math.max(high, Math.round(least)),
  });
  return {
    calls: spanOf(low.calls, price.calls.high),
    tokens: spanOf(low.tokens, price.tokens.high),
  };
}

function limitFactor(factor: number, { low, high }: Span): number {
  return Math.min(Math.max(factor, low), high);
}

/**
 * Corrects estimates by what planning took in the same run. How many turns a question takes, and how many
 * tokens a turn, depends on the model and its server. Once the plan is made, T1 has shown both.
 */
import type { Span } from '../../kernel/estimate.ts';

/** An estimate of the calls and tokens of a run, each as a range from lowest to highest. */
export interface Price {
  readonly calls: Span;
  readonly tokens: Span;
}

/**
 * What planning has taken by the time the plan is shown to the person; measured from version 5 of
 * the rules on.
 */
export interface Measured {
  /** How many questions the planning seat was asked; each takes at least one call. */
  readonly questions: number;
  /** How many calls these questions took. */
  readonly calls: number;
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
 * Corrects an estimate by what planning has taken. The lower ends become the measured planning,
 * plus the rest of the estimate multiplied by the ratio of measured to estimated planning, within
 * bounds. The upper ends stay unless the lower ends exceed them.
 * @param planning the estimate of planning alone, with two questions
 * @param measured what planning has taken; if undefined, the estimate is returned unchanged
 */
export function correctByMeasured(
  price: Price,
  planning: Price,
  measured: Measured | undefined,
): Price {
  if (measured === undefined || measured.questions === 0) return price;
  const { questions, calls, tokens } = measured;
  const estimated = (planning.tokens.low / planning.calls.low) * questions;
  const low = {
    calls: calls + (price.calls.low - planning.calls.low) * within(calls / questions, CALLS),
    tokens: tokens + (price.tokens.low - planning.tokens.low) * within(tokens / estimated, TOKENS),
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

function within(factor: number, { low, high }: Span): number {
  return Math.min(Math.max(factor, low), high);
}

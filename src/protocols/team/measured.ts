/**
 * Estimates corrected by what planning took in the run itself. How many turns a seat takes for a question,
 * and how many tokens a turn, depends on the model and its server: one that is offered one call of a tool at
 * a time takes several turns where another takes one. By the plan's gate T1 has shown how that is here.
 */
import type { Span } from '../../kernel/estimate.ts';

export interface Price {
  readonly calls: Span;
  readonly tokens: Span;
}

/** What was measured by the plan's gate, from version 5 of the rules on. */
export interface Measured {
  /** Questions that T1 has been asked, each of which takes one call at least. */
  readonly questions: number;
  /** The calls and tokens that these took. */
  readonly calls: number;
  readonly tokens: number;
  /** Tokens of the files that a task of the plan holds, on average. */
  readonly held: number;
}

/**
 * How far the rest can be from its estimate. Planning that took less than estimated says that the survey is
 * short, and nothing of the work; planning that took very long may be one slow answer.
 */
const CALLS: Span = { low: 1, high: 3 };
const TOKENS: Span = { low: 1, high: 4 };

/**
 * Returns the low ends of a price with planning as it was measured, and the rest multiplied by how far
 * planning was from its own estimate. The high ends stay, unless the low ones exceed them.
 * @param planning the estimate of planning alone, two questions
 */
export function asMeasured(price: Price, planning: Price, measured: Measured | undefined): Price {
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

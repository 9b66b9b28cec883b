/** Estimates the calls for predictions: one for the drafts, and one for each distinct model's forecasts. */
import { type PlannedCalls, planCalls, type Span } from '../kernel/estimate.ts';
import type { ModelSpec, Seat } from '../kernel/model.ts';

/** Prompt tokens of the instructions, without the question and the synthesis. */
const DRAFT_TASK = 480;
const FORECAST_TASK = 260;
/** Tokens of one prediction in a prompt, and of one draft or forecast in an answer. */
const PREDICTION = 70;
const DRAFT: Span = { low: 60, high: 140 };
const FORECAST: Span = { low: 25, high: 90 };
/** Calls for each task: a second call follows if part of the first answer is unusable. */
const ONCE_OR_TWICE: Span = { low: 1, high: 2 };

/**
 * Returns the calls that making `count` predictions would take, for the estimate of a run; empty if
 * `count` is 0.
 * @param drafter the model that drafts the predictions
 * @param seats the seats that are asked for probabilities
 * @param synthesis the lowest and highest number of tokens of the question and the synthesis
 *   together
 */
export function planPredictions(
  count: number,
  drafter: ModelSpec,
  seats: readonly Seat[],
  synthesis: Span,
): PlannedCalls[] {
  if (count < 1) return [];
  const estimatePromptSize = (task: number): Span => ({
    low: synthesis.low + task,
    high: synthesis.high + task + count * PREDICTION,
  });
  const models = new Map(seats.map((seat) => [seat.model, seat]));
  return [
    planCalls('predictions', 'Predictions', drafter, [
      {
        calls: ONCE_OR_TWICE,
        prompt: estimatePromptSize(DRAFT_TASK),
        answer: { low: DRAFT.low * count, high: DRAFT.high * count },
      },
    ]),
    ...[...models].map(([model, { title }]) =>
      planCalls('forecasts', `${title}, probabilities`, model, [
        {
          calls: ONCE_OR_TWICE,
          prompt: estimatePromptSize(FORECAST_TASK + count * PREDICTION),
          answer: { low: FORECAST.low * count, high: FORECAST.high * count },
        },
      ]),
    ),
  ];
}

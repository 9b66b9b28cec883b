/** Scores the forecasts of one run against what people said came of its predictions. */
import { plural } from '../text/numbers.ts';
import { type DecisionsView, type ForecastView, outcomeOf, type PredictionView } from './fold.ts';

/** A prediction that was answered with yes or no, with the panel's probability in percent. */
interface Answered {
  readonly prediction: PredictionView;
  readonly happened: boolean;
}

/**
 * Returns a sentence with the Brier score of the panel and of each model, in the order of `given`; undefined if
 * no prediction was answered with yes or no. The stand-in has no scores, and neither has a fork for the
 * predictions of its parent.
 */
export function scoreNote(
  predictions: readonly PredictionView[],
  given: readonly ForecastView[],
  view: DecisionsView,
  name: (seats: readonly string[]) => string,
): string | undefined {
  const answered = predictions.flatMap((prediction): Answered[] => {
    const { state } = outcomeOf(prediction, view);
    const counts = !prediction.rehearsal && prediction.parent === undefined;
    return counts && (state === 'yes' || state === 'no')
      ? [{ prediction, happened: state === 'yes' }]
      : [];
  });
  const panel = scoreOf(answered, ({ panel: pooled }) => pooled?.percent);
  if (panel === undefined) return undefined;
  const models = given.flatMap(({ model, seats }) => {
    const own = scoreOf(
      answered,
      ({ forecasts }) => forecasts.find((one) => one.model === model)?.percent,
    );
    return own === undefined ? [] : [`${name(seats)} ${own}`];
  });
  return `Brier score on ${plural(answered.length, 'prediction')} that ${answered.length === 1 ? 'was' : 'were'} answered: panel ${[panel, ...models].join(', ')}. Lower is better, and always saying 50 % gets 0.250. One decision is too few to compare anybody.`;
}

/** Returns the mean squared error with three decimals; undefined if no probability was given. */
function scoreOf(
  answered: readonly Answered[],
  percentOf: (prediction: PredictionView) => number | undefined,
): string | undefined {
  const errors = answered.flatMap(({ prediction, happened }) => {
    const percent = percentOf(prediction);
    return percent === undefined ? [] : [(percent / 100 - Number(happened)) ** 2];
  });
  if (errors.length === 0) return undefined;
  return (errors.reduce((sum, error) => sum + error, 0) / errors.length).toFixed(3);
}

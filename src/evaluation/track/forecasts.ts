/**
 * Scores forecasters by what happened: the track record of models, roles or panels.
 *
 * The input is one row per forecast of a prediction that has been answered with yes or no. Predictions of
 * one decision are correlated, so intervals and p-values (`paired.ts`) treat a decision, not a prediction, as
 * the independent unit.
 *
 * The functions use no clock and no store; the same rows always give the same figures.
 */
import { type Share, shareOf } from '../statistics/exact.ts';
import { computeAverage } from '../statistics/mean.ts';
import { type PairedDifference, pairedDifference } from './paired.ts';

/** A forecast of a prediction whose outcome is known. */
export interface ResolvedForecast {
  /** A key that predictions share if they depend on each other, such as the id of their run. */
  readonly decision: string;
  /** The prediction's id, unique among all decisions. */
  readonly prediction: string;
  /** The name that the forecast counts for: a model, a model family, a role or a protocol. */
  readonly forecaster: string;
  /** The forecast probability, from 0 to 1. */
  readonly probability: number;
  /** The probability of the whole panel for the same prediction, from 0 to 1. */
  readonly panel: number;
  /** Whether the prediction came true. */
  readonly happened: boolean;
}

/**
 * The Brier score in its three parts (Murphy 1973), with forecasts grouped by their probability:
 * `brier = reliability - resolution + uncertainty`.
 */
interface BrierParts {
  /** The mean squared distance of the probabilities from the observed rates; 0 is perfectly calibrated. */
  readonly reliability: number;
  /** The mean squared distance of the groups' observed rates from the overall rate; more is better. */
  readonly resolution: number;
  /** The Brier score of always forecasting the overall rate. */
  readonly uncertainty: number;
}

/** Forecasts with similar probabilities, and how often the predicted events happened. */
export interface CalibrationBin {
  /** The mean of the forecast probabilities, from 0 to 1. */
  readonly said: number;
  /** How many of the predicted events happened, with an exact 95 % interval. */
  readonly cameTrue: Share;
}

/** How good the forecasts of one model, model family, role or protocol were. */
export interface TrackRecord {
  readonly forecaster: string;
  /** The number of decisions (runs). Predictions of one decision may depend on each other. */
  readonly decisions: number;
  readonly predictions: number;
  /**
   * The Brier score, the mean squared error of the forecasts: 0 is best, and always forecasting 50
   * % scores 0.25.
   */
  readonly brier: number;
  /** The parts of the Brier score: `brier` is `reliability - resolution + uncertainty`. */
  readonly parts: BrierParts;
  /** The Brier score of the whole panel on the same predictions. */
  readonly panelBrier: number;
  /**
   * The forecaster's squared error minus the panel's, as a mean over the predictions. Below 0, the
   * forecaster did better.
   */
  readonly difference: PairedDifference;
  /**
   * The forecasts in five groups by probability (0 to 20 %, and so on), in ascending order. Groups
   * without forecasts are left out.
   */
  readonly calibration: readonly CalibrationBin[];
}

/** How many bins a calibration table has. More bins would leave too few forecasts in each. */
const BINS = 5;

/** Returns the track record of each forecaster. The order is by name, not by score. */
export function trackRecords(forecasts: readonly ResolvedForecast[]): TrackRecord[] {
  return [...groupBy(forecasts, ({ forecaster }) => forecaster)]
    .map(([forecaster, own]) => toRecord(forecaster, own))
    .sort((left, right) => (left.forecaster < right.forecaster ? -1 : 1));
}

/**
 * Compares two forecasters on the predictions that both forecast: the first forecaster's squared error minus
 * the second's, as a mean. Below 0, the first did better. Returns undefined if they have no prediction in
 * common.
 */
export function compareForecasters(
  forecasts: readonly ResolvedForecast[],
  [first, second]: readonly [string, string],
): PairedDifference | undefined {
  const others = errorsByPrediction(forecasts.filter(({ forecaster }) => forecaster === second));
  const errors = [
    ...errorsByPrediction(forecasts.filter(({ forecaster }) => forecaster === first)).values(),
  ].flatMap(({ decision, prediction, error }) => {
    const other = others.get(prediction);
    return other === undefined ? [] : [{ decision, difference: error - other.error }];
  });
  return errors.length === 0 ? undefined : pairedDifference(errors);
}

/** Returns the squared error of a forecast, from 0 (certain and right) to 1 (certain and wrong). */
function squaredError(probability: number, happened: boolean): number {
  return (probability - Number(happened)) ** 2;
}

function toRecord(forecaster: string, own: readonly ResolvedForecast[]): TrackRecord {
  const errors = [...errorsByPrediction(own).values()];
  return {
    forecaster,
    decisions: new Set(own.map(({ decision }) => decision)).size,
    predictions: errors.length,
    brier: computeAverage(
      own.map(({ probability, happened }) => squaredError(probability, happened)),
    ),
    parts: brierParts(own),
    panelBrier: computeAverage(errors.map(({ panelError }) => panelError)),
    difference: pairedDifference(
      errors.map(({ decision, error, panelError }) => ({
        decision,
        difference: error - panelError,
      })),
    ),
    calibration: calibrationBins(own),
  };
}

interface PredictionError {
  readonly decision: string;
  readonly prediction: string;
  /** The mean squared error of the forecasts of this prediction: several seats can have the same role. */
  readonly error: number;
  readonly panelError: number;
}

function errorsByPrediction(
  forecasts: readonly ResolvedForecast[],
): ReadonlyMap<string, PredictionError> {
  const errors = new Map<string, PredictionError>();
  for (const [prediction, own] of groupBy(forecasts, (forecast) => forecast.prediction)) {
    const [first] = own;
    if (first === undefined) continue;
    errors.set(prediction, {
      decision: first.decision,
      prediction,
      error: computeAverage(
        own.map(({ probability, happened }) => squaredError(probability, happened)),
      ),
      panelError: squaredError(first.panel, first.happened),
    });
  }
  return errors;
}

function brierParts(forecasts: readonly ResolvedForecast[]): BrierParts {
  const rate = computeAverage(forecasts.map(({ happened }) => Number(happened)));
  let reliability = 0;
  let resolution = 0;
  for (const [probability, own] of groupBy(forecasts, (forecast) => forecast.probability)) {
    const share = computeAverage(own.map(({ happened }) => Number(happened)));
    reliability += (own.length * (probability - share) ** 2) / forecasts.length;
    resolution += (own.length * (share - rate) ** 2) / forecasts.length;
  }
  return { reliability, resolution, uncertainty: rate * (1 - rate) };
}

function calibrationBins(forecasts: readonly ResolvedForecast[]): CalibrationBin[] {
  const bins = groupBy(forecasts, ({ probability }) =>
    Math.min(BINS - 1, Math.floor(probability * BINS)),
  );
  return [...bins]
    .sort(([left], [right]) => left - right)
    .map(([, own]) => ({
      said: computeAverage(own.map(({ probability }) => probability)),
      cameTrue: shareOf(own.filter(({ happened }) => happened).length, own.length),
    }));
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

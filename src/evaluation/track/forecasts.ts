/**
 * Scores of forecasters by what happened: a track record of models, roles or panels.
 *
 * The input is one row per forecast of a prediction that has been answered with yes or no. Predictions of
 * one decision are correlated, so that everything about uncertainty here (`paired.ts`) treats a decision,
 * not a prediction, as the independent unit.
 *
 * Pure: no clock, no store, and the same rows always give the same figures.
 */
import { type Share, shareOf } from '../statistics/exact.ts';
import { average } from '../statistics/mean.ts';
import { type PairedDifference, pairedDifference } from './paired.ts';

/** A forecast of a prediction whose outcome is known. */
export interface ResolvedForecast {
  /** Groups predictions that are not independent of each other, for example a run's id. */
  readonly decision: string;
  /** Unique among all decisions. */
  readonly prediction: string;
  /** Whose record the forecast counts for: a model, a lineage, a role, a preset. */
  readonly forecaster: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** What the whole panel said of the same prediction, from 0 to 1. */
  readonly panel: number;
  readonly happened: boolean;
}

/**
 * The Brier score in its three parts (Murphy 1973), grouped by the probabilities that were said:
 * `brier = reliability - resolution + uncertainty`.
 */
interface BrierParts {
  /** How far what was said is from how often it came true; 0 is perfectly calibrated. */
  readonly reliability: number;
  /** How far the groups' rates lie from the overall rate; more is better. */
  readonly resolution: number;
  /** What always saying the overall rate would score. */
  readonly uncertainty: number;
}

/** Forecasts that said about the same, and how often they came true. */
export interface CalibrationBin {
  /** The mean of the probabilities in this bin, from 0 to 1. */
  readonly said: number;
  /** How many came true, of how many, with an exact 95 % interval. */
  readonly cameTrue: Share;
}

export interface TrackRecord {
  readonly forecaster: string;
  readonly decisions: number;
  readonly predictions: number;
  /** Mean squared error, from 0 to 1. Lower is better; always saying 50 % gets 0.25. */
  readonly brier: number;
  readonly parts: BrierParts;
  /** The panel's Brier score on the same predictions. */
  readonly panelBrier: number;
  /** The forecaster's Brier score minus the panel's: below 0 the forecaster did better. */
  readonly difference: PairedDifference;
  /** In ascending order of what was said. Empty bins are left out. */
  readonly calibration: readonly CalibrationBin[];
}

/** Bins of a calibration table: fifths of the range, of which each has enough forecasts to say something. */
const BINS = 5;

/** Returns one record per forecaster, ordered by name: a track record does not rank. */
export function trackRecords(forecasts: readonly ResolvedForecast[]): TrackRecord[] {
  return [...groupBy(forecasts, ({ forecaster }) => forecaster)]
    .map(([forecaster, own]) => toRecord(forecaster, own))
    .sort((left, right) => (left.forecaster < right.forecaster ? -1 : 1));
}

/**
 * Compares two forecasters on the predictions that both forecast. Undefined where there are none.
 * The difference is the first one's Brier score minus the second one's.
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
    brier: average(own.map(({ probability, happened }) => squaredError(probability, happened))),
    parts: brierParts(own),
    panelBrier: average(errors.map(({ panelError }) => panelError)),
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
  /** The mean squared error of the forecaster's forecasts: a role may have been played twice. */
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
      error: average(own.map(({ probability, happened }) => squaredError(probability, happened))),
      panelError: squaredError(first.panel, first.happened),
    });
  }
  return errors;
}

function brierParts(forecasts: readonly ResolvedForecast[]): BrierParts {
  const rate = average(forecasts.map(({ happened }) => Number(happened)));
  let reliability = 0;
  let resolution = 0;
  for (const [probability, own] of groupBy(forecasts, (forecast) => forecast.probability)) {
    const share = average(own.map(({ happened }) => Number(happened)));
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
      said: average(own.map(({ probability }) => probability)),
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

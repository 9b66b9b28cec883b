/**
 * The outcomes of runs as plain data: predictions and claims with their outcomes, and the usage of seats.
 * `trackRows` groups these data into a record per model, lineage, role or protocol.
 */
import type { TrackGrouping } from '../../text/usage-table.ts';
import { adjustByHolm } from '../statistics/holm.ts';
import {
  compareForecasters,
  type ResolvedForecast,
  type TrackRecord,
  trackRecords,
} from './forecasts.ts';
import { MIN_DECISIONS, type PairedDifference } from './paired.ts';

interface TrackedForecast {
  readonly model: string;
  readonly lineage: string;
  /** The roles of the seats that the model played. */
  readonly roles: readonly string[];
  /** The forecast probability, from 0 to 1. */
  readonly probability: number;
}

/** A prediction that people have answered with yes or no. */
export interface TrackedPrediction {
  /** The prediction's id, unique in its run. */
  readonly id: string;
  /** The panel's probability, from 0 to 1. */
  readonly panel: number;
  /** Whether the prediction came true. */
  readonly happened: boolean;
  readonly forecasts: readonly TrackedForecast[];
}

/** A claim that a model raised, with how it was settled. */
export interface TrackedClaim {
  readonly text: string;
  readonly model: string;
  /** The family of the model. */
  readonly lineage: string;
  readonly role: string;
  /**
   * How the claim was settled by running a command, by reading a document, or by a person later.
   * Undefined if the claim is open, or was only argued about.
   */
  readonly outcome: 'confirmed' | 'refuted' | undefined;
}

interface TrackedUsage {
  readonly model: string;
  readonly lineage: string;
  readonly role: string;
  readonly tokens: number;
  readonly usd: number;
  readonly unpriced: number;
}

/** A run with at least one prediction that people have answered with yes or no. */
export interface TrackedRun {
  readonly id: string;
  readonly protocol: string;
  readonly predictions: readonly TrackedPrediction[];
  readonly claims: readonly TrackedClaim[];
  readonly usage: readonly TrackedUsage[];
}

/** The record of one model, model family, role or protocol: its forecasts, claims and cost. */
export interface TrackRow extends TrackRecord {
  /**
   * The numbers of claims that were raised, and that later turned out to be true (`confirmed`) or
   * false (`refuted`).
   */
  readonly claims: {
    readonly raised: number;
    readonly confirmed: number;
    readonly refuted: number;
    /** Confirmed claims that nobody else raised in the same words in the same run. */
    readonly foundAlone: number;
  };
  /**
   * `of`: the number of predictions that this forecaster put on one side of 50 % and all other
   * forecasters on the other side. `right`: on how many of these this forecaster was right. Both are 0
   * in the row of a protocol.
   */
  readonly alone: { readonly right: number; readonly of: number };
  readonly tokens: number;
  readonly usd: number;
  /** The number of calls without a known price; `usd` leaves them out. */
  readonly unpriced: number;
  /**
   * The cost in US dollars of all calls, divided by the number of confirmed claims that nobody else
   * raised. Undefined if there is no such claim, or if a price is unknown.
   */
  readonly usdPerFoundAlone: number | undefined;
}

/**
 * Returns whether a row has too few decisions with known outcomes to say whether its forecaster is better or
 * worse than the panel: fewer than `MIN_DECISIONS`.
 */
export function isTooFew({ difference }: TrackRow): boolean {
  return difference.decisions < MIN_DECISIONS;
}

/**
 * Returns a row for each model, model family, role or protocol that made a forecast. The order is by name,
 * not by score.
 */
export function trackRows(runs: readonly TrackedRun[], by: TrackGrouping): TrackRow[] {
  const records = trackRecords(runs.flatMap((run) => forecastsOf(run, by)));
  const alone = countAlone(runs, by);
  return records.map((record): TrackRow => {
    const { forecaster } = record;
    const claims = claimsOf(runs, by, forecaster);
    const taken = runs.flatMap(({ protocol, usage }) =>
      usage.filter((entry) => keyOf(by, entry, protocol) === forecaster),
    );
    const sumField = (field: 'tokens' | 'usd' | 'unpriced'): number =>
      taken.reduce((total, entry) => total + entry[field], 0);
    const [usd, unpriced] = [sumField('usd'), sumField('unpriced')];
    const isPriced = unpriced === 0 && taken.length > 0 && claims.foundAlone > 0;
    return {
      ...record,
      claims,
      alone: alone.get(forecaster) ?? { right: 0, of: 0 },
      tokens: sumField('tokens'),
      usd,
      unpriced,
      usdPerFoundAlone: isPriced ? usd / claims.foundAlone : undefined,
    };
  });
}

/** A comparison of two forecasters on the predictions that both forecast. */
export interface TrackPair {
  readonly first: string;
  readonly second: string;
  /**
   * The first forecaster's squared error minus the second's. Below 0, the first did better. The field
   * `verdict` (`better` or `worse`) is corrected for the number of pairs by Holm's method; the field `p` is
   * not.
   */
  readonly difference: PairedDifference;
}

/**
 * Compares each pair of forecasters that have a prediction in common, in the order of their names.
 */
export function trackPairs(runs: readonly TrackedRun[], by: TrackGrouping): TrackPair[] {
  const forecasts = runs.flatMap((run) => forecastsOf(run, by));
  const names = [...new Set(forecasts.map(({ forecaster }) => forecaster))].sort();
  const pairs = names.flatMap((first, at) =>
    names.slice(at + 1).flatMap((second) => {
      const difference = compareForecasters(forecasts, [first, second]);
      return difference === undefined ? [] : [{ first, second, difference }];
    }),
  );
  const adjusted = adjustByHolm(pairs.map(({ difference }) => difference.p));
  return pairs.map(({ first, second, difference }, at) => {
    const isClear = (adjusted[at] ?? 1) < 0.05 || difference.verdict === 'few';
    return {
      first,
      second,
      difference: isClear ? difference : { ...difference, verdict: 'unclear' },
    };
  });
}

/** Returns a run's forecasts by forecaster. By protocol, these are the probabilities of the panel. */
function forecastsOf(
  { id, protocol, predictions }: TrackedRun,
  by: TrackGrouping,
): ResolvedForecast[] {
  return predictions.flatMap((prediction) => {
    const { panel, happened } = prediction;
    const shared = { decision: id, prediction: `${id}/${prediction.id}`, panel, happened };
    if (by === 'protocol') return [{ ...shared, forecaster: protocol, probability: panel }];
    return prediction.forecasts.flatMap((forecast) =>
      keysOf(by, forecast).map((forecaster) => ({
        ...shared,
        forecaster,
        probability: forecast.probability,
      })),
    );
  });
}

function keysOf(
  by: Exclude<TrackGrouping, 'protocol'>,
  { model, lineage, roles }: TrackedForecast,
): readonly string[] {
  if (by === 'role') return [...new Set(roles)];
  return [by === 'model' ? model : lineage];
}

function keyOf(
  by: TrackGrouping,
  { model, lineage, role }: Pick<TrackedClaim, 'model' | 'lineage' | 'role'>,
  protocol: string,
): string {
  return { model, lineage, role, protocol }[by];
}

function claimsOf(
  runs: readonly TrackedRun[],
  by: TrackGrouping,
  forecaster: string,
): TrackRow['claims'] {
  const counts = { raised: 0, confirmed: 0, refuted: 0, foundAlone: 0 };
  for (const { protocol, claims } of runs) {
    const isOwn = (claim: TrackedClaim): boolean => keyOf(by, claim, protocol) === forecaster;
    const others = new Set(
      claims.filter((claim) => !isOwn(claim)).map(({ text }) => toWords(text)),
    );
    for (const claim of claims.filter(isOwn)) {
      counts.raised += 1;
      if (claim.outcome === 'refuted') counts.refuted += 1;
      if (claim.outcome !== 'confirmed') continue;
      counts.confirmed += 1;
      if (!others.has(toWords(claim.text))) counts.foundAlone += 1;
    }
  }
  return counts;
}

function toWords(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}

/** Counts, for each forecaster, the predictions for which it was the only one on its side of 50 %. */
function countAlone(
  runs: readonly TrackedRun[],
  by: TrackGrouping,
): ReadonlyMap<string, TrackRow['alone']> {
  const counts = new Map<string, { right: number; of: number }>();
  if (by === 'protocol') return counts;
  for (const { forecasts, happened } of runs.flatMap(({ predictions }) => predictions)) {
    const sides = sidesOf(forecasts, by);
    for (const [forecaster, side] of sides) {
      if (side === 0 || sides.size < 2) continue;
      const isAlone = [...sides].every(([other, its]) => other === forecaster || its === -side);
      if (!isAlone) continue;
      const count = counts.get(forecaster) ?? { right: 0, of: 0 };
      count.of += 1;
      if (side > 0 === happened) count.right += 1;
      counts.set(forecaster, count);
    }
  }
  return counts;
}

/** Returns each forecaster's side of 50 %: 1 above, -1 below, 0 for forecasts at 50 % or on both sides. */
function sidesOf(
  forecasts: readonly TrackedForecast[],
  by: Exclude<TrackGrouping, 'protocol'>,
): ReadonlyMap<string, number> {
  const sides = new Map<string, number>();
  for (const forecast of forecasts)
    for (const key of keysOf(by, forecast)) {
      const side = Math.sign(forecast.probability - 0.5);
      sides.set(key, (sides.get(key) ?? side) === side ? side : 0);
    }
  return sides;
}

/**
 * Combines several seats' estimates of a quantity, each given as its 5 %, 50 % and 95 % quantiles. Two results
 * are kept apart: the range of the seats' medians (the range of estimates), and the mixture of the seats'
 * distributions with equal weights, which is wider.
 */

import { compareText, computeMedian, computeQuantile, indexBySeat } from '../order.ts';
import { type Camps, findCamps, findOutlier } from './camps.ts';
import { computeMixtureQuantiles } from './mixture.ts';
import { convertUnit, type ReadValue } from './units.ts';

/**
 * What is estimated: its kind, its unit and its scale. Seats agree on the measure before they
 * estimate.
 */
export interface Measure {
  readonly kind: 'quantity' | 'count' | 'probability';
  /** The unit of the values, such as `weeks`. For a probability: `share`, `%` or another unit of shares. */
  readonly unit: string;
  /**
   * The scale on which values are compared. On a logarithmic scale, 10 is halfway between 1 and
   * 100, and all values must be positive.
   */
  readonly scale: Scale;
}

/** A linear or logarithmic scale. */
export type Scale = 'linear' | 'log';

/** The 5 %, 50 % and 95 % quantiles of an estimate, in the agreed unit and in ascending order. */
export interface Triple {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

/** A seat's estimate, checked and converted to the agreed unit. */
export interface Estimate extends Triple {
  readonly seat: string;
}

/** The largest accepted value; its sums and squares stay finite. */
const MOST = 1e30;
/**
 * The number of seats from which the range is given by quartiles. For fewer seats, the range goes
 * from the lowest to the highest (docs/methods.md).
 */
const QUARTILES_FROM = 5;
/** A spread that changes by less than this share has settled (docs/methods.md). */
const SETTLED = 0.1;
/** The most rounds of estimates. The first round counts, although no seat sees another's answer in it. */
export const MOST_ROUNDS = 3;

/**
 * Checks a seat's estimate and converts it to the agreed unit.
 *
 * @param answer the three quantiles, and the unit that the seat used; no unit: the agreed one
 * @returns the quantiles in the agreed unit, or the reason why the seat has to be asked again
 */
export function readTriple(
  answer: Triple & { readonly unit?: string | undefined },
  { kind, unit, scale }: Measure,
): ReadValue<Triple> {
  const read: number[] = [];
  for (const value of [answer.p5, answer.p50, answer.p95]) {
    const converted = convertUnit(value, answer.unit ?? unit, unit);
    if (!converted.ok) return converted;
    read.push(converted.value);
  }
  const [p5 = Number.NaN, p50 = Number.NaN, p95 = Number.NaN] = read;
  if (!(p5 <= p50 && p50 <= p95))
    return refuseTriple('Out of order: p5 is the lowest of the three, p95 the highest.');
  if (Math.max(-p5, p95) > MOST) return refuseTriple(`No value may be larger than ${MOST}.`);
  if (scale === 'log' && p5 <= 0)
    return refuseTriple('The scale is logarithmic: all three have to be greater than 0.');
  if (kind === 'count' && p5 < 0) return refuseTriple('A count cannot be negative.');
  if (kind === 'probability') {
    const whole = convertUnit(1, 'share', unit);
    if (!whole.ok) return whole;
    if (p5 < 0 || p95 > whole.value)
      return refuseTriple(`A probability lies between 0 and ${whole.value}.`);
  }
  return { ok: true, value: { p5, p50, p95 } };
}

/** The estimates of several seats, combined. */
export interface Estimates {
  /** How many seats gave an estimate. */
  readonly heard: number;
  /**
   * The median of the seats' medians. For an even number of seats on a logarithmic scale, the
   * geometric mean of the middle two.
   */
  readonly median: number;
  /**
   * The range of the seats' medians: the quartiles if there are at least five seats, otherwise the
   * lowest and the highest value.
   */
  readonly range: { readonly low: number; readonly high: number; readonly quartiles: boolean };
  /** Quantiles of the mixture of the seats' distributions. */
  readonly mixture: Triple;
  /**
   * The width of `range`: the difference of its ends or, on a logarithmic scale, the natural
   * logarithm of their ratio.
   */
  readonly spread: number;
  /**
   * The two camps that the seats form, if any. While there are camps, no single number should be reported.
   */
  readonly camps: Camps | undefined;
  /**
   * The id of the seat whose estimate is far from all other estimates; undefined if there is none, or if
   * there are camps.
   */
  readonly outlier: string | undefined;
}

/**
 * Combines the seats' estimates. Estimates that are not finite or not in ascending order are ignored, and so
 * is a seat with two different estimates. Returns undefined if no estimate is left.
 *
 * @param scale the scale on which medians and ranges are computed
 */
export function poolEstimates(estimates: readonly Estimate[], scale: Scale): Estimates | undefined {
  const heard = heardFrom(estimates);
  const on = heard.map((estimate) => ({
    seat: estimate.seat,
    p5: toScale(estimate.p5, scale),
    p50: toScale(estimate.p50, scale),
    p95: toScale(estimate.p95, scale),
  }));
  const middles = on.map(({ p50 }) => p50);
  const quartiles = on.length >= QUARTILES_FROM;
  const middle = computeMedian(middles);
  const low = computeQuantile(middles, quartiles ? 0.25 : 0);
  const high = computeQuantile(middles, quartiles ? 0.75 : 1);
  const mixture = computeMixtureQuantiles(on, [0.05, 0.5, 0.95]);
  if (middle === undefined || low === undefined || high === undefined || mixture === undefined)
    return undefined;
  const [p5 = middle, p50 = middle, p95 = middle] = mixture;
  const toUnits = (value: number): number => fromScale(value, scale);
  const camps = findCamps(on);
  return {
    heard: on.length,
    median: toUnits(middle),
    range: { low: toUnits(low), high: toUnits(high), quartiles },
    mixture: { p5: toUnits(p5), p50: toUnits(p50), p95: toUnits(p95) },
    spread: high - low,
    camps,
    outlier: camps === undefined ? findOutlier(on) : undefined,
  };
}

/** How the estimates changed between two rounds, computed from the seats that answered in both. */
export interface RoundComparison {
  /** The earlier round, of the seats that answered in both rounds. */
  readonly before: Estimates;
  /** The later round, of the seats that answered in both rounds. */
  readonly after: Estimates;
  /** Ids of the seats that answered only in the earlier round. */
  readonly absent: readonly string[];
  /** Ids of the seats that answered only in the later round; their estimates are left out. */
  readonly ignored: readonly string[];
  /**
   * The relative change of the spread: 0.5 if it grew by half. Undefined if the spread was 0 before
   * and is not 0 after.
   */
  readonly change: number | undefined;
}

/** Compares two rounds of estimates. Returns undefined if no seat answered in both. */
export function compareRounds(
  before: readonly Estimate[],
  after: readonly Estimate[],
  scale: Scale,
): RoundComparison | undefined {
  const [first, last] = [heardFrom(before), heardFrom(after)];
  const [were, are] = [first.map(({ seat }) => seat), last.map(({ seat }) => seat)];
  const was = poolEstimates(
    first.filter(({ seat }) => are.includes(seat)),
    scale,
  );
  const is = poolEstimates(
    last.filter(({ seat }) => were.includes(seat)),
    scale,
  );
  if (was === undefined || is === undefined) return undefined;
  return {
    before: was,
    after: is,
    absent: were.filter((seat) => !are.includes(seat)),
    ignored: are.filter((seat) => !were.includes(seat)),
    change: findChange(was.spread, is.spread),
  };
}

function findChange(was: number, is: number): number | undefined {
  if (is === was) return 0;
  return was === 0 ? undefined : (is - was) / was;
}

/**
 * Returns why no further round of estimates is needed, or undefined if another round is worthwhile.
 * `agreed`: the spread is 0. `settled`: the spread changed by less than a tenth since the round before.
 * `last round`: `MOST_ROUNDS` rounds were held.
 * @param round the number of the round that has just ended, from 1
 * @param spread the width of the range of the seats' medians in this round
 * @param change the relative change of the spread since the round before; undefined if unknown
 */
export function findStop(
  round: number,
  spread: number,
  change: number | undefined,
): 'agreed' | 'settled' | 'last round' | undefined {
  if (spread === 0) return 'agreed';
  if (change !== undefined && Math.abs(change) < SETTLED) return 'settled';
  return round >= MOST_ROUNDS ? 'last round' : undefined;
}

/**
 * Returns one valid estimate for each seat. Estimates that are not finite or not in order are
 * dropped.
 */
function heardFrom(estimates: readonly Estimate[]): Estimate[] {
  const sound = estimates.filter(
    ({ p5, p50, p95 }) => p5 <= p50 && p50 <= p95 && Number.isFinite(p5) && Number.isFinite(p95),
  );
  const kept = indexBySeat(
    sound,
    ({ seat }) => seat,
    (estimate, other) =>
      estimate.p5 === other.p5 && estimate.p50 === other.p50 && estimate.p95 === other.p95,
  );
  return [...kept.values()].sort((left, right) => compareText(left.seat, right.seat));
}

function toScale(value: number, scale: Scale): number {
  return scale === 'log' ? Math.log(value) : value;
}

/** Rounds to 12 digits, so that 10 does not become 10.000000000000002 through logarithms. */
function fromScale(value: number, scale: Scale): number {
  return scale === 'log' ? Number(Math.exp(value).toPrecision(12)) : value;
}

function refuseTriple(why: string): ReadValue<Triple> {
  return { ok: false, why };
}

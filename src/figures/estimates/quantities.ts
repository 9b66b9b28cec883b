/**
 * What several seats take an unknown quantity for, each as the values that it expects to be exceeded
 * with 95, 50 and 5 chances in 100. Two things are told of them and never mixed: where the seats' own
 * middles lie (the range of estimates), and what follows if each seat's whole distribution is believed
 * as much as every other's (the seats' mixture), which is wider.
 */

import { bySeat, compareText, median, quantile } from '../order.ts';
import { type Camps, findCamps, findOutlier } from './camps.ts';
import { mixQuantiles } from './mixture.ts';
import { convertUnit, type Read } from './units.ts';

/** What was agreed before anybody estimated. */
export interface Measure {
  readonly kind: 'quantity' | 'count' | 'probability';
  /** `share` for a probability. */
  readonly unit: string;
  /** On a logarithmic scale 10 lies halfway between 1 and 100; it knows nothing of 0 and below. */
  readonly scale: Scale;
}

export type Scale = 'linear' | 'log';

/** In the agreed unit, in this order. */
export interface Triple {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

export interface Estimate extends Triple {
  readonly seat: string;
}

/** Beyond any quantity that people estimate, while sums and squares of it stay finite. */
const MOST = 1e30;
/** From this many seats on quartiles say more than the two seats at the ends (methods.md). */
const QUARTILES_FROM = 5;
/** A spread that changed by less than this share has settled (methods.md). */
const SETTLED = 0.1;
/** Rounds of estimates, the blind one included (methods.md). */
export const MOST_ROUNDS = 3;

/** An answer as an estimate, or why the seat has to be asked again. `unit`: where it named its own. */
export function readTriple(
  answer: Triple & { readonly unit?: string | undefined },
  { kind, unit, scale }: Measure,
): Read<Triple> {
  const read: number[] = [];
  for (const value of [answer.p5, answer.p50, answer.p95]) {
    const converted = convertUnit(value, answer.unit ?? unit, unit);
    if (!converted.ok) return converted;
    read.push(converted.value);
  }
  const [p5 = Number.NaN, p50 = Number.NaN, p95 = Number.NaN] = read;
  if (!(p5 <= p50 && p50 <= p95))
    return refuse('Out of order: p5 is the lowest of the three, p95 the highest.');
  if (Math.max(-p5, p95) > MOST) return refuse(`No value may be larger than ${MOST}.`);
  if (scale === 'log' && p5 <= 0)
    return refuse('The scale is logarithmic: all three have to be greater than 0.');
  if (kind === 'count' && p5 < 0) return refuse('A count cannot be negative.');
  if (kind === 'probability') {
    const whole = convertUnit(1, 'share', unit);
    if (!whole.ok) return whole;
    if (p5 < 0 || p95 > whole.value)
      return refuse(`A probability lies between 0 and ${whole.value}.`);
  }
  return { ok: true, value: { p5, p50, p95 } };
}

export interface Estimates {
  /** Seats heard. */
  readonly heard: number;
  /** Of the seats' p50; on a logarithmic scale the geometric middle of two. */
  readonly median: number;
  /** Of the seats' p50: quartiles from five seats on, else the lowest and the highest. */
  readonly range: { readonly low: number; readonly high: number; readonly quartiles: boolean };
  /** Of the seats' distributions, each believed alike. */
  readonly mixture: Triple;
  /** Width of `range`: a difference, on a logarithmic scale a natural logarithm of the ratio. */
  readonly spread: number;
  /** Where there are two, no single number leads. */
  readonly camps: Camps | undefined;
  readonly outlier: string | undefined;
}

/** Undefined where nobody was heard. Estimates are those that `readTriple` let through. */
export function poolEstimates(estimates: readonly Estimate[], scale: Scale): Estimates | undefined {
  const heard = heardFrom(estimates);
  const on = heard.map((one) => ({
    seat: one.seat,
    p5: toScale(one.p5, scale),
    p50: toScale(one.p50, scale),
    p95: toScale(one.p95, scale),
  }));
  const middles = on.map(({ p50 }) => p50);
  const quartiles = on.length >= QUARTILES_FROM;
  const middle = median(middles);
  const low = quantile(middles, quartiles ? 0.25 : 0);
  const high = quantile(middles, quartiles ? 0.75 : 1);
  const mixture = mixQuantiles(on, [0.05, 0.5, 0.95]);
  if (middle === undefined || low === undefined || high === undefined || mixture === undefined)
    return undefined;
  const [p5 = middle, p50 = middle, p95 = middle] = mixture;
  const back = (value: number): number => fromScale(value, scale);
  const camps = findCamps(on);
  return {
    heard: on.length,
    median: back(middle),
    range: { low: back(low), high: back(high), quartiles },
    mixture: { p5: back(p5), p50: back(p50), p95: back(p95) },
    spread: high - low,
    camps,
    outlier: camps === undefined ? findOutlier(on) : undefined,
  };
}

export interface RoundComparison {
  /** Both over the same seats: whoever falls silent moves nothing by that. */
  readonly before: Estimates;
  readonly after: Estimates;
  /** Heard before only. */
  readonly absent: readonly string[];
  /** Heard after only: nothing of theirs counts. */
  readonly ignored: readonly string[];
  /** Of the spread, as a share of what it was; undefined where it was 0 and is not. */
  readonly change: number | undefined;
}

/** Two rounds, over the seats heard in both. Undefined where there are none. */
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
 * Why no further round is worth asking; undefined where one is. `round`: the one just heard, from 1.
 * A spread that grows goes on, and so does one that shrinks: only one that stays has settled.
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

/** By seat, each once. What is not finite, or out of order, is nobody's estimate. */
function heardFrom(estimates: readonly Estimate[]): Estimate[] {
  const sound = estimates.filter(
    ({ p5, p50, p95 }) => p5 <= p50 && p50 <= p95 && Number.isFinite(p5) && Number.isFinite(p95),
  );
  const kept = bySeat(
    sound,
    ({ seat }) => seat,
    (one, other) => one.p5 === other.p5 && one.p50 === other.p50 && one.p95 === other.p95,
  );
  return [...kept.values()].sort((left, right) => compareText(left.seat, right.seat));
}

function toScale(value: number, scale: Scale): number {
  return scale === 'log' ? Math.log(value) : value;
}

/** Rounded to 12 digits after a logarithm, so that what went in as 10 does not come out as 10.000000000000002. */
function fromScale(value: number, scale: Scale): number {
  return scale === 'log' ? Number(Math.exp(value).toPrecision(12)) : value;
}

function refuse(why: string): Read<Triple> {
  return { ok: false, why };
}

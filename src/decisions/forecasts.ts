/** Parses the probabilities that models give, and computes the panel's probability from them. */
import { getModelFamily } from '../protocols/common/voting/lineage.ts';

/** The lowest and the highest forecast in percent: nothing is forecast as certain. */
const LEAST_PERCENT = 1;
const MOST_PERCENT = 99;

/** A probability in percent, or the reason why an answer contains none. */
type PercentReading = { readonly percent: number } | { readonly why: string };

const NUMBER = /^(?:about |around |~ ?)?(\d{1,4}(?:\.\d+)?) ?(?:%|percent|per cent)?$/i;

/**
 * Parses a probability in percent: `70`, `70.5`, `"70 %"`. Refused are words, several numbers, and
 * values outside of 1 to 99. A fraction such as `0.7` is refused too, since it may mean 70 % or
 * less than 1 %.
 */
export function readPercent(given: unknown): PercentReading {
  if (given === undefined || given === null || given === '')
    return { why: 'it gave no probability' };
  const read = typeof given === 'number' ? given : NaN;
  const value =
    typeof given === 'string' ? Number(NUMBER.exec(given.trim())?.[1] ?? Number.NaN) : read;
  if (!Number.isFinite(value)) return { why: 'its probability is not a number' };
  if (value < LEAST_PERCENT || value > MOST_PERCENT)
    return {
      why: `its probability of ${value} % is not between ${LEAST_PERCENT} and ${MOST_PERCENT} %`,
    };
  return { percent: Math.round(value * 10) / 10 };
}

interface Voice {
  readonly model: string;
  /** The probability in percent, from 1 to 99. */
  readonly percent: number;
}

interface Pooled {
  /** The probability in percent, rounded to one decimal. */
  readonly percent: number;
  /** How many lineages the mean covers. */
  readonly voices: number;
}

/**
 * Combines forecasts into the panel's probability, by the mean of their log odds. Models of one
 * family (see `getModelFamily`) count once, with their mean. Returns undefined if there are no forecasts.
 */
export function poolForecasts(forecasts: readonly Voice[]): Pooled | undefined {
  const lineages = new Map<string, number[]>();
  for (const { model, percent } of forecasts) {
    const lineage = getModelFamily(model);
    lineages.set(lineage, [...(lineages.get(lineage) ?? []), logOdds(percent / 100)]);
  }
  if (lineages.size === 0) return undefined;
  const pooled = computeMean([...lineages.values()].map(computeMean));
  return { percent: Math.round(1000 / (1 + Math.exp(-pooled))) / 10, voices: lineages.size };
}

/** Returns the natural logarithm of the odds of a probability between 0 and 1. */
function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

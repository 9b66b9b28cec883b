/** Formats the figures of an evaluation for people. */
import { formatCount } from '../../text/numbers.ts';
import { CONFIDENCE, type Share, upperBound } from '../statistics/exact.ts';
import type { Difference, Mean } from '../statistics/mean.ts';
import { type Kind, MIN_UNITS_FOR_VERDICT } from '../statistics/verdict.ts';

/** Formats a share in hundredths: `4.2` for 0.042. */
export function formatHundredths(value: number): string {
  // Adding 0 turns -0 into 0, so that no minus sign is printed.
  return (Math.round(value * 1_000) / 10 + 0).toFixed(1);
}

/** Formats a share in percent: `4.2 %` for 0.042. */
export function formatPercent(value: number): string {
  return `${formatHundredths(value)} %`;
}

/** Formats a difference in hundredths with its sign: `+1.2` for 0.012. */
export function formatSigned(value: number): string {
  const figure = formatHundredths(value);
  return value > 0 && figure !== '0.0' ? `+${figure}` : figure;
}

/** Formats the interval of a mean: `-0.8 to +3.2`; `unknown` if there are no units. */
export function formatInterval({ low, high }: Mean): string {
  return Number.isFinite(low) && Number.isFinite(high)
    ? `${formatSigned(low)} to ${formatSigned(high)}`
    : 'unknown';
}

/** Formats a difference in points: `+1.2 points, 95 % interval -0.8 to +3.2, p = 0.24`. */
export function formatPoints(difference: Difference, p: number = difference.p): string {
  return `${formatSigned(difference.mean)} points, 95 % interval ${formatInterval(difference)}, p ${formatChance(p)}`;
}

/** Formats a p-value with its relation: `= 0.24`, `< 0.001`. */
function formatChance(p: number): string {
  return p < 0.001 ? '< 0.001' : `= ${p < 0.1 ? p.toFixed(3) : p.toFixed(2)}`;
}

/** Formats a p-value for a column: `0.24`, `< 0.001`. */
export function formatPValue(p: number): string {
  return formatChance(p).replace('= ', '');
}

/**
 * Formats a count out of a total: `14 of 480 (2.9 %, 95 % interval 1.6 to 4.9 %)`. If the count is 0
 * or the total, only one bound is given. If `hasInterval` is false, no interval is given.
 */
export function formatShare(of: Share, hasInterval = true): string {
  const counted = `${of.count} of ${of.of}`;
  if (of.of === 0) return 'none to count';
  if (!hasInterval) return `${counted} (${formatPercent(of.count / of.of)})`;
  if (of.count === 0) return `${counted} (at most ${formatPercent(upperBound(0, of.of))})`;
  if (of.count === of.of) return `${counted} (at least ${formatPercent(1 - upperBound(0, of.of))})`;
  return `${counted} (${formatPercent(of.count / of.of)}, ${CONFIDENCE * 100} % interval ${formatHundredths(of.low)} to ${formatPercent(of.high)})`;
}

/** Formats a ratio: `0.97 times`; `-` if unknown. */
export function formatFactor(ratio: number | undefined): string {
  return ratio === undefined ? '-' : `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)} times`;
}

/** The words for what the cost is measured in. */
export const CURRENCIES = { usd: 'dollars', tokens: 'tokens' } as const;

const KINDS: Readonly<Record<Kind, string>> = {
  gain: 'a gain',
  loss: 'a loss',
  within: 'no difference beyond ±2 points',
  unknown: 'cannot tell',
  rehearsal: 'a rehearsal, no verdict',
  small: 'too small for a verdict',
  unfinished: 'unfinished, no verdict',
};

/**
 * Formats a verdict: `a gain, but at 3.2 times the dollars`. `ratio` is the cost of the arm divided
 * by the cost of the arm that it is compared with.
 */
export function formatVerdict(
  { kind, isDearer }: { readonly kind: Kind; readonly isDearer: boolean },
  ratio: number | undefined,
  currency: keyof typeof CURRENCIES,
): string {
  const words = KINDS[kind];
  return kind === 'gain' && isDearer
    ? `${words}, but at ${formatFactor(ratio)} the ${CURRENCIES[currency]}`
    : words;
}

/**
 * Explains the verdict on a comparison: why it is not stronger or, for a gain or a loss, what it rests on.
 * @param planned the number of units in the plan
 * @param noun what a unit is called
 */
export function explainVerdict(
  kind: Kind,
  figures: {
    readonly difference: Difference;
    readonly asked: number;
    readonly left: number;
    readonly changesIn?: string | undefined;
  },
  planned: number,
  noun: string,
): string {
  const { difference, asked, left, changesIn } = figures;
  if (changesIn !== undefined)
    return `The result holds as scored, but not ${changesIn}. A verdict must hold either way.`;
  switch (kind) {
    case 'rehearsal':
      return 'The stand-in answered, so these figures say nothing about any model.';
    case 'small':
      return `A verdict takes at least ${MIN_UNITS_FOR_VERDICT} ${noun}s; there are ${difference.units}.`;
    case 'unfinished':
      return `${asked < planned ? `${asked} of ${planned} ${noun}s are in` : `All ${planned} ${noun}s are in, but not ${formatCount(left, 'repetition')} of them`}. The number was fixed at the start; there is no verdict until all are in.`;
    case 'unknown':
      return `Anything from ${formatInterval(difference)} points fits these answers${difference.low > 0 || difference.high < 0 ? ', and the test does not rule out chance' : ''}.`;
    case 'within':
      return 'The whole interval lies within ±2 points. That is not the same as no difference.';
    case 'gain':
    case 'loss':
      return 'The interval excludes 0, even without unreadable answers or with missing ones counted as wrong.';
  }
}

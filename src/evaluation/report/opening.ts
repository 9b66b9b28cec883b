/**
 * The opening of a report: what cannot be concluded comes first. The order is fixed, so that no evaluation
 * leads with its favourable part.
 */

import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { withoutFalse } from '../../text/without-undefined.ts';
import type { Header } from '../header.ts';
import type { Analysis, ContrastFigures, Currency } from '../statistics/analysis.ts';
import type { Kind } from '../statistics/verdict.ts';
import {
  CURRENCIES,
  explainVerdict,
  formatFactor,
  formatHundredths,
  formatPercent,
  formatPoints,
  formatShare,
  formatVerdict,
} from './words.ts';

/** The kinds of verdicts that conclude something. */
const VERDICTS: readonly Kind[] = ['gain', 'loss', 'within'];

interface Opening {
  readonly title: string;
  /** A sentence on whether the verdict depends on the currency. */
  readonly first: string;
  /** Why there is no verdict, or what it is based on; one sentence each. */
  readonly why: readonly string[];
  readonly lines: readonly string[];
  readonly hasVerdict: boolean;
}

/** Returns the beginning of a report: its title, the verdict and the figures behind it. */
export function openingOf(header: Header, analysis: Analysis): Opening {
  const contrasts = contrastsOf(analysis);
  const [main] = contrasts;
  const noun = getUnitNoun(analysis);
  const against =
    main === undefined
      ? 'no comparison'
      : `${main.arm} against ${main.against}: ${analysis.changesWithCurrency ? 'it depends on the currency' : describeVerdict(main)}`;
  return {
    title: toLine(`${header.set}, ${against}`),
    first: firstLine(analysis, contrasts),
    why: [
      ...new Set(
        contrasts.map((contrast) =>
          explainVerdict(
            contrast.verdict.kind,
            { ...contrast, ...contrast.verdict },
            header.units,
            noun,
          ),
        ),
      ),
    ],
    lines: [
      `Asked: ${describeQuestions(header, analysis)}`,
      'This applies only to these models on this set.',
      describeSmallestVisible(analysis, main),
      ...contrasts.map(contrastLine),
      ...describeLosses(analysis, main),
      ...contrasts.map((contrast) => priceLine(contrast, header)),
      describeUnreadable(analysis),
      header.isOurs
        ? 'Puzzles and planted flaws are not decisions, and the makers of this tool made this set.'
        : 'The set says which answers are right; nothing here has checked them.',
    ],
    hasVerdict: contrasts.some(({ verdict: { kind } }) => VERDICTS.includes(kind)),
  };
}

/**
 * Returns the figures of the main comparison by dollars and by tokens; only the figures by dollars
 * if the panel is compared with the same vote in both.
 */
function contrastsOf({ primary: { usd, tokens } }: Analysis): ContrastFigures[] {
  if (usd !== undefined && tokens !== undefined)
    return usd.against === tokens.against ? [usd] : [usd, tokens];
  return [usd ?? tokens ?? []].flat();
}

function firstLine(
  { primary, changesWithCurrency }: Analysis,
  contrasts: readonly ContrastFigures[],
): string {
  const { usd, tokens } = primary;
  const [only] = contrasts;
  if (only === undefined) return 'No verdict: no panel is compared with a vote.';
  const formatByCurrency = (contrast: ContrastFigures): string =>
    `By ${CURRENCIES[contrast.currency]}: ${describeVerdict(contrast)}.`;
  if (usd === undefined || tokens === undefined)
    return usd === undefined
      ? `${formatByCurrency(only)} Not every call has a price, so dollars are not compared.`
      : `${formatByCurrency(only)} No vote was matched by tokens.`;
  return changesWithCurrency
    ? `The verdict changes with the currency. ${formatByCurrency(usd)} ${formatByCurrency(tokens)}`
    : `By dollars and by tokens: ${describeVerdict(usd)}.`;
}

function describeVerdict({ verdict, ratios, currency }: ContrastFigures): string {
  return formatVerdict(verdict, ratios[currency], currency);
}

function describeQuestions(header: Header, analysis: Analysis): string {
  const { units, items, seeds, repeats, hasVariants, arms } = analysis;
  const noun = getUnitNoun(analysis);
  const models = [...new Set(arms.flatMap((arm) => arm.models))].sort().map(toLine);
  const repeated =
    repeats.units === 0
      ? 'once'
      : repeats.units === units
        ? `up to ${seeds} times`
        : `once, ${repeats.units} of them up to ${seeds} times`;
  const dates = [header.startedAt, header.endedAt ?? header.startedAt].map((at) => at.slice(0, 10));
  return [
    toLine(header.set) + (header.about === undefined ? '' : ` (${toLine(header.about)})`),
    `${units} of ${formatCount(header.units, noun)}${hasVariants ? ` in ${items} variants` : ''}, ${repeated}`,
    models.length === 0 ? 'no model has answered' : models.join(', '),
    [...new Set(dates)].join(' to '),
  ].join('; ');
}

function describeSmallestVisible(
  { smallestVisible }: Analysis,
  main: ContrastFigures | undefined,
): string {
  if (main === undefined || main.difference.units === 0)
    return 'No item was answered by two arms, so no difference can be detected.';
  return `This is too small to detect differences below ${formatHundredths(smallestVisible)} points; one of that size is detected four times out of five.`;
}

function contrastLine(contrast: ContrastFigures): string {
  const { better, worse, units } = contrast.difference;
  return `${toLine(contrast.arm)} minus ${toLine(contrast.against)}: ${formatPoints(contrast.difference)}; better on ${better} of ${units}, worse on ${worse}.`;
}

function describeLosses(analysis: Analysis, main: ContrastFigures | undefined): string[] {
  if (main === undefined) return [];
  const flips = analysis.arms.find(({ name }) => name === main.arm)?.flips;
  const [worst] = main.units.kinds;
  const beaten = analysis.others.filter(({ verdict }) => verdict.kind === 'loss');
  const parts = withoutFalse([
    `Where ${toLine(main.arm)} loses: ${formatCount(main.units.lost.length, getUnitNoun(analysis))} to ${toLine(main.against)}`,
    worst !== undefined &&
      worst.worse !== 0 &&
      `most in ${toLine(worst.kind)}, with ${worst.worse} lost and ${worst.better} won`,
    flips !== undefined &&
      (flips.spoiled.of === 0
        ? 'its seats cast no right vote that arguing could spoil'
        : `by arguing it spoiled ${formatShare(flips.spoiled, flips.isByItem)} of its seats' right votes`),
    ...beaten.map(({ arm, against }) => `${toLine(arm)} loses to ${toLine(against)}`),
  ]);
  return [`${parts.join('; ')}.`];
}

function priceLine({ arm, against, ratios, currency }: ContrastFigures, header: Header): string {
  const parts = (['usd', 'tokens'] as const satisfies readonly Currency[]).flatMap((currency) =>
    ratios[currency] === undefined
      ? []
      : [`${formatFactor(ratios[currency])} the ${CURRENCIES[currency]}`],
  );
  const source =
    currency === 'usd' && header.prices !== undefined
      ? ` List prices are from ${toLine(header.prices)}, without discount; repairs and failed calls are included.`
      : '';
  return `Price: ${toLine(arm)} took ${parts.length === 0 ? 'nothing that can be compared' : parts.join(' and ')} of ${toLine(against)}.${source}`;
}

function describeUnreadable({ arms }: Analysis): string {
  const list = arms.map(
    ({ name, unreadable, missing, asked: all }) =>
      `${toLine(name)} ${unreadable} and ${missing} of ${all}${all === 0 ? '' : ` (${formatPercent((unreadable + missing) / all)})`}`,
  );
  return `Unreadable answers (counted as wrong) and missing ones (left out): ${list.join('; ')}.`;
}

/** Returns what the report calls a statistical unit: an item or a memo. */
export function getUnitNoun({ hasVariants }: Analysis): string {
  return hasVariants ? 'memo' : 'item';
}

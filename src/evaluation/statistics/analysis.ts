/**
 * Computes all figures of an evaluation from its header and outcomes alone; equal input gives equal
 * figures.
 */
import type { Contrast, Header } from '../header.ts';
import type { Outcome } from '../outcome.ts';
import {
  type AnswersByArm,
  AS_SCORED,
  countRepeats,
  countTurnsOfBoth,
  countUnitsAskedOfBoth,
  differencesOf,
  gatherCells,
  READINGS,
  type Repeats,
  type Units,
  unitsOf,
  valuesOf,
} from './cells.ts';
import { exactInterval } from './exact.ts';
import { type Calibration, calibrationOf, compareWithVote, type Flips } from './flips.ts';
import { adjustByHolm } from './holm.ts';
import { computeAverage, type Difference, differenceOf, type Mean, meanOf } from './mean.ts';
import { findSmallestVisibleDifference } from './power.ts';
import { refuseChangedModels } from './served.ts';
import { decideVerdict, type Verdict } from './verdict.ts';

/** What the cost of an arm is measured in. */
export type Currency = 'usd' | 'tokens';

/** The figures of one way of asking (arm). */
export interface ArmFigures {
  readonly name: string;
  /** The share of right answers; for memos the balanced score of `scoreOf`. */
  readonly score: Mean;
  /**
   * Whether the score's interval was computed exactly, which is possible if each unit is simply right
   * or wrong. Otherwise the interval comes from resampling.
   */
  readonly isExact: boolean;
  /** How often the arm was asked an item, in all repetitions, whether or not an answer came. */
  readonly asked: number;
  /** The number of answers in the wrong form. */
  readonly unreadable: number;
  /** The number of missing answers. */
  readonly missing: number;
  /** The number of answers that had to be asked for again in the right form. */
  readonly repaired: number;
  /** The cost in US dollars; null if the price of any call is unknown. */
  readonly usd: number | null;
  readonly tokens: number;
  readonly models: readonly string[];
  /** How well the stated confidence matches the results; undefined if none was stated. */
  readonly calibration: Calibration | undefined;
  /** How the panel's answers differ from the votes of its seats; undefined for other arms or without readable votes. */
  readonly flips: Flips | undefined;
}

/** The figures of one comparison of two ways of asking (arms). */
export interface ContrastFigures {
  readonly arm: string;
  /** The name of the other arm. */
  readonly against: string;
  /** What the cost is measured in. */
  readonly currency: Currency;
  /** The difference of the scores, where answers count as in `AS_SCORED`. */
  readonly difference: Difference;
  /** The difference for each way of counting unreadable and missing answers. */
  readonly readings: readonly { readonly name: string; readonly difference: Difference }[];
  /** The number of units that both arms were asked in the same repetition. */
  readonly asked: number;
  /** The number of planned turns that at least one of the arms was not asked. A turn is one unit in one repetition. */
  readonly left: number;
  /**
   * The cost of the arm divided by the cost of the other arm, for the units and repetitions that both
   * were asked; undefined if unknown.
   */
  readonly ratios: Readonly<Record<Currency, number | undefined>>;
  /** The p-value; for the comparisons in `others`, corrected by Holm's method. */
  readonly p: number;
  readonly verdict: Verdict;
  /** The units on which the arms differ. */
  readonly units: {
    /** The units on which the arm did worse. */
    readonly lost: readonly string[];
    /** Units lost and won by kind, the arm's worst kind first. Empty if the set has no kinds. */
    readonly kinds: readonly {
      readonly kind: string;
      readonly worse: number;
      readonly better: number;
    }[];
  };
}

/**
 * The figures of one comparison, by dollars and by tokens. A currency in which no vote was matched
 * is absent.
 */
type Primary = { readonly [currency in Currency]?: ContrastFigures };

/** All figures of an evaluation. */
export interface Analysis {
  /** The number of statistical units that any arm was asked. */
  readonly units: number;
  /** The number of items that any arm was asked. */
  readonly items: number;
  /** The largest number of repetitions of a unit. */
  readonly seeds: number;
  /** How often repeated questions got equal answers. */
  readonly repeats: Repeats;
  /** Whether the items are variants of memos. */
  readonly hasVariants: boolean;
  readonly arms: readonly ArmFigures[];
  /** The figures of the main comparison, by dollars and by tokens. */
  readonly primary: Primary;
  /** Whether the verdict by dollars differs from the verdict by tokens. */
  readonly changesWithCurrency: boolean;
  /** The figures of the other comparisons. */
  readonly others: readonly ContrastFigures[];
  /** The smallest true difference that the main comparison finds with a probability of 80 %. */
  readonly smallestVisible: number;
}

/** The prefix of the names of the stand-in's models. */
const REHEARSAL_PREFIX = 'rehearsal/';

/**
 * Computes all figures of an evaluation.
 * @throws Error if a model changed meanwhile, or if an answer occurs twice
 */
export function analyseEvaluation(header: Header, outcomes: readonly Outcome[]): Analysis {
  refuseChangedModels(header, outcomes);
  const gathered = gatherCells(outcomes);
  const primary =
    header.primary === undefined ? {} : inCurrencies(header.primary, header, gathered);
  const [main] = Object.values(primary);
  const all = [...gathered.values()].flatMap((units) => [...units]);
  return {
    units: new Set(all.map(([unit]) => unit)).size,
    items: new Set(outcomes.map(({ item }) => item)).size,
    seeds: Math.max(0, ...all.map(([, cells]) => cells.size)),
    repeats: countRepeats(gathered),
    hasVariants: outcomes.some(({ variant }) => variant !== undefined),
    arms: header.arms.map(({ name }) => figuresOf(name, unitsOf(gathered, name))),
    primary,
    changesWithCurrency:
      primary.usd !== undefined &&
      primary.tokens !== undefined &&
      toComparableText(primary.usd.verdict) !== toComparableText(primary.tokens.verdict),
    others: correctContrasts(header, gathered),
    smallestVisible: findSmallestVisibleDifference({
      units: Math.max(1, main?.difference.units ?? 0),
      // If the two arms gave no different answers, their true share of different answers may still be above 0.
      // Use the upper end of its confidence interval.
      discordance: main?.difference.spread || Math.min(1, main?.difference.high ?? 1),
    }),
  };
}

/**
 * Formats a verdict, to find out whether two verdicts are equal. A gain at a higher cost differs
 * from a gain at no higher cost.
 */
function toComparableText({ kind, isDearer }: Verdict): string {
  return kind === 'gain' && isDearer ? 'gain, dearer' : kind;
}

function inCurrencies({ arm, against }: Contrast, header: Header, gathered: AnswersByArm): Primary {
  const figures = new Map<string, ContrastFigures>();
  const findFigures = (currency: Currency): ContrastFigures | undefined => {
    const other = against[currency];
    if (other === undefined) return undefined;
    // As soon as any arm of the evaluation has answers, leave out the comparison with an arm that has none.
    if (gathered.size > 0 && !gathered.has(other)) return undefined;
    const known = figures.get(other);
    const found = known ?? contrastOf(arm, other, currency, header, gathered);
    figures.set(other, found);
    // If the ratio of the two arms' costs in dollars is unknown, leave out their comparison at equal cost in
    // dollars.
    if (currency === 'usd' && found.ratios.usd === undefined) return undefined;
    return known === undefined
      ? found
      : { ...found, currency, verdict: verdictOn(found, currency, header) };
  };
  const [usd, tokens] = [findFigures('usd'), findFigures('tokens')];
  return { ...(usd && { usd }), ...(tokens && { tokens }) };
}

function verdictOn(
  {
    readings,
    asked,
    left,
    ratios,
  }: Pick<ContrastFigures, 'readings' | 'asked' | 'left' | 'ratios'>,
  currency: Currency,
  { units, arms }: Header,
): Verdict {
  const isRehearsal = arms.some(({ models }) =>
    models.some((model) => model.startsWith(REHEARSAL_PREFIX)),
  );
  return decideVerdict({
    readings,
    planned: units,
    asked,
    left,
    ratio: ratios[currency],
    isRehearsal,
  });
}

/** Returns the other contrasts, each in dollars if possible, with corrected p-values. */
function correctContrasts(header: Header, gathered: AnswersByArm): ContrastFigures[] {
  const raw = header.others.flatMap((contrast) => {
    const { usd, tokens } = inCurrencies(contrast, header, gathered);
    return usd ?? tokens ?? [];
  });
  const as = READINGS.map((_reading, at) =>
    adjustByHolm(raw.map(({ readings }) => readings[at]?.difference.p ?? 1)),
  );
  return raw.map((contrast, at) => {
    const readings = contrast.readings.map(({ name, difference }, reading) => ({
      name,
      difference: { ...difference, p: as[reading]?.[at] ?? 1 },
    }));
    const p = as[0]?.[at] ?? 1;
    return {
      ...contrast,
      p,
      verdict: verdictOn({ ...contrast, readings }, contrast.currency, header),
    };
  });
}

function contrastOf(
  arm: string,
  against: string,
  currency: Currency,
  header: Header,
  gathered: AnswersByArm,
): ContrastFigures {
  const [units, other] = [unitsOf(gathered, arm), unitsOf(gathered, against)];
  const readings = READINGS.map((reading) => ({
    name: reading.name,
    difference: differenceOf([...differencesOf(units, other, reading).values()]),
  }));
  const difference = readings[0]?.difference ?? differenceOf([]);
  const asked = countUnitsAskedOfBoth(units, other);
  const left = Math.max(0, (header.turns ?? header.units) - countTurnsOfBoth(units, other));
  const ratios = { usd: ratioOf(units, other, 'costUsd'), tokens: ratioOf(units, other, 'tokens') };
  return {
    arm,
    against,
    currency,
    difference,
    readings,
    asked,
    left,
    ratios,
    p: difference.p,
    verdict: verdictOn({ readings, asked, left, ratios }, currency, header),
    units: sortUnits(units, other, header.kinds),
  };
}

/**
 * Returns the ratio of costs for the units that both were asked, so that an arm that was asked more does
 * not seem dearer.
 */
function ratioOf(units: Units, other: Units, of: 'costUsd' | 'tokens'): number | undefined {
  let [dividend, divisor] = [0, 0];
  for (const [unit, cells] of units)
    for (const [seed, cell] of cells) {
      const pair = other.get(unit)?.get(seed);
      if (pair === undefined) continue;
      const [left, right] = [sumOf(cell, of), sumOf(pair, of)];
      if (left === null || right === null) return undefined;
      dividend += left;
      divisor += right;
    }
  return divisor === 0 ? undefined : dividend / divisor;
}

function sumOf(outcomes: readonly Outcome[], of: 'costUsd' | 'tokens'): number | null {
  let sum = 0;
  for (const outcome of outcomes) {
    const figure = outcome[of];
    if (figure === null) return null;
    sum += figure;
  }
  return sum;
}

/** Sorts units by the arm's result. */
function sortUnits(units: Units, other: Units, kinds: Header['kinds']): ContrastFigures['units'] {
  const differences = [...differencesOf(units, other, AS_SCORED)];
  const of = new Map<string, { worse: number; better: number }>();
  for (const [unit, value] of differences) {
    const [first] = [...(units.get(unit)?.values() ?? [])].flat();
    const kind = first === undefined ? undefined : kinds?.get(first.item);
    if (kind === undefined) continue;
    const { worse, better } = of.get(kind) ?? { worse: 0, better: 0 };
    of.set(kind, { worse: worse + Number(value < 0), better: better + Number(value > 0) });
  }
  return {
    lost: differences.flatMap(([unit, value]) => (value < 0 ? [unit] : [])),
    kinds: [...of]
      .map(([kind, counts]) => ({ kind, ...counts }))
      .sort((left, right) => right.worse - right.better - (left.worse - left.better)),
  };
}

function figuresOf(name: string, units: Units): ArmFigures {
  const outcomes = [...units.values()].flatMap((cells) => [...cells.values()].flat());
  const values = valuesOf(units, AS_SCORED);
  const hasVariants = outcomes.some(({ variant }) => variant !== undefined);
  const isExact = !hasVariants && values.every((value) => value === 0 || value === 1);
  const countOutcomes = (of: (outcome: Outcome) => boolean): number => outcomes.filter(of).length;
  return {
    name,
    score: isExact ? exactMean(values) : meanOf(values, hasVariants ? [-1, 1] : [0, 1]),
    isExact,
    asked: outcomes.length,
    unreadable: countOutcomes(({ state }) => state === 'unreadable'),
    missing: countOutcomes(({ state }) => state === 'missing'),
    repaired: countOutcomes(({ isRepaired }) => isRepaired),
    usd: sumOf(outcomes, 'costUsd'),
    tokens: sumOf(outcomes, 'tokens') ?? 0,
    models: [...new Set(outcomes.flatMap(({ models }) => models))].sort(),
    calibration: calibrationOf(units),
    flips: compareWithVote(units),
  };
}

function exactMean(values: readonly number[]): Mean {
  const right = values.filter((value) => value === 1).length;
  const [low, high] = exactInterval(right, values.length);
  return { units: values.length, mean: computeAverage(values), low, high };
}

/**
 * Finds what would change the winner of a tradeoff: for each criterion the nearest weight at which another
 * option wins.
 */
import { compareText } from './order.ts';
import { EQUAL, findLeaders, type Matrix, rankTotals } from './tradeoff.ts';

/** A change of one criterion's weight that makes another option win. */
export interface Flip {
  readonly criterion: string;
  /** The criterion's present weight, 0 to 1. */
  readonly from: number;
  /** The weight beyond which another option wins, 0 to 1. */
  readonly to: number;
  /** The option that wins beyond the weight `to`. */
  readonly winner: string;
}

/** How easily a change of weights would change the winner. */
export interface Sensitivity {
  /**
   * The changes that make another option win, the smallest first. Criteria whose weight cannot
   * change the winner are left out.
   */
  readonly flips: readonly Flip[];
  /**
   * Whether the options tie, or a change of less than 0.05 in one weight makes another option win.
   */
  readonly tooClose: boolean;
}

/** Weights this close are within the precision of judgment (docs/methods.md). */
const TOO_CLOSE = 0.05;

/**
 * Finds for each criterion the nearest weight at which another option wins. The other criteria keep
 * their proportions. A criterion that has all the weight is left out. If several options tie for
 * the first place, the list of changes is empty.
 */
export function findFlips(matrix: Matrix): Sensitivity {
  const leading = findLeaders(rankTotals(matrix));
  const [winner] = leading;
  if (winner === undefined || leading.length > 1) return { flips: [], tooClose: true };
  const flips = matrix.criteria
    .flatMap((criterion) => findFlip(matrix, criterion, winner) ?? [])
    .sort(
      (left, right) =>
        measureDistance(left) - measureDistance(right) ||
        compareText(left.criterion, right.criterion),
    );
  return { flips, tooClose: flips.some((flip) => measureDistance(flip) < TOO_CLOSE - EQUAL) };
}

/** Returns the winner if a criterion has a certain weight; several options if they tie. */
function leadAt(matrix: Matrix, criterion: string, weight: number): string[] {
  const from = matrix.weights.get(criterion) ?? 0;
  const rest = 1 - from;
  const weights = new Map(
    [...matrix.weights].map(([name, own]) => [
      name,
      name === criterion ? weight : rest > 0 ? (own / rest) * (1 - weight) : 0,
    ]),
  );
  return findLeaders(rankTotals({ ...matrix, weights }));
}

function findFlip(matrix: Matrix, criterion: string, winner: string): Flip | undefined {
  const from = matrix.weights.get(criterion) ?? 0;
  if (1 - from <= EQUAL) return undefined;
  const others = matrix.criteria.filter((other) => other !== criterion);
  const scoreOf = (name: string, option: string) => matrix.scores.get(name)?.get(option) ?? 0;
  const restOf = (option: string) =>
    others.reduce(
      (sum, other) => sum + (matrix.weights.get(other) ?? 0) * scoreOf(other, option),
      0,
    ) /
    (1 - from);
  const crossings = matrix.options.flatMap((option): number[] => {
    if (option === winner) return [];
    const leadAtZero = restOf(winner) - restOf(option);
    const leadAtOne = scoreOf(criterion, winner) - scoreOf(criterion, option);
    if (leadAtZero === leadAtOne) return [];
    // The winner's lead over `option` changes linearly with the criterion's weight. At the weight `tie`, the lead
    // is 0.
    const tie = leadAtZero / (leadAtZero - leadAtOne);
    const hasWeightsBeyond = tie > EQUAL && tie < 1 - EQUAL;
    return hasWeightsBeyond ? [tie] : [];
  });
  const to = crossings.reduce<number | undefined>(
    (best, crossing) =>
      best === undefined || Math.abs(crossing - from) < Math.abs(best - from) ? crossing : best,
    undefined,
  );
  if (to === undefined) return undefined;
  const next = leadAt(matrix, criterion, stepBeyond(from, to));
  return { criterion, from, to, winner: next.find((option) => option !== winner) ?? winner };
}

/** Returns a weight slightly beyond the crossing, away from the present weight. */
function stepBeyond(from: number, to: number): number {
  const side = to > from ? 1 : 0;
  return to + (side - to) * 1e-6;
}

function measureDistance({ from, to }: Flip): number {
  return Math.abs(to - from);
}

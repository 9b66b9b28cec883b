/** What would turn a tradeoff: for each criterion the nearest weight at which another option wins. */
import { compareText } from './order.ts';
import { EQUAL, findLeaders, type Matrix, rankTotals } from './tradeoff.ts';

export interface Flip {
  readonly criterion: string;
  /** Its weight now, and the one beyond which the winner is another: 0 to 1. */
  readonly from: number;
  readonly to: number;
  /** Who then wins. */
  readonly winner: string;
}

export interface Sensitivity {
  /** Nearest first; a criterion under which nothing turns the winner has none. */
  readonly flips: readonly Flip[];
  /** A tie, or a flip within five points of a hundred. */
  readonly tooClose: boolean;
}

/** A weight that could as well have been given: five points of a hundred (methods.md). */
const TOO_CLOSE = 0.05;

/**
 * One criterion's weight is moved and the others keep their proportions among the rest, so each total is
 * a straight line between what the others come to and this criterion's scores, and the winner changes
 * where another line crosses its own. A criterion that has all the weight leaves nothing to scale. A tie
 * has no winner to turn.
 */
export function findFlips(matrix: Matrix): Sensitivity {
  const leading = findLeaders(rankTotals(matrix));
  const [winner] = leading;
  if (winner === undefined || leading.length > 1) return { flips: [], tooClose: true };
  const flips = matrix.criteria
    .flatMap((criterion) => findFlip(matrix, criterion, winner) ?? [])
    .sort(
      (left, right) =>
        distance(left) - distance(right) || compareText(left.criterion, right.criterion),
    );
  return { flips, tooClose: flips.some((flip) => distance(flip) < TOO_CLOSE - EQUAL) };
}

/** The winner's name with one criterion at this weight; more than one where they tie. */
function leadAt(matrix: Matrix, criterion: string, weight: number): string[] {
  const from = matrix.weights.get(criterion) ?? 0;
  const rest = 1 - from;
  const weights = new Map(
    [...matrix.weights].map(([one, own]) => [
      one,
      one === criterion ? weight : rest > 0 ? (own / rest) * (1 - weight) : 0,
    ]),
  );
  return findLeaders(rankTotals({ ...matrix, weights }));
}

function findFlip(matrix: Matrix, criterion: string, winner: string): Flip | undefined {
  const from = matrix.weights.get(criterion) ?? 0;
  if (1 - from <= EQUAL) return undefined;
  const others = matrix.criteria.filter((one) => one !== criterion);
  const scoreOf = (one: string, option: string) => matrix.scores.get(one)?.get(option) ?? 0;
  const restOf = (option: string) =>
    others.reduce((sum, one) => sum + (matrix.weights.get(one) ?? 0) * scoreOf(one, option), 0) /
    (1 - from);
  const crossings = matrix.options.flatMap((option): number[] => {
    if (option === winner) return [];
    // How far ahead the winner is without this criterion, and under it alone.
    const without = restOf(winner) - restOf(option);
    const alone = scoreOf(criterion, winner) - scoreOf(criterion, option);
    if (without === alone) return [];
    const to = without / (without - alone);
    // At 0 and at 1 they would only tie.
    return to > EQUAL && to < 1 - EQUAL ? [to] : [];
  });
  const to = crossings.reduce<number | undefined>(
    (best, one) =>
      best === undefined || Math.abs(one - from) < Math.abs(best - from) ? one : best,
    undefined,
  );
  if (to === undefined) return undefined;
  const next = leadAt(matrix, criterion, beyond(from, to));
  return { criterion, from, to, winner: next.find((option) => option !== winner) ?? winner };
}

/** A little further than the crossing, on the side away from the weight as it is. */
function beyond(from: number, to: number): number {
  const side = to > from ? 1 : 0;
  return to + (side - to) * 1e-6;
}

function distance({ from, to }: Flip): number {
  return Math.abs(to - from);
}

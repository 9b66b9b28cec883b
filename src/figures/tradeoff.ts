/**
 * Weighs options by criteria. Each figure of the panel is a product of two means (the seats' weights, the
 * seats' scores), so that anybody can recompute it from the two tables that are shown. `flips.ts` finds what
 * would change the result.
 */
import { compareText, computeMean, indexBySeat } from './order.ts';
import { normalizeWeights } from './weights.ts';

/** A seat's score of one option under one criterion. */
export interface Score {
  readonly seat: string;
  readonly option: string;
  readonly criterion: string;
  /** The score, 0 to 10; more is better. */
  readonly score: number;
}

/** A seat's weights of the criteria. */
export interface SeatWeights {
  readonly seat: string;
  /** Weights by criterion, adding up to 1. */
  readonly weights: ReadonlyMap<string, number>;
}

/** The weighted sum of an option's scores. */
export interface Total {
  readonly option: string;
  /** The total, on the same scale as the scores. */
  readonly total: number;
}

/** The weights and scores from which totals are computed. For the panel, both are means over the seats. */
export interface Matrix {
  /**
   * The criteria that count. In the panel's matrix, they are those under which at least one seat scored every
   * option; in a seat's own, those under which this seat did.
   */
  readonly criteria: readonly string[];
  readonly options: readonly string[];
  /** The weight of each criterion; together 1. */
  readonly weights: ReadonlyMap<string, number>;
  /** Scores by criterion, then by option. */
  readonly scores: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Which options are best by the weights and scores of one seat alone. */
export interface SeatView {
  readonly seat: string;
  /** Criteria that do not count for this seat, because it left a score out. */
  readonly without: readonly string[];
  /** The totals of the options, best first; empty if no criterion that counts for the seat has weight. */
  readonly totals: readonly Total[];
  /** The best option; undefined for a tie, or without totals. */
  readonly winner: string | undefined;
}

/** Which option is best by all seats' weights and scores. */
export interface Tradeoff {
  readonly matrix: Matrix;
  /** The totals, best first. */
  readonly totals: readonly Total[];
  /** The best option; undefined for a tie. */
  readonly winner: string | undefined;
  /** The options that share the best total; empty if there is a winner. */
  readonly tied: readonly string[];
  /**
   * Options for which there is a better option, `by`: its score is lower under no criterion, and
   * higher under at least one.
   */
  readonly dominated: readonly { readonly option: string; readonly by: string }[];
  /** The result of each seat by itself. */
  readonly seats: readonly SeatView[];
  /** Ids of the seats for which `winner` is also the best option by their own weights and scores. */
  readonly holders: readonly string[];
  /** Whether `holders` are fewer than half of the seats that have totals of their own. */
  readonly fewHold: boolean;
}

/**
 * The largest difference of two totals that still counts as equal, since rounding makes equal sums
 * differ slightly.
 */
export const EQUAL = 1e-9;

/**
 * Computes the best option from the seats' weights and scores. Scores that are not finite, or
 * belong to unknown options or criteria, are ignored. A criterion counts only if at least one seat scored
 * every option under it. Returns undefined if there is no option, if no criterion counts, or if all criteria
 * that count have no weight.
 *
 * @param seats the seats' weights, as `readWeights` returns them
 * @param scores the scores of all seats; those of a seat without weights are ignored
 */
export function weighOptions(
  options: readonly string[],
  criteria: readonly string[],
  seats: readonly SeatWeights[],
  scores: readonly Score[],
): Tradeoff | undefined {
  const own = [...seats]
    .sort((left, right) => compareText(left.seat, right.seat))
    .map((seat) => ({ ...seat, columns: columnsOf(seat.seat, options, criteria, scores) }));
  const panel = new Map<string, ReadonlyMap<string, number>>();
  for (const criterion of criteria) {
    const whole = own.flatMap(({ columns }) => columns.get(criterion) ?? []);
    if (whole.length > 0)
      panel.set(criterion, new Map(options.map((option) => [option, meanAt(whole, option)])));
  }
  const weights = normalizeWeights(
    new Map(
      [...panel.keys()].map((criterion) => [
        criterion,
        computeMean(own.map((seat) => seat.weights.get(criterion) ?? 0)) ?? 0,
      ]),
    ),
  );
  if (weights === undefined || options.length === 0) return undefined;
  const matrix: Matrix = { criteria: [...panel.keys()], options, weights, scores: panel };
  const totals = rankTotals(matrix);
  const leading = findLeaders(totals);
  const winner = leading.length === 1 ? leading[0] : undefined;
  const views = own.map(({ seat, weights: ownWeights, columns }) =>
    viewOf(seat, options, criteria, ownWeights, columns),
  );
  const viewed = views.filter(({ totals: own }) => own.length > 0);
  const holders = viewed.filter((view) => winner !== undefined && view.winner === winner);
  return {
    matrix,
    totals,
    winner,
    tied: winner === undefined ? leading : [],
    dominated: findDominated(matrix),
    seats: views,
    holders: holders.map(({ seat }) => seat),
    fewHold: winner !== undefined && holders.length * 2 < viewed.length,
  };
}

/** Returns the total of each option, best first; options with equal totals are in alphabetical order. */
export function rankTotals({ criteria, options, weights, scores }: Matrix): Total[] {
  return options
    .map((option) => ({
      option,
      total: criteria.reduce(
        (sum, criterion) =>
          sum + (weights.get(criterion) ?? 0) * (scores.get(criterion)?.get(option) ?? 0),
        0,
      ),
    }))
    .sort((left, right) => right.total - left.total || compareText(left.option, right.option));
}

/**
 * Returns the option with the best total, or several if their totals are equal. Returns an empty list for no
 * totals.
 *
 * @param totals sorted totals, best first
 */
export function findLeaders(totals: readonly Total[]): string[] {
  const most = totals[0]?.total ?? 0;
  return totals
    .filter(({ total }) => most - total <= EQUAL * Math.max(1, Math.abs(most)))
    .map(({ option }) => option);
}

function findDominated({ criteria, options, scores }: Matrix): { option: string; by: string }[] {
  const getScore = (criterion: string, option: string) => scores.get(criterion)?.get(option) ?? 0;
  return options.flatMap((option) => {
    const by = options.find(
      (other) =>
        criteria.every(
          (criterion) => getScore(criterion, other) >= getScore(criterion, option) - EQUAL,
        ) &&
        criteria.some(
          (criterion) => getScore(criterion, other) > getScore(criterion, option) + EQUAL,
        ),
    );
    return by === undefined ? [] : [{ option, by }];
  });
}

function viewOf(
  seat: string,
  options: readonly string[],
  criteria: readonly string[],
  weights: ReadonlyMap<string, number>,
  columns: ReadonlyMap<string, ReadonlyMap<string, number>>,
): SeatView {
  const left = normalizeWeights(
    new Map([...columns.keys()].map((criterion) => [criterion, weights.get(criterion) ?? 0])),
  );
  const without = criteria.filter((criterion) => !columns.has(criterion));
  if (left === undefined) return { seat, without, totals: [], winner: undefined };
  const totals = rankTotals({
    criteria: [...columns.keys()],
    options,
    weights: left,
    scores: columns,
  });
  const leading = findLeaders(totals);
  return { seat, without, totals, winner: leading.length === 1 ? leading[0] : undefined };
}

/** Returns a seat's scores under the criteria that it filled in completely, by criterion and option. */
function columnsOf(
  seat: string,
  options: readonly string[],
  criteria: readonly string[],
  scores: readonly Score[],
): Map<string, ReadonlyMap<string, number>> {
  const ownScores = scores.filter((score) => score.seat === seat && Number.isFinite(score.score));
  const columns = new Map<string, ReadonlyMap<string, number>>();
  for (const criterion of criteria) {
    const column = indexBySeat(
      ownScores.filter((score) => score.criterion === criterion && options.includes(score.option)),
      ({ option }) => option,
      (score, other) => score.score === other.score,
    );
    if (column.size === options.length)
      columns.set(criterion, new Map([...column].map(([option, { score }]) => [option, score])));
  }
  return columns;
}

function meanAt(columns: readonly ReadonlyMap<string, number>[], option: string): number {
  return computeMean(columns.map((column) => column.get(option) ?? 0)) ?? 0;
}

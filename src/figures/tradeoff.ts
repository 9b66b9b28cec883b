/**
 * Criteria weighed against options. The panel's figures are products of two means, so that anybody can
 * work them out again from the two tables that are shown: the mean of the seats' weights, and the mean
 * of their scores. What would turn the result is in flips.ts.
 */
import { bySeat, compareText, mean } from './order.ts';
import { normalizeWeights } from './weights.ts';

export interface Score {
  readonly seat: string;
  readonly option: string;
  readonly criterion: string;
  /** On the method's scale; more is better. */
  readonly score: number;
}

export interface SeatWeights {
  readonly seat: string;
  readonly weights: ReadonlyMap<string, number>;
}

export interface Total {
  readonly option: string;
  /** On the scale of the scores. */
  readonly total: number;
}

/** What is summed: weights together 1, and a score for every option under every criterion. */
export interface Matrix {
  /** Criteria that at least one seat scored for every option, in their given order. */
  readonly criteria: readonly string[];
  readonly options: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
  /** By criterion, then option. */
  readonly scores: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface SeatView {
  readonly seat: string;
  /** Criteria of which it left a cell empty: they count nothing of its own. */
  readonly without: readonly string[];
  /** Best first; empty where it has no weight on anything that it scored. */
  readonly totals: readonly Total[];
  /** Undefined for a tie, and where it has no totals. */
  readonly winner: string | undefined;
}

export interface Tradeoff {
  readonly matrix: Matrix;
  /** Best first. */
  readonly totals: readonly Total[];
  /** Undefined for a tie. */
  readonly winner: string | undefined;
  /** Options that share the first place; empty where there is a winner. */
  readonly tied: readonly string[];
  /** Options that another one equals or beats under every criterion, and beats under one. */
  readonly dominated: readonly { readonly option: string; readonly by: string }[];
  readonly seats: readonly SeatView[];
  /** Seats whose own figures name the winner too. */
  readonly holders: readonly string[];
  /** Fewer than half of the seats with a view of their own hold the winner: an average that few hold. */
  readonly fewHold: boolean;
}

/** Totals this near to each other are equal: sums of products miss by as much. */
export const EQUAL = 1e-9;

/**
 * Undefined where no seat was heard with weights, or no criterion was scored for every option.
 * `seats`: of `readWeights`. Scores for unknown options and criteria, and those that are no finite
 * numbers, are none.
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
        mean(own.map((seat) => seat.weights.get(criterion) ?? 0)) ?? 0,
      ]),
    ),
  );
  if (weights === undefined || options.length === 0) return undefined;
  const matrix: Matrix = { criteria: [...panel.keys()], options, weights, scores: panel };
  const totals = rankTotals(matrix);
  const leading = findLeaders(totals);
  const winner = leading.length === 1 ? leading[0] : undefined;
  const views = own.map(({ seat, weights: mine, columns }) =>
    viewOf(seat, options, criteria, mine, columns),
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

/** Best first, then by the option's wording. */
export function rankTotals({ criteria, options, weights, scores }: Matrix): Total[] {
  return options
    .map((option) => ({
      option,
      total: criteria.reduce(
        (sum, one) => sum + (weights.get(one) ?? 0) * (scores.get(one)?.get(option) ?? 0),
        0,
      ),
    }))
    .sort((left, right) => right.total - left.total || compareText(left.option, right.option));
}

/** The options in first place, `totals` being ranked. */
export function findLeaders(totals: readonly Total[]): string[] {
  const most = totals[0]?.total ?? 0;
  return totals
    .filter(({ total }) => most - total <= EQUAL * Math.max(1, Math.abs(most)))
    .map(({ option }) => option);
}

function findDominated({ criteria, options, scores }: Matrix): { option: string; by: string }[] {
  const at = (criterion: string, option: string) => scores.get(criterion)?.get(option) ?? 0;
  return options.flatMap((option) => {
    const by = options.find(
      (other) =>
        criteria.every((one) => at(one, other) >= at(one, option) - EQUAL) &&
        criteria.some((one) => at(one, other) > at(one, option) + EQUAL),
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
    new Map([...columns.keys()].map((one) => [one, weights.get(one) ?? 0])),
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

/** A seat's scores under the criteria of which it left no cell empty, by criterion and option. */
function columnsOf(
  seat: string,
  options: readonly string[],
  criteria: readonly string[],
  scores: readonly Score[],
): Map<string, ReadonlyMap<string, number>> {
  const mine = scores.filter((one) => one.seat === seat && Number.isFinite(one.score));
  const columns = new Map<string, ReadonlyMap<string, number>>();
  for (const criterion of criteria) {
    const column = bySeat(
      mine.filter((one) => one.criterion === criterion && options.includes(one.option)),
      ({ option }) => option,
      (one, other) => one.score === other.score,
    );
    if (column.size === options.length)
      columns.set(criterion, new Map([...column].map(([option, { score }]) => [option, score])));
  }
  return columns;
}

function meanAt(columns: readonly ReadonlyMap<string, number>[], option: string): number {
  return mean(columns.map((column) => column.get(option) ?? 0)) ?? 0;
}

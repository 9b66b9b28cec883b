/**
 * Weighs options by criteria. Each figure of the panel is a product of two means (the seats' weights, the
 * seats' scores), so that anybody can recompute it from the two tables that are shown. `flips.ts` finds what
 * would change the result.
 */
import { bySeat, compareText, mean } from './order.ts';
import { normalizeWeights } from './weights.ts';

export interface Score {
  readonly seat: string;
  readonly option: string;
  readonly criterion: string;
  /** The score on the method's scale; more is better. */
  readonly score: number;
}

export interface SeatWeights {
  readonly seat: string;
  readonly weights: ReadonlyMap<string, number>;
}

export interface Total {
  readonly option: string;
  /** The total on the scale of the scores. */
  readonly total: number;
}

/** The input of the totals: weights that add up to 1, and a score for every option and criterion. */
export interface Matrix {
  /** Criteria for which at least one seat scored every option, in the given order. */
  readonly criteria: readonly string[];
  readonly options: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
  /** Scores by criterion, then by option. */
  readonly scores: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface SeatView {
  readonly seat: string;
  /** Criteria for which it left a cell empty; they do not count in its view. */
  readonly without: readonly string[];
  /** The seat's own totals, best first; empty if it has no weight on a criterion that it scored. */
  readonly totals: readonly Total[];
  /** The winner; undefined for a tie, and if there are no totals. */
  readonly winner: string | undefined;
}

export interface Tradeoff {
  readonly matrix: Matrix;
  /** The totals, best first. */
  readonly totals: readonly Total[];
  /** The winner; undefined for a tie. */
  readonly winner: string | undefined;
  /** The options that share the first place; empty if there is a winner. */
  readonly tied: readonly string[];
  /** Options that another one equals or beats under every criterion, and beats under at least one. */
  readonly dominated: readonly { readonly option: string; readonly by: string }[];
  readonly seats: readonly SeatView[];
  /** Seats whose own totals name the same winner. */
  readonly holders: readonly string[];
  /** Whether fewer than half of the seats with a view share the winner. */
  readonly fewHold: boolean;
}

/** Totals this close count as equal, because sums of products are inexact. */
export const EQUAL = 1e-9;

/**
 * Computes the tradeoff. Returns undefined if no seat was heard with weights, or no criterion was scored for
 * every option. Ignores scores that are not finite or belong to unknown options or criteria.
 * @param seats the results of `readWeights`
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

/** Returns the totals, best first, then by the option's wording. */
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

/**
 * Returns the options in first place.
 * @param totals sorted totals
 */
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

/** Returns a seat's scores under the criteria that it filled in completely, by criterion and option. */
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

/**
 * Explains how seats changed between two rounds of estimates. A seat that saw the others' range can always find
 * words for moving there, so words alone are no explanation: a change is explained by a reason that was shown
 * and points in the same direction, or by an own reason for moving away from the others.
 */
import { compareText, indexBySeat } from '../order.ts';

/** A reason for an estimate that all seats were shown, without its author's name. The text is kept elsewhere. */
export interface ShownReason {
  readonly id: string;
  /** Ids of the seats that gave the reason; several if equal reasons were grouped. */
  readonly seats: readonly string[];
}

/** A seat's estimate in a later round, and what, in the seat's words, changed the estimate. */
export interface Revision {
  readonly seat: string;
  /** The median of the new estimate, in the agreed unit. */
  readonly p50: number;
  /** Ids of the shown reasons that the seat names. */
  readonly because: readonly string[];
  /** A new assumption of the seat itself, as the reason for the change; absent or empty: none. */
  readonly own?: string | undefined;
}

/** The change of one seat's estimate between two rounds, and how the change is explained. */
export interface Move {
  readonly seat: string;
  /**
   * `held`: the median changed by at most 0.5 %. `names a reason`: explained by `reasons`. `own`: moved
   * away from the other seats, explained by a new assumption of the seat. `unexplained`: neither.
   */
  readonly kind: 'held' | 'names a reason' | 'own' | 'unexplained';
  /** The seat's median before the change. */
  readonly from: number;
  /** The seat's median after the change. */
  readonly to: number;
  /** Ids of the named reasons of other seats that point in the direction of the change. */
  readonly reasons: readonly string[];
}

/** The changes between two rounds of estimates. */
export interface EstimateChanges {
  /** One entry for each seat that answered in both rounds, sorted by seat; also for unchanged estimates. */
  readonly moves: readonly Move[];
  /** The share of the changes that are unexplained, 0 to 1; 0 if nothing changed. */
  readonly unexplained: number;
  /**
   * Which of the two compared rounds counts: `first`, the earlier one, if more than half of the changes are
   * unexplained; otherwise `last`.
   */
  readonly leads: 'first' | 'last';
}

/**
 * Relative changes up to this count as none. Estimates are shown with at least three digits, so a repeated
 * estimate may differ by as much.
 */
const STILL = 0.005;

/**
 * Finds out for each seat whether a reason explains the change of its estimate. A reason counts
 * only if it points in the direction of the change: towards the estimate that the reason's author
 * had. Reasons of the seat itself and unknown ids never count. A new assumption of the seat counts only
 * if the seat did not move towards `middle`.
 *
 * @param before the medians of the round before, by seat
 * @param after the estimates of the later round
 * @param reasons the reasons that the seats were shown between the rounds
 * @param middle the median of all estimates of the round before
 */
export function explainMoves(
  before: readonly { readonly seat: string; readonly p50: number }[],
  after: readonly Revision[],
  reasons: readonly ShownReason[],
  middle: number,
): EstimateChanges {
  const was = new Map(
    [...indexBySeat(before, seatOf, (estimate, other) => estimate.p50 === other.p50)].map(
      ([seat, { p50 }]) => [seat, p50],
    ),
  );
  const is = indexBySeat(after, seatOf, (revision, other) => revision.p50 === other.p50);
  const shown = new Map(reasons.map((reason) => [reason.id, reason]));
  const moves = [...is.values()]
    .sort((left, right) => compareText(left.seat, right.seat))
    .flatMap((revision): Move[] => {
      const from = was.get(revision.seat);
      if (from === undefined || !Number.isFinite(from) || !Number.isFinite(revision.p50)) return [];
      return [explainMove(from, revision, was, shown, middle)];
    });
  const moved = moves.filter(({ kind }) => kind !== 'held');
  const lost = moved.filter(({ kind }) => kind === 'unexplained').length;
  return {
    moves,
    unexplained: moved.length === 0 ? 0 : lost / moved.length,
    leads: lost * 2 > moved.length ? 'first' : 'last',
  };
}

function explainMove(
  from: number,
  { seat, p50: to, because, own }: Revision,
  was: ReadonlyMap<string, number>,
  shown: ReadonlyMap<string, ShownReason>,
  middle: number,
): Move {
  const makeMove = (kind: Move['kind'], named: readonly string[] = []): Move => ({
    seat,
    kind,
    from,
    to,
    reasons: named,
  });
  if (Math.abs(to - from) <= STILL * Math.max(Math.abs(to), Math.abs(from)))
    return makeMove('held');
  const went = Math.sign(to - from);
  const pointing = [...new Set(because)].filter((id) =>
    (shown.get(id)?.seats ?? []).some((author) => {
      const stood = was.get(author);
      return author !== seat && stood !== undefined && Math.sign(stood - from) === went;
    }),
  );
  if (pointing.length > 0) return makeMove('names a reason', pointing);
  const wentToMiddle = went === Math.sign(middle - from);
  const hasOwnReason = own !== undefined && own.trim() !== '';
  return makeMove(hasOwnReason && !wentToMiddle ? 'own' : 'unexplained');
}

function seatOf({ seat }: { readonly seat: string }): string {
  return seat;
}

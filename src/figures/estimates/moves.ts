/**
 * Explains how seats changed between two rounds of estimates. A seat that saw the others' range can always find
 * words for moving there, so words alone are no explanation: a change is explained by a reason that was shown
 * and points in the same direction, or by an own reason for moving away from the others.
 */
import { bySeat, compareText } from '../order.ts';

/** A reason as it was shown, without its authors' names. */
export interface ShownReason {
  readonly id: string;
  /** Its authors; several if reasons were grouped. */
  readonly seats: readonly string[];
}

export interface Revision {
  readonly seat: string;
  readonly p50: number;
  /** Ids of shown reasons that it names. */
  readonly because: readonly string[];
  /** One new assumption of its own. */
  readonly own?: string | undefined;
}

export interface Move {
  readonly seat: string;
  readonly kind: 'held' | 'names a reason' | 'own' | 'unexplained';
  readonly from: number;
  readonly to: number;
  /** Shown reasons of others that it names and that point in the direction of the change. */
  readonly reasons: readonly string[];
}

export interface Moves {
  /** Changes by seat, of seats heard in both rounds. */
  readonly moves: readonly Move[];
  /** The unexplained share of the changes, 0 to 1; 0 if nothing changed. */
  readonly unexplained: number;
  /**
   * Which round counts: the first, before anybody saw the others, if more than half of the changes are
   * unexplained.
   */
  readonly leads: 'first' | 'last';
}

/**
 * Relative changes up to this count as none. Estimates are shown with at least three digits, so a repeated
 * estimate may differ by as much.
 */
const STILL = 0.005;

/**
 * Explains the changes. A reason points to where its authors were when it was shown: up if that is above the
 * seat's estimate, down if below, both ways if on both sides. A seat's own reasons and unknown ids point
 * nowhere.
 * @param middle the median of the range that was shown before
 */
export function explainMoves(
  before: readonly { readonly seat: string; readonly p50: number }[],
  after: readonly Revision[],
  reasons: readonly ShownReason[],
  middle: number,
): Moves {
  const was = new Map(
    [...bySeat(before, seatOf, (one, other) => one.p50 === other.p50)].map(([seat, { p50 }]) => [
      seat,
      p50,
    ]),
  );
  const is = bySeat(after, seatOf, (one, other) => one.p50 === other.p50);
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
  const move = (kind: Move['kind'], named: readonly string[] = []): Move => ({
    seat,
    kind,
    from,
    to,
    reasons: named,
  });
  if (Math.abs(to - from) <= STILL * Math.max(Math.abs(to), Math.abs(from))) return move('held');
  const went = Math.sign(to - from);
  const pointing = [...new Set(because)].filter((id) =>
    (shown.get(id)?.seats ?? []).some((author) => {
      const stood = was.get(author);
      return author !== seat && stood !== undefined && Math.sign(stood - from) === went;
    }),
  );
  if (pointing.length > 0) return move('names a reason', pointing);
  // Moving towards or beyond the others' estimates needs a reason of theirs, because imitation would lead
  // there too.
  const pulled = went === Math.sign(middle - from);
  return move(own !== undefined && own.trim() !== '' && !pulled ? 'own' : 'unexplained');
}

function seatOf({ seat }: { readonly seat: string }): string {
  return seat;
}

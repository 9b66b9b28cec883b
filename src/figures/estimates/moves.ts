/**
 * What moved each seat between two rounds of estimates. A seat that was shown where the others stand can
 * always find words for going there, so words alone explain nothing: a move is explained by a reason
 * that was shown and points the same way, or by an own one that leads away from where the others pull.
 */
import { bySeat, compareText } from '../order.ts';

/** A reason as it was shown, without its authors' names. */
export interface ShownReason {
  readonly id: string;
  /** Whose it is; several where reasons were grouped. */
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
  /** Shown reasons of others that it names and that point where it went. */
  readonly reasons: readonly string[];
}

export interface Moves {
  /** By seat; only those heard in both rounds. */
  readonly moves: readonly Move[];
  /** Of those that moved, 0 to 1; 0 where nobody did. */
  readonly unexplained: number;
  /** More than half unexplained: the round before anybody saw the others leads. */
  readonly leads: 'first' | 'last';
}

/** Estimates are shown with three digits at least: whoever gives back what it was shown is off by up to this share. */
const STILL = 0.005;

/**
 * `middle`: the median that the range shown before stood around. A reason points to where its authors
 * stood when it was shown: above the mover's estimate up, below it down, on both sides either way. A
 * seat's own reason and an id that nobody was shown point nowhere.
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
  // Towards the others, or through them and beyond, is where any copier would go.
  const pulled = went === Math.sign(middle - from);
  return move(own !== undefined && own.trim() !== '' && !pulled ? 'own' : 'unexplained');
}

function seatOf({ seat }: { readonly seat: string }): string {
  return seat;
}

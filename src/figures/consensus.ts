/** What most of those heard claim, and who shares least of it. */
import { compareText } from './order.ts';

export interface SharedClaim {
  readonly id: string;
  /** Seats from whose answers it could be quoted. */
  readonly seats: readonly string[];
}

/**
 * The claims that two thirds of the seats heard carry (methods.md), and at least two of them: one seat
 * agrees with nobody. In the order given; seats that were not heard carry nothing.
 */
export function findConsensus(
  claims: readonly SharedClaim[],
  heard: readonly string[],
): SharedClaim[] {
  const seats = new Set(heard);
  return claims
    .map(({ id, seats: own }) => ({
      id,
      seats: [...new Set(own)].filter((seat) => seats.has(seat)).sort(compareText),
    }))
    .filter(({ seats: own }) => own.length >= 2 && own.length * 3 >= seats.size * 2);
}

/** Seats by how many of these claims they carry, fewest first, then by name: who might contradict them. */
export function rankDissent(
  consensus: readonly SharedClaim[],
  heard: readonly string[],
): { readonly seat: string; readonly carries: number }[] {
  return [...new Set(heard)]
    .map((seat) => ({
      seat,
      carries: consensus.filter(({ seats }) => seats.includes(seat)).length,
    }))
    .sort((left, right) => left.carries - right.carries || compareText(left.seat, right.seat));
}

/** Finds what most seats claim, and who shares least of it. */
import { compareText } from './order.ts';

export interface SharedClaim {
  readonly id: string;
  /** Seats whose answers contain the claim, shown by quotation. */
  readonly seats: readonly string[];
}

/**
 * Returns the claims, in the given order, that at least two thirds of the seats heard and at least two seats
 * share (docs/methods.md). Seats that were not heard share nothing.
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

/**
 * Returns the seats by how many of these claims they share, fewest first, then by name. The first are the
 * likeliest to contradict.
 */
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

/** Finds what most seats claim, and who shares least of it. */
import { compareText } from './order.ts';

/** A claim that occurs in one or more answers, and the seats that make it. */
export interface SharedClaim {
  readonly id: string;
  /** Ids of the seats whose answers contain the claim, as quotations have shown. */
  readonly seats: readonly string[];
}

/**
 * Returns the claims that are made by at least two seats and by at least two thirds of the seats
 * that answered. The claims stay in the given order.
 *
 * @param heard the ids of the seats that answered; other seats of a claim are ignored
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
 * Sorts seats by how many of the agreed claims they share, the fewest first, then by id. A seat
 * that shares few claims is likely to contradict the others.
 * @param consensus the agreed claims, from `findConsensus`
 * @param heard the ids of the seats that answered
 * @returns each seat, with the number of agreed claims that it shares as `carries`
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

/** Shuffles in an order that is the same when the run is resumed. */
import { shuffleItems as shuffled } from '../kernel/chance.ts';
import { INSIDE } from './inside.ts';

/**
 * Returns the items in a random order that depends only on the run's seed and the purpose:
 * `shuffle(ideas, seat.id)`.
 */
export function shuffle<T>(items: readonly T[], purpose: string): T[] {
  return shuffled(items, INSIDE.getStore()?.seed ?? 0, purpose);
}

/** An order that looks random, and is the same when the run is resumed. */
import { shuffle as shuffled } from '../kernel/chance.ts';
import { INSIDE } from './inside.ts';

/** The items in an order that the run's seed and the purpose decide: `shuffle(ideas, seat.id)`. */
export function shuffle<T>(items: readonly T[], purpose: string): T[] {
  return shuffled(items, INSIDE.getStore()?.seed ?? 0, purpose);
}

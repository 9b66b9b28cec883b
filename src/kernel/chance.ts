/**
 * Our own random choices, all from the run's seed: the same seed shuffles alike in a resumed run and in
 * a fork, so that a prompt built from it stays the same prompt.
 */
import { digest } from './digest.ts';

/** The items in an order that depends on the seed and the purpose alone. */
export function shuffle<T>(items: readonly T[], seed: number, purpose: string): T[] {
  return items
    .map((item, index) => ({ item, place: digest({ seed, purpose, index }) }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .map(({ item }) => item);
}

/** Eight hex digits that a model cannot guess from the text it is shown. */
export function nonce(seed: number, purpose: string): string {
  return digest({ seed, purpose, nonce: true }).slice(0, 8);
}

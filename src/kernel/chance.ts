/**
 * Random choices, all derived from the run's seed: a resumed run and a fork shuffle as the original did, so
 * that a prompt built from the order stays the same.
 */
import { computeDigest } from './digest.ts';

/**
 * Returns the items in a shuffled order that depends only on the seed and on `purpose`, a name for
 * this use.
 */
export function shuffleItems<T>(items: readonly T[], seed: number, purpose: string): T[] {
  return items
    .map((item, index) => ({ item, place: computeDigest({ seed, purpose, index }) }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .map(({ item }) => item);
}

/**
 * Returns eight hex digits that depend only on the seed and the purpose. Prompts use them, for example, in the tags
 * around a quoted text: a model cannot guess them, so that its text cannot close the tags.
 */
export function makeNonce(seed: number, purpose: string): string {
  return computeDigest({ seed, purpose, nonce: true }).slice(0, 8);
}

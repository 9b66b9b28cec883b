/** Measures how similar two messages are, to find discussions that go in circles. */

/** The similarity from which messages count as nearly identical: a word or two in a paragraph may differ. */
const NEAR = 0.85;

/** Returns whether two messages are so similar that the discussion has begun to repeat itself. */
export function areNearlyIdentical(left: string, right: string): boolean {
  return measureSimilarity(left, right) >= NEAR;
}

/**
 * Returns the similarity of two messages from 0 to 1: the share of all their different sequences of three words that
 * occurs in both. Case and punctuation are ignored. Two messages without words have the similarity 1.
 */
export function measureSimilarity(left: string, right: string): number {
  const a = runsOf(left);
  const b = runsOf(right);
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const run of a) if (b.has(run)) shared += 1;
  return shared / (a.size + b.size - shared);
}

function runsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Messages are compared by sequences of three words. A message of one or two words counts as one sequence.
  const last = Math.max(1, words.length - 2);
  return new Set(
    words.length === 0
      ? []
      : Array.from({ length: last }, (_, at) => words.slice(at, at + 3).join(' ')),
  );
}

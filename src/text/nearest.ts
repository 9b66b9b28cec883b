/** Finds the name that a person probably meant. */

/**
 * Returns the name that a person probably meant by `wrong`, such as `model` by `modle`. Returns undefined if all
 * names differ too much from `wrong` for a typing error.
 */
export function findNearest(wrong: string, names: readonly string[]): string | undefined {
  const mostEdits = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let least = mostEdits + 1;
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) > mostEdits) continue;
    const apart = countEdits(wrong.toLowerCase(), name.toLowerCase());
    if (apart < least) {
      best = name;
      least = apart;
    }
  }
  return best;
}

/**
 * Returns `Did you mean critic? ` with the name that is most like `wrong`; empty if no name is near
 * enough.
 */
export function formatSuggestion(wrong: string, names: readonly string[]): string {
  const near = findNearest(wrong, names);
  return near === undefined ? '' : `Did you mean ${near}? `;
}

/** Returns the edit distance: insertions, deletions, replacements and swaps of neighbours. */
function countEdits(left: string, right: string): number {
  let last: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        cost = Math.min(cost, (last[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    last = row;
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The smallest likeness of two names for one to be suggested for the other. */
const MIN_LIKENESS = 0.4;

/**
 * Returns the names most like `wrong`, the most similar first. Shared pairs of letters count, so
 * that `qwen3` finds `qwen/qwen3-32b`.
 *
 * @param most the largest number of names to return
 */
export function findSimilar(wrong: string, names: readonly string[], most: number): string[] {
  const wanted = letterPairs(wrong);
  return names
    .map((name) => ({ name, likeness: measureLikeness(wanted, letterPairs(name)) }))
    .filter((candidate) => candidate.likeness >= MIN_LIKENESS)
    .sort((left, right) => right.likeness - left.likeness)
    .slice(0, most)
    .map(({ name }) => name);
}

function letterPairs(name: string): ReadonlySet<string> {
  const letters = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return new Set(Array.from(letters.slice(1), (letter, index) => `${letters[index]}${letter}`));
}

/** Returns the share of pairs that both have, from 0 to 1 (the coefficient of Sørensen and Dice). */
function measureLikeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((pair) => right.has(pair)).length;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

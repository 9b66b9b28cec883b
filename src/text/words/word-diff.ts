/** Compares the words of two texts by their longest common sequence. */

/** Which words of two texts are different, and how many are equal. */
export interface WordDiff {
  /** True for each word of the left text that is not in the longest common sequence. */
  readonly left: readonly boolean[];
  /** True for each word of the right text that is not in the longest common sequence. */
  readonly right: readonly boolean[];
  /**
   * The share of the words that are in the longest common sequence: 1 for equal texts of at most 1,500 words,
   * even empty ones.
   */
  readonly shared: number;
}

/** The most words of a text that are compared; later words count as different. */
const MOST = 1500;

/**
 * Compares two sequences of words by their longest common sequence. Words after the first 1,500 of a
 * sequence count as different.
 */
export function wordDiff(left: readonly string[], right: readonly string[]): WordDiff {
  const [a, b] = [left.slice(0, MOST), right.slice(0, MOST)];
  const width = b.length + 1;
  // `lengths` contains, for each `i` and `j`, the length of the longest common sequence of the left words from
  // `i` on and the right words from `j` on.
  const lengths = new Uint16Array((a.length + 1) * width);
  const getLength = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j]
          ? getLength(i + 1, j + 1) + 1
          : Math.max(getLength(i + 1, j), getLength(i, j + 1));
  const own = { left: left.map(() => true), right: right.map(() => true) };
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      own.left[i] = false;
      own.right[j] = false;
      i += 1;
      j += 1;
    } else if (getLength(i + 1, j) >= getLength(i, j + 1)) i += 1;
    else j += 1;
  }
  const words = left.length + right.length;
  return { ...own, shared: words === 0 ? 1 : (2 * getLength(0, 0)) / words };
}

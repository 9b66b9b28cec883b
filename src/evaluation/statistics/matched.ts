/**
 * Finds the number of samples whose vote costs as much as a panel. It depends on costs alone: this function
 * does not get the answers.
 */

/** A number of samples, and what they cost together. */
interface Match {
  /** The number of samples: odd, so that two answers cannot tie. */
  readonly samples: number;
  /** Their total cost over the set. */
  readonly total: number;
}

/**
 * Returns the smallest odd number of samples that together cost at least as much as the panel.
 *
 * @param panel the panel's cost over the set, in dollars or tokens
 * @param pool the costs of the samples of each item, in the order in which they were asked
 * @returns undefined if there are too few samples, so that more must be asked
 */
export function matchVote(panel: number, pool: readonly (readonly number[])[]): Match | undefined {
  if (pool.length === 0) return undefined;
  const most = Math.min(...pool.map(({ length }) => length));
  let total = 0;
  for (let samples = 1; samples <= most; samples += 1) {
    total += pool.reduce((sum, item) => sum + (item[samples - 1] ?? 0), 0);
    if (samples % 2 === 1 && total >= panel) return { samples, total };
  }
  return undefined;
}

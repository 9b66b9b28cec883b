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
 * Returns the smallest odd number of samples for each item with which a vote costs at least as much as the
 * panel. A sample is one answer of a single model. `total` is what these samples cost for all items together.
 *
 * @param panel the panel's cost for all items together, in dollars or tokens
 * @param pool for each item, the costs of its samples in the order in which they were asked
 * @returns undefined if there are too few samples, so that more must be asked, or if there are no items
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

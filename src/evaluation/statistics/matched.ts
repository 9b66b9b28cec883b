/**
 * A panel asks several times; so may the one it is held against. How often a vote may ask is fixed from
 * prices alone: what came of the answers is not among what this function is told.
 */

interface Match {
  /** How many samples vote: odd, so that two answers cannot tie. */
  readonly samples: number;
  /** What they come to over the set. */
  readonly total: number;
}

/**
 * The smallest odd number of samples whose total over the set is at least the panel's.
 *
 * @param panel what the panel took over the set, in dollars or tokens
 * @param pool of each item what its samples took, in the order in which they were asked
 * @returns undefined where the pool does not go as far: more has to be asked
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

/**
 * Order statistics of a few numbers. The functions expect finite numbers, sort them themselves, and return
 * undefined for empty input, so that no NaN arises.
 */

/** Returns the numbers in ascending order, in a new array. */
export function sortNumbers(values: readonly number[]): number[] {
  return [...values].sort((left, right) => left - right);
}

/**
 * Returns a quantile by linear interpolation (Hyndman and Fan's type 7, the default of R, NumPy and
 * spreadsheets). Returns undefined for no values.
 *
 * @param share the wanted quantile, from 0 (the lowest value) to 1 (the highest)
 */
export function computeQuantile(values: readonly number[], share: number): number | undefined {
  const sorted = sortNumbers(values);
  const at = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  if (below === undefined || above === undefined) return undefined;
  return below === above ? below : below + (above - below) * (at - Math.floor(at));
}

/**
 * Returns the median. For an even number of values, this is the mean of the middle two. Returns
 * undefined for no values.
 */
export function computeMedian(values: readonly number[]): number | undefined {
  return computeQuantile(values, 0.5);
}

/**
 * Returns the mean; undefined for no values. The order of the input does not change the result, not
 * even by rounding.
 */
export function computeMean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return sortNumbers(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the standard deviation (root of the mean square deviation); 0 for fewer than two values. */
export function computeDeviation(values: readonly number[]): number {
  const middle = computeMean(values);
  if (middle === undefined) return 0;
  return Math.sqrt(computeMean(values.map((value) => (value - middle) ** 2)) ?? 0);
}

/**
 * Compares two texts by their UTF-16 code units, for `sort`. The order does not depend on the
 * machine's language.
 */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Returns the entries in a map by seat. A seat with two different entries is left out, because the
 * result would otherwise depend on which entry came first. Of equal entries of a seat, one is kept.
 *
 * @param said the entries
 * @param seatOf returns the key of an entry, usually the seat's id
 * @param isSame returns whether two entries with the same key are equal
 */
export function indexBySeat<T>(
  said: readonly T[],
  seatOf: (entry: T) => string,
  isSame: (entry: T, other: T) => boolean,
): Map<string, T> {
  const kept = new Map<string, T>();
  const torn = new Set<string>();
  for (const entry of said) {
    const seat = seatOf(entry);
    const other = kept.get(seat);
    if (other === undefined) kept.set(seat, entry);
    else if (!isSame(entry, other)) torn.add(seat);
  }
  for (const seat of torn) kept.delete(seat);
  return kept;
}

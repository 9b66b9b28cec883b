/** Corrects p-values for several comparisons on the same data. */

/**
 * Corrects the p-values of several comparisons by Holm's method. Returns them in the order of the
 * input.
 */
export function adjustByHolm(values: readonly number[]): number[] {
  const order = values.map((p, at) => ({ p, at })).sort((value, other) => value.p - other.p);
  const corrected = new Array<number>(values.length).fill(1);
  let least = 0;
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (values.length - rank)));
    corrected[at] = least;
  }
  return corrected;
}

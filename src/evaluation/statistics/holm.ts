/** Several questions put to one set of answers: the more there are, the more must be asked of each. */

/** P-values as they count among each other, after Holm, in the order they came in. */
export function holm(values: readonly number[]): number[] {
  const order = values.map((p, at) => ({ p, at })).sort((one, other) => one.p - other.p);
  const corrected = new Array<number>(values.length).fill(1);
  let least = 0;
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (values.length - rank)));
    corrected[at] = least;
  }
  return corrected;
}

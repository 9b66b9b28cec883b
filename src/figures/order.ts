/**
 * The middle of a few numbers and what lies around it. Everything here is handed finite numbers, sorts
 * them itself, and gives nothing where there are none: no NaN can begin here.
 */

/** From the smallest to the greatest. */
export function sortNumbers(values: readonly number[]): number[] {
  return [...values].sort((left, right) => left - right);
}

/**
 * A quantile by linear interpolation between neighbours, Hyndman and Fan's type 7, which R, NumPy and
 * spreadsheets have by default. `share`: 0 to 1. Undefined of no values.
 */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = sortNumbers(values);
  const at = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  if (below === undefined || above === undefined) return undefined;
  return below === above ? below : below + (above - below) * (at - Math.floor(at));
}

/** The middle value, between two of them their mean. Undefined of no values. */
export function median(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}

/** Undefined of no values. Summed in their order of size: whoever spoke first changes no last digit. */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return sortNumbers(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** How far values lie from their mean: the root of the mean square. 0 of fewer than two. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  if (middle === undefined) return 0;
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)) ?? 0);
}

/** Texts by their code units: the same everywhere, whatever language a machine speaks. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * What each seat said, by seat. One that said two different things is left out: which of them it meant
 * would depend on the order in which they arrived.
 */
export function bySeat<T>(
  said: readonly T[],
  seatOf: (one: T) => string,
  isSame: (one: T, other: T) => boolean,
): Map<string, T> {
  const kept = new Map<string, T>();
  const torn = new Set<string>();
  for (const one of said) {
    const seat = seatOf(one);
    const other = kept.get(seat);
    if (other === undefined) kept.set(seat, one);
    else if (!isSame(one, other)) torn.add(seat);
  }
  for (const seat of torn) kept.delete(seat);
  return kept;
}

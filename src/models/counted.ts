/** Ten times the largest context there is: what a server reports beyond it is no count. */
const MOST_TOKENS = 100_000_000;

/** A count as a server reports it, which may be anything: 0, as if it had not said, for whatever is none. */
export function counted(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 0;
  return value > 0 && value <= MOST_TOKENS ? value : 0;
}

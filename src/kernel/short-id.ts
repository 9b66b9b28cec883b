/**
 * Returns the part of a run's id that is shown: the first 48 bits, which encode the millisecond of its
 * start.
 */
export function shortId(id: string): string {
  return id.slice(0, 13);
}

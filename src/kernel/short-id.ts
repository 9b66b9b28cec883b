/**
 * Returns the part of a run's id that people see: the first 48 bits, which encode the millisecond
 * of the run's start.
 */
export function shortId(id: string): string {
  return id.slice(0, 13);
}

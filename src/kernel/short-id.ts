/** The part of a run's id that is shown: its first 48 bits, the millisecond it began in. */
export function shortId(id: string): string {
  return id.slice(0, 13);
}

/** A count as a server reports it, which may be anything: 0 for whatever is not one. */
export function counted(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

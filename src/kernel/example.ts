/** The runs that come with the program as examples, written by hand. */
import type { Seat } from './model.ts';

/** What the examples that come with the program name as their model: there was none. No provider is called so. */
export const BY_HAND = 'example/recorded by hand';

/** Whether a run is one of these: no model has spoken in it. */
export function isExample({ seats }: { readonly seats: readonly Pick<Seat, 'model'>[] }): boolean {
  return seats.some(({ model }) => model === BY_HAND);
}

/** The runs that come with the program as examples, written by hand. */
import type { Seat } from './model.ts';

/**
 * The models of examples: `example/recorded by hand`, and `example/alder, recorded by hand` where it matters who
 * answered. No server lists a model with such a name.
 */
const BY_HAND = /^example\/(?:[a-z]+, )?recorded by hand$/;

/** Returns whether a run is one of the examples: no model has spoken in it. */
export function isExample({ seats }: { readonly seats: readonly Pick<Seat, 'model'>[] }): boolean {
  return seats.some(({ model }) => BY_HAND.test(model));
}

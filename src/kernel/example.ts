/** The runs that come with the program as examples, written by hand. */
import type { Seat } from './model.ts';

/**
 * Matches the models of examples: `example/recorded by hand`, and `example/alder, recorded by hand` in
 * examples that distinguish several models. No provider lists a model with such a name.
 */
const BY_HAND = /^example\/(?:[a-z]+, )?recorded by hand$/;

/**
 * Returns whether a run is one of the examples that come with the program. Their answers were written
 * by hand, not by models.
 */
export function isExample({ seats }: { readonly seats: readonly Pick<Seat, 'model'>[] }): boolean {
  return seats.some(({ model }) => BY_HAND.test(model));
}

/** The runs that come with the program as examples, written by hand. */
import type { Seat } from './model.ts';

/** The model name in the example runs, which were written by hand. No provider has this name. */
export const EXAMPLE_MODEL = 'example/recorded by hand';

/** Returns whether a run is one of the examples, in which no model has spoken. */
export function isExample({ seats }: { readonly seats: readonly Pick<Seat, 'model'>[] }): boolean {
  return seats.some(({ model }) => model === EXAMPLE_MODEL);
}

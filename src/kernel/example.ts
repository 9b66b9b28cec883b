/** The runs that come with the program as examples, written by hand. */
import type { Seat } from './model.ts';

/** The provider of the models in the examples that come with the program. No real provider has this name. */
const EXAMPLE_PROVIDER = 'example/';
/** The model of examples in which it does not matter who answered. */
export const BY_HAND = `${EXAMPLE_PROVIDER}recorded by hand`;

/** Returns the name of one of several models that a person played: `example/alder, recorded by hand`. */
export function nameByHand(name: string): string {
  return `${EXAMPLE_PROVIDER}${name}, recorded by hand`;
}

/** Whether a run is one of these: no model has spoken in it. */
export function isExample({ seats }: { readonly seats: readonly Pick<Seat, 'model'>[] }): boolean {
  return seats.some(({ model }) => model.startsWith(EXAMPLE_PROVIDER));
}

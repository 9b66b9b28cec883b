/** Generates sets by name, with any number of items. */
import type { Item, ItemSet } from './item.ts';
import { knightsItem } from './knights.ts';
import { pricesItem } from './prices.ts';
import { scheduleItem } from './schedules.ts';

type Generator = (seed: number, index: number, level: number) => Item;

const GENERATORS: ReadonlyMap<string, Generator> = new Map([
  ['knights', knightsItem],
  ['schedules', scheduleItem],
  ['prices', pricesItem],
]);

/** The name of the set with all kinds in turn. */
const MIXED = 'puzzles';
/** The names of all sets that can be generated. */
export const GENERATED: readonly string[] = [MIXED, ...GENERATORS.keys()];

/** The default level. */
const DEFAULT_LEVEL = 3;
/** The highest level of difficulty of generated puzzles; the lowest is 1. */
export const MOST_LEVEL = 5;

/**
 * Generates a set of `count` items, at least 1; undefined if there is none with this name. The same seed
 * and level give the same items, and a larger count only adds items at the end.
 */
export function generateSet(
  name: string,
  count: number,
  { seed = 1, level = DEFAULT_LEVEL }: { seed?: number; level?: number } = {},
): ItemSet | undefined {
  const generators = name === MIXED ? [...GENERATORS.values()] : [GENERATORS.get(name)];
  const items: Item[] = [];
  for (let index = 0; index < count; index += 1) {
    const generator = generators[index % generators.length];
    if (generator === undefined) return undefined;
    items.push(generator(seed, index, level));
  }
  return { name: `${name}:${level}`, items };
}

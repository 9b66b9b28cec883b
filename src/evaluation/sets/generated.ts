/** The generated sets by name, as many items of them as are wanted. */
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

/** All kinds in turn. */
const MIXED = 'puzzles';
export const GENERATED: readonly string[] = [MIXED, ...GENERATORS.keys()];

/** Where nothing is said of it. */
const DEFAULT_LEVEL = 3;
export const MOST_LEVEL = 5;

/** Undefined where no such set is generated. The same seed gives the same items, and the first of them first. */
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

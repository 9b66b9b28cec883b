/**
 * The order in which an evaluation processes its set. Units are shuffled once and processed in that order,
 * so a stopped evaluation has seen a fair part of the set.
 */
import { shuffleItems } from '../kernel/chance.ts';
import type { Item } from './sets/item.ts';

/**
 * One repetition of a statistical unit, with all items of the unit. The turn counts only when every arm
 * has answered all of these items.
 */
export interface Turn {
  readonly unit: string;
  readonly items: readonly Item[];
  /** The number of the repetition, from 1. The random choices of the repetition depend on it. */
  readonly seed: number;
}

/** The number of items in a block. Every arm answers a whole block before the next one begins. */
export const BLOCK = 50;
/**
 * The number of items in a block if a provider's batch service answers. These blocks are larger,
 * because even a small batch takes long.
 */
export const BATCHED_BLOCK = 100;

/**
 * Returns the name of the statistical unit of an item: the item itself, or the memo of which it is
 * a variant.
 */
export function unitOf(item: Item): string {
  return item.meta.unit ?? item.id;
}

/**
 * Groups items into statistical units, shuffles the units by `seed`, and divides their turns into blocks
 * that are asked one after the other: every unit once, then the first `again` units a second and a
 * third time.
 * @param size the largest number of items in a block; a unit is never divided
 */
export function blocksOf(
  items: readonly Item[],
  { seed, again }: { readonly seed: number; readonly again: number },
  size = BLOCK,
): Turn[][] {
  const byUnit = new Map<string, Item[]>();
  for (const item of items) byUnit.set(unitOf(item), [...(byUnit.get(unitOf(item)) ?? []), item]);
  const units = shuffleItems([...byUnit], seed, 'units').map(([unit, own], index) => ({
    unit,
    items: shuffleItems(own, seed, `unit ${index}`),
  }));
  const turns = [
    ...units.map((unit): Turn => ({ ...unit, seed: 1 })),
    ...[2, 3].flatMap((repetition) =>
      units.slice(0, again).map((unit): Turn => ({ ...unit, seed: repetition })),
    ),
  ];
  const blocks: Turn[][] = [];
  let room = 0;
  for (const turn of turns) {
    if (room < turn.items.length) {
      blocks.push([]);
      room = size;
    }
    blocks.at(-1)?.push(turn);
    room -= turn.items.length;
  }
  return blocks;
}

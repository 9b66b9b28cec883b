/**
 * The order in which an evaluation processes its set. Units are shuffled once and processed in that order,
 * so a stopped evaluation has seen a fair part of the set.
 */
import { shuffle } from '../kernel/chance.ts';
import type { Item } from './sets/item.ts';

/** One repetition of one unit: all its items, which every arm answers before it counts. */
export interface Turn {
  readonly unit: string;
  readonly items: readonly Item[];
  /** 1, 2, …: the repetition. */
  readonly seed: number;
}

/** Items per block; every arm answers a block before the next one begins. */
export const BLOCK = 50;
/** Items per block if answers come in batches, each of which takes a long time whatever its size. */
export const BATCHED_BLOCK = 100;

/** Returns the unit of an item, which for a memo contains all its variants. */
export function unitOf(item: Item): string {
  return item.meta.unit ?? item.id;
}

/** Returns blocks with every unit once, then the first `again` units a second and a third time. */
export function blocksOf(
  items: readonly Item[],
  { seed, again }: { readonly seed: number; readonly again: number },
  size = BLOCK,
): Turn[][] {
  const byUnit = new Map<string, Item[]>();
  for (const item of items) byUnit.set(unitOf(item), [...(byUnit.get(unitOf(item)) ?? []), item]);
  const units = shuffle([...byUnit], seed, 'units').map(([unit, own], index) => ({
    unit,
    items: shuffle(own, seed, `unit ${index}`),
  }));
  const turns = [
    ...units.map((one): Turn => ({ ...one, seed: 1 })),
    ...[2, 3].flatMap((repetition) =>
      units.slice(0, again).map((one): Turn => ({ ...one, seed: repetition })),
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

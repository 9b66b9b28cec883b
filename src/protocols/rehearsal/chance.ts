/** Repeatable chance for the rehearsal: the same words in, the same words out. */
import { createHash } from 'node:crypto';

export class Chance {
  private state: number;

  constructor(...seeds: readonly (string | number)[]) {
    // JSON keeps ["a","bc"] and ["ab","c"] apart.
    this.state = createHash('sha256').update(JSON.stringify(seeds)).digest().readUInt32LE(0);
  }

  /** From 0 up to 1, by mulberry32: 32 bits of state are plenty for picking sentences. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** `count` of the items, in an order of their own. */
  some<T>(items: readonly T[], count: number): T[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .sort((left, right) => left.place - right.place)
      .slice(0, count)
      .map(({ item }) => item);
  }
}

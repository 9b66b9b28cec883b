/** Reproducible pseudo-random choices: the same seeds give the same result. */
import { createHash } from 'node:crypto';

/** A generator of pseudo-random numbers that gives the same numbers for the same seeds. */
export class Chance {
  private state: number;

  constructor(...seeds: readonly (string | number)[]) {
    // Joining the seeds as JSON keeps ["a","bc"] and ["ab","c"] different.
    this.state = createHash('sha256').update(JSON.stringify(seeds)).digest().readUInt32LE(0);
  }

  /**
   * Returns a number of at least 0 and less than 1. The algorithm is mulberry32, whose 32 bits of
   * state suffice for choosing sentences.
   */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Returns one of the items. */
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** Returns `count` of the items in a random order; all of them if there are fewer. */
  some<T>(items: readonly T[], count: number): T[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .sort((left, right) => left.place - right.place)
      .slice(0, count)
      .map(({ item }) => item);
  }
}

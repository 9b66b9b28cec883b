/** Random numbers for simulated runs, which depend on the seed alone. */

/** A sequence of random choices (mulberry32) that is the same for the same seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0;
  }

  /** Returns a number from 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a number from `low` up to but not including `high`. */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Returns a whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  /** Returns true with the given probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /**
   * Returns one of the items.
   *
   * @throws RangeError if there are no items
   */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** Returns `number` different items in random order, or all if there are fewer. */
  some<T>(items: readonly T[], number: number): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < number && left.length > 0)
      taken.push(...left.splice(Math.floor(this.next() * left.length), 1));
    return taken;
  }

  /**
   * Returns how often something happens that happens `average` times on average, each time independently of
   * the others.
   */
  poisson(average: number): number {
    const limit = Math.exp(-average);
    let times = 0;
    for (let product = this.next(); product > limit; product *= this.next()) times += 1;
    return times;
  }
}

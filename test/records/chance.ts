/** Random numbers that a seed decides, for simulated runs: the same seed, the same run. */

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** So many different items, or all there are. */
  some<T>(items: readonly T[], number: number): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < number && left.length > 0)
      taken.push(...left.splice(Math.floor(this.next() * left.length), 1));
    return taken;
  }

  /** How often something happens that happens `average` times on average, each time by itself. */
  poisson(average: number): number {
    const limit = Math.exp(-average);
    let times = 0;
    for (let product = this.next(); product > limit; product *= this.next()) times += 1;
    return times;
  }
}

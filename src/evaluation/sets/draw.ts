/**
 * Random numbers for generated sets. They use only integers, so that a seed gives the same set on every
 * machine and engine.
 */

/** Hashes a text with FNV-1a to 32 bits. */
function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

/** A generator of random numbers that depend only on the given names and numbers. */
export class RandomDraw {
  #state: number;

  constructor(...of: readonly (string | number)[]) {
    this.#state = hashText(of.join('\u0000'));
  }

  /** Returns the next number of Mulberry32, whose 32 bits of state suffice for some thousand draws. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** Returns an integer from `least` to `most`, both inclusive. */
  between(least: number, most: number): number {
    return least + (this.#next() % (most - least + 1));
  }

  /** Returns one of the items; throws if there is none. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Returns all items in a random order. */
  shuffle<T>(items: readonly T[]): T[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last -= 1) {
      const other = this.between(0, last);
      const kept = mixed[last] as T;
      mixed[last] = mixed[other] as T;
      mixed[other] = kept;
    }
    return mixed;
  }

  /** Returns `count` different items in a random order; all items if there are fewer. */
  some<T>(items: readonly T[], count: number): T[] {
    return this.shuffle(items).slice(0, count);
  }
}

/** Names of people for puzzles. */
export const NAMES = [
  ...['Ada', 'Boris', 'Chloe', 'Deniz', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas'],
  ...['Kaya', 'Lars', 'Mira', 'Nadia', 'Oskar', 'Priya', 'Ravi', 'Sofia', 'Tariq', 'Vera'],
] as const;

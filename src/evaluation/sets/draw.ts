/**
 * Chance for generated sets: whole numbers alone, so that a seed gives the same set on every machine
 * and in every version of the engine that runs it.
 */

/** FNV-1a, 32 bits: spreads names over seeds. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

export class Draw {
  #state: number;

  constructor(...of: readonly (string | number)[]) {
    this.#state = hash(of.join('\u0000'));
  }

  /** Mulberry32: 32 bits of state, which is plenty for some thousand draws. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + (this.#next() % (most - least + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** All of them in another order. */
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

  /** So many of them. */
  some<T>(items: readonly T[], count: number): T[] {
    return this.shuffle(items).slice(0, count);
  }
}

export const NAMES = [
  ...['Ada', 'Boris', 'Chloe', 'Deniz', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas'],
  ...['Kaya', 'Lars', 'Mira', 'Nadia', 'Oskar', 'Priya', 'Ravi', 'Sofia', 'Tariq', 'Vera'],
] as const;

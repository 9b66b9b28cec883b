/** Pseudo-random numbers that depend only on a purpose and a seed. */
import { makeNonce } from '../../src/kernel/chance.ts';

/** A sequence of pseudo-random numbers that depends only on a purpose and a seed. */
export class Chance {
  readonly #purpose: string;
  readonly #seed: number;
  #drawn = 0;

  constructor(purpose: string, seed: number | string) {
    this.#purpose = `${purpose} ${seed}`;
    this.#seed = Number.parseInt(String(seed), 10);
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#drawn += 1;
    return (
      Number.parseInt(makeNonce(this.#seed, `${this.#purpose} ${this.#drawn}`).slice(0, 6), 16) /
      0x1000000
    );
  }

  /** Returns an element, each equally likely. The list must not be empty. */
  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.next() * all.length)] as T;
  }
}

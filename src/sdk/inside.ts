/** The asynchronous context that marks the author's code, through every await. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Quoted } from '../kernel/model.ts';

/** The context of the author's code while it runs; the program's own code has none. */
export interface Inside {
  readonly seed: number;
  /** The blocks made by `quote` and their contents: a prompt that contains a block has quoted them. */
  readonly quoted: Map<string, Quoted>;
}

/** Distinguishes the author's code from the program's. */
export const INSIDE: AsyncLocalStorage<Inside | undefined> = new AsyncLocalStorage();

/** The part of the program that an author's code runs in, through every await. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Quoted } from '../kernel/model.ts';

/** What is around the author's code while it runs; nothing around the program's own. */
export interface Inside {
  readonly seed: number;
  /** Blocks that `quote` made, with what stands in each: a prompt that holds one has quoted it. */
  readonly quoted: Map<string, Quoted>;
}

/** Tells the author's code from the program's. */
export const INSIDE: AsyncLocalStorage<Inside | undefined> = new AsyncLocalStorage();

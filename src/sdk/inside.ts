/** The part of the program that an author's code runs in, through every await. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What is around the author's code while it runs; nothing around the program's own. */
export interface Inside {
  readonly seed: number;
}

/** Tells the author's code from the program's. */
export const INSIDE: AsyncLocalStorage<Inside | undefined> = new AsyncLocalStorage();

/** A clock that tests turn by hand: nobody waits for it, and it tells what was waited for. */
import { once } from 'node:events';
import type { Clock } from '../../src/models/retry.ts';

export class HandClock implements Clock {
  /** The milliseconds of every wait, in order. */
  readonly waits: number[] = [];
  readonly #most: number;
  #now = 0;

  /** @param most How many waits come to an end. Those after them last until they are aborted. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  now(): number {
    return this.#now;
  }

  /** Lets time go by in which nobody waits. */
  pass(ms: number): void {
    this.#now += ms;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(ms);
    if (this.waits.length > this.#most) await once(signal, 'abort');
    signal.throwIfAborted();
    this.#now += ms;
  }

  /** Milliseconds of all waits together, without the first few. */
  waited(from = 0): number {
    return this.waits.slice(from).reduce((sum, ms) => sum + ms, 0);
  }
}

/** A clock for tests that records waits instead of waiting. */
import { once } from 'node:events';
import type { Clock } from '../../src/models/retry.ts';

/** A clock that begins at 0 and that tests turn by hand. A wait ends at once and moves the time forward. */
export class HandClock implements Clock {
  /** The milliseconds of every wait, in order. */
  readonly waits: number[] = [];
  readonly #most: number;
  #now = 0;

  /** @param most The number of waits that end by themselves. Each further wait lasts until it is aborted. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  now(): number {
    return this.#now;
  }

  /** Moves the time forward without a wait. */
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

  /** Returns the milliseconds of all waits together, without the first `from` waits. */
  waited(from = 0): number {
    return this.waits.slice(from).reduce((sum, ms) => sum + ms, 0);
  }
}

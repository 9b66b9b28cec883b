/** Tells the time and waits, for whoever spaces things out. Tests turn one by hand. */
import { setTimeout } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Resolves after so many milliseconds. Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

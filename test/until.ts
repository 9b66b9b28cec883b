/** The one way in which tests and their helpers wait for what tells nobody when it is there: look again and again. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Against what hangs, not against what is slow: a busy machine takes many times as long. */
const PATIENCE_MS = 120_000;
const BETWEEN_LOOKS_MS = 20;

type Found<T> = Exclude<T, false | '' | 0 | null | undefined>;

/**
 * Looks until it finds something.
 *
 * @param look What it returns is found if it is truthy.
 * @param what Says what was missing, where it is never found.
 * @returns What was found.
 * @throws Error after two minutes, or after `patienceMs`.
 */
export async function waitUntil<T>(
  look: () => T | Promise<T>,
  what: string | (() => string),
  patienceMs: number = PATIENCE_MS,
): Promise<Found<T>> {
  const over = AbortSignal.timeout(patienceMs);
  for (;;) {
    const found = await look();
    if (found) return found as Found<T>;
    if (over.aborted) throw new Error(typeof what === 'string' ? `no ${what}` : what());
    await sleep(BETWEEN_LOOKS_MS);
  }
}

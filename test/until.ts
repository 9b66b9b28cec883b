/**
 * The one way in which tests and their helpers wait for something that sends no event: they look again and
 * again.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The time after which a test counts as hanging. It is long, since a busy machine can be many times slower.
 */
const PATIENCE_MS = 120_000;
const BETWEEN_LOOKS_MS = 20;

type Found<T> = Exclude<T, false | '' | 0 | null | undefined>;

/**
 * Calls `look` every 20 ms until it returns a truthy value, and returns this value.
 *
 * @param look Returns a truthy value once the test can go on.
 * @param what The thing that is missing, for the message of the error; a function returns the whole message.
 * @throws Error after two minutes, or after `patienceMs`
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

/**
 * Retries work on files that another program holds open, as virus scanners and indexers on Windows do for a
 * moment.
 */
import { SYSTEM, type System } from './system.ts';

/** Milliseconds to wait before each retry: less than a second in all. */
const PAUSES = [10, 40, 100, 250, 500];

const HELD = new Set(['EBUSY', 'EPERM', 'EACCES']);

/**
 * Calls `work` and returns its result. On Windows, `work` is called again up to five times within a second if it
 * fails as when another program holds a file open. The thread is blocked meanwhile.
 * @throws the error of the last call
 */
export function retryWhileHeld<T>(work: () => T, system: System = SYSTEM): T {
  for (const pause of system === 'windows' ? PAUSES : [])
    try {
      return work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!HELD.has(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  return work();
}

/**
 * Counts the steps of a function in place of timing it: how often each block of its code was entered, and how
 * many characters and elements the engine's own functions (`slice`, `indexOf`, regular expressions …) went over
 * for it. The count depends on nothing but the input.
 *
 * It does not see what one search by a regular expression does besides going forward. A search that goes back
 * over its text again and again is found by its length instead: with hundreds of thousands of characters
 * it would last longer than the time of a test.
 */
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

export interface Job {
  /** URL of a module that Node loads as it is. */
  readonly module: string;
  /** A function that it exports. If the function returns a function, the steps of that one are counted. */
  readonly name: string;
  /** The arguments of each call. */
  readonly calls: readonly (readonly unknown[])[];
}

/**
 * Calls a function once for each list of arguments, in a thread that ends with the test.
 *
 * @param module The URL of its file.
 * @param name As the file exports the function.
 * @returns The steps of each call, in the order of `calls`.
 */
export function countSteps(
  module: URL,
  name: string,
  calls: readonly (readonly unknown[])[],
): Promise<number[]> {
  const job: Job = { module: module.href, name, calls };
  const worker = new Worker(new URL('counter.ts', import.meta.url), {
    workerData: job,
    // Code from the compile cache would not be counted.
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  // A call that never returns must not outlive the test.
  onTestFinished(() => void worker.terminate());
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  });
}

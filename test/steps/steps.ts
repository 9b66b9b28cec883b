/**
 * Counts the steps of a function instead of timing it: how often each block of its code was entered, and how
 * many characters and elements the engine's own functions (`slice`, `indexOf`, regular expressions …) went
 * over for it. The count depends on nothing but the input.
 *
 * The count leaves out that a regular expression may go back over a text within one search. A search that
 * does this often is noticed by the length of its text: with hundreds of thousands of characters it takes
 * longer than a test may.
 */
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** The calls whose steps are to be counted. */
export interface Job {
  /** The URL of a module that Node can load as it is. */
  readonly module: string;
  /**
   * The name under which the module exports the function. If the function returns a function, the steps of
   * the returned one are counted.
   */
  readonly name: string;
  /** The arguments of each call. */
  readonly calls: readonly (readonly unknown[])[];
}

/**
 * Calls a function once for each list of arguments, in a thread that ends with the test. Returns the number
 * of steps of each call, in the order of `calls`. Steps are the blocks of code that were entered, and the
 * characters and elements that functions of the engine went over.
 *
 * @param module The URL of the function's file.
 * @param name The name under which the file exports the function.
 * @throws Error if the file does not export the function, or the function throws
 */
export function countSteps(
  module: URL,
  name: string,
  calls: readonly (readonly unknown[])[],
): Promise<number[]> {
  const job: Job = { module: module.href, name, calls };
  const worker = new Worker(new URL('counter.ts', import.meta.url), {
    workerData: job,
    // Switch off Node’s compile cache, because functions that are loaded from it already compiled would not be
    // counted.
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  // If the counted function never returns, its thread ends with the test.
  onTestFinished(() => void worker.terminate());
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  });
}

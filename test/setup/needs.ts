/**
 * Skips tests that need something that this machine does not have. The report counts them by their reasons.
 */
import { beforeEach, TestRunner } from 'vitest';
import { findOnPath } from '../../src/io/tools.ts';

/**
 * Skips the current test unless a program is on the PATH. Helpers call this before they start the program.
 *
 * @throws Error outside of a test, where nothing can be skipped
 */
export function needProgram(name: string): void {
  if (findOnPath(name, process.env) !== undefined) return;
  const why = `${name} is not installed`;
  TestRunner.getCurrentTest()?.context.skip(why);
  throw new Error(why);
}

/**
 * Skips all tests of the current suite, or of the current file, unless `isThere` is true. `why` is the
 * reason in the report.
 */
export function needAll(isThere: boolean, why: string): void {
  beforeEach(({ skip }) => skip(!isThere, why));
}

/** The reason why tests in bubblewrap are skipped. */
export const NO_BWRAP = 'bwrap is not installed, or may not be used here';

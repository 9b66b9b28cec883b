/** Starts the program for tests that kill it in the middle of an evaluation. */
import { PROGRAM } from '../e2e/terminal.ts';
import { Child } from '../store/child.ts';

/**
 * Starts the program in a process of its own, with no environment but PATH and `env`. Its standard output is
 * read as lines of JSON.
 */
export function startProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  return new Child(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
}

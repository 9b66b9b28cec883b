/** A life of the program, which can be ended: what it says on standard output is JSON, line by line. */
import { PROGRAM } from '../e2e/terminal.ts';
import { Child } from '../store/child.ts';

export function startProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  return new Child(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
}

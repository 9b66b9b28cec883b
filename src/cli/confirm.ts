/** Asks a person at the terminal for a yes. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from '../kernel/errors.ts';
import type { Invocation } from './invocation.ts';

/** False for anything but `y` or `yes`. @throws UsageError, with `next`, where nobody is there. */
export async function confirmed(
  { stdin, err }: Pick<Invocation, 'stdin' | 'err'>,
  prompt: string,
  next: string,
): Promise<boolean> {
  if (!stdin.isTTY) throw new UsageError('nobody is here to confirm', next);
  const terminal = createInterface({ input: stdin, output: err });
  try {
    // Ctrl-C and Ctrl-D close the terminal without an answer: that is no.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(prompt), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/** Takes a run that another process may hold: by the flag, or by asking the person who is there. */

import { confirm } from '../io/confirm.ts';
import { RunOwnedError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import type { OwnOptions } from '../store/store.ts';
import type { Invocation } from './invocation.ts';

/**
 * Does `work` with the run. Where nobody can tell whether its owner lives, as after it was killed on
 * another machine, a person at the terminal is asked whether to take it over.
 *
 * @throws RunOwnedError where its owner lives, or nobody took it over.
 */
export async function taking<T>(
  call: Invocation,
  run: string,
  work: (how: OwnOptions) => T,
): Promise<T> {
  try {
    return work({ takeOver: call.flags.takeOver });
  } catch (error) {
    if (!(error instanceof RunOwnedError) || error.certain || !mayAsk(call)) throw error;
    call.err.write(`deliberate: ${error.message}.\n`);
    const question = `Take over run ${shortId(run)}? Only if that process is gone. [y/N] `;
    if (!(await confirm(call, question, error.next ?? ''))) throw error;
    return work({ takeOver: true });
  }
}

/** `--yes` answers what a run asks, and says nothing about other machines. */
function mayAsk({ flags, stdin, err }: Invocation): boolean {
  return stdin.isTTY && err.isTTY && !flags.json;
}

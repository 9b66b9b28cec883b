/** Takes over a run that another process may own: by the flag, or after asking the person. */

import { askToConfirm } from '../io/confirm.ts';
import { RunOwnedError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import type { OwnOptions } from '../store/store.ts';
import type { Invocation } from './invocation.ts';

/**
 * Calls `work`, which takes a run over from the process that owns it. If it is unknown whether that
 * process is alive, `--take-over` takes the run over; without this flag the person is asked.
 *
 * @throws RunOwnedError if the owner is alive, or the person does not agree or cannot be asked
 */
export async function withTakeover<T>(
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
    if (!(await askToConfirm(call, question, error.next ?? ''))) throw error;
    return work({ takeOver: true });
  }
}

/** Returns whether the person can be asked. `--yes` is no answer here: it answers what a run asks. */
function mayAsk({ flags, stdin, err }: Invocation): boolean {
  return stdin.isTTY && err.isTTY && !flags.json;
}

/** `deliberate resume`: continues a run, then performs what its protocol's desk does after a run. */
import type { Invocation } from '../app/invocation.ts';
import { resume as goOn } from '../app/run/resume.ts';
import type { RunView } from '../kernel/view.ts';
import { finishResumedRun } from '../protocols/desks.ts';

/**
 * Runs `deliberate resume`: continues a run. If the run is done afterwards, also does what its
 * protocol's command does after a run. Resolves to the exit code.
 */
export async function resume(call: Invocation): Promise<number> {
  let run: RunView | undefined;
  const finish = async (): Promise<number | undefined> =>
    run && finishResumedRun(run.protocol, call, run.id, run.status === 'done');
  let code: number;
  try {
    code = await goOn(call, (view) => {
      run = view;
    });
  } catch (error) {
    // `deliberate resume` fails for a run that is already done. Call `finish` all the same: an earlier process
    // may have been killed before it called `finish`.
    const isDone = (run as RunView | undefined)?.status === 'done';
    const finished = isDone ? await finish() : undefined;
    if (finished === undefined) throw error;
    return finished;
  }
  return code === 0 ? ((await finish()) ?? 0) : code;
}

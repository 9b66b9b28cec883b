/** `deliberate resume`: goes on with a run, then does what its desk does when one has ended. */
import type { Invocation } from '../app/invocation.ts';
import { resume as goOn } from '../app/run/resume.ts';
import type { RunView } from '../kernel/view.ts';
import { finishRun } from '../protocols/desks.ts';

export async function resume(call: Invocation): Promise<number> {
  let run: RunView | undefined;
  const finish = async (): Promise<number | undefined> =>
    run && finishRun(run.protocol, call, run.id, run.status === 'done');
  let code: number;
  try {
    code = await goOn(call, (view) => {
      run = view;
    });
  } catch (error) {
    // It may have been killed between its last step and what its desk does after that.
    const isDone = (run as RunView | undefined)?.status === 'done';
    const finished = isDone ? await finish() : undefined;
    if (finished === undefined) throw error;
    return finished;
  }
  return code === 0 ? ((await finish()) ?? 0) : code;
}

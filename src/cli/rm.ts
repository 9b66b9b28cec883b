/** `rm`: recorded runs, with all that was kept beside them, are removed. */
import type { Invocation } from '../app/invocation.ts';
import { removeRun } from '../app/remove-run.ts';
import { withStore } from '../app/store.ts';
import { suggest } from '../app/suggest.ts';
import { taking } from '../app/taking.ts';
import { confirm } from '../io/confirm.ts';
import { UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { line } from '../text/line.ts';
import { truncate } from '../text/width.ts';

export async function remove(call: Invocation): Promise<number> {
  return withStore(call, async (store) => {
    if (call.words.length === 0)
      throw new UsageError(
        'no run given',
        `Example: ${suggest(call, '0192f0')}; see deliberate list.`,
      );
    // All of them are looked up before the first one goes.
    const runs = [...new Set(call.words.map((ref) => store.find(ref)))];
    const names = runs.map(
      (id) => `${shortId(id)} "${truncate(line(store.summary(id).question), 60)}"`,
    );
    const what = names.length === 1 ? 'run ' : `these ${names.length} runs:\n  `;
    if (
      !call.flags.yes &&
      !(await confirm(
        call,
        `Remove ${what}${names.join('\n  ')} permanently? [y/N] `,
        'Pass --yes to remove without confirmation.',
      ))
    ) {
      call.err.write('Nothing was removed.\n');
      return 1;
    }
    for (const id of runs) {
      await taking(call, id, (how) => removeRun(store, call.env, id, how));
      call.err.write(`Removed ${shortId(id)}.\n`);
    }
    return 0;
  });
}

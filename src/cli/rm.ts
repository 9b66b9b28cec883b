/** `rm`: removes recorded runs with all files that belong to them. */
import type { Invocation } from '../app/invocation.ts';
import { removeRun } from '../app/remove-run.ts';
import { withRecorded } from '../app/store.ts';
import { formatCommand } from '../app/suggest.ts';
import { withTakeover } from '../app/taking.ts';
import { askToConfirm } from '../io/confirm.ts';
import { UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { toLine } from '../text/line.ts';
import { truncateLine } from '../text/width.ts';

/**
 * Runs `deliberate rm`: deletes the named runs, by default the latest, after the person has confirmed
 * it or with `--yes`. Resolves to the exit code: 1 if the person declines.
 */
export async function remove(call: Invocation): Promise<number> {
  return withRecorded(call, async (store) => {
    const { words, flags } = call;
    // Refuse `--yes` without a run's name: the person would not see which run is deleted.
    if (words.length === 0 && flags.yes)
      throw new UsageError(
        'no run given',
        `Example: ${formatCommand(call, '0192f0')}; see deliberate list.`,
      );
    // Look all runs up before removing the first one, so that an unknown name removes nothing.
    const runs = [
      ...new Set((words.length === 0 ? ['latest'] : words).map((ref) => store.find(ref))),
    ];
    const names = runs.map(
      (id) => `${shortId(id)} "${truncateLine(toLine(store.summary(id).question), 60)}"`,
    );
    const what = names.length === 1 ? 'run ' : `these ${names.length} runs:\n  `;
    if (
      !flags.yes &&
      !(await askToConfirm(
        call,
        `Remove ${what}${names.join('\n  ')} permanently? [y/N] `,
        'Pass --yes to remove without confirmation.',
      ))
    ) {
      call.err.write('Nothing was removed.\n');
      return 1;
    }
    for (const id of runs) {
      await withTakeover(call, id, (how) => removeRun(store, call.env, id, how));
      call.err.write(`Removed ${shortId(id)}.\n`);
    }
    return 0;
  });
}

/** `show` and `rm`: one recorded run. */

import type { Invocation } from '../app/invocation.ts';
import { removeRun } from '../app/remove-run.ts';
import { runOf } from '../app/run-of.ts';
import { withStore } from '../app/store.ts';
import { suggest } from '../app/suggest.ts';
import { taking } from '../app/taking.ts';
import { confirm } from '../io/confirm.ts';
import { UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { report } from '../plain/report.ts';
import { textNamed } from '../protocols/table.ts';
import { line } from '../text/line.ts';
import { truncate } from '../text/width.ts';

export async function show(call: Invocation): Promise<number> {
  return withStore(call, async (store) => {
    const id = store.find(runOf(call));
    if (call.flags.json) for (const one of store.facts(id)) call.out.write(jsonLine(one));
    else {
      const { protocol, status } = store.summary(id);
      call.out.write(report(store.facts(id), await textNamed(protocol), status));
    }
    return 0;
  });
}

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

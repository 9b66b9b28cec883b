/** `deliberate diff`: prints what differs between two runs of the same protocol. */

import { UsageError } from '../../kernel/errors.ts';
import { viewOf } from '../../kernel/view.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import type { Invocation } from '../invocation.ts';
import { openRecorded } from '../store.ts';
import { formatCommand } from '../suggest.ts';

/** Runs `deliberate diff`: prints what differs between two runs. Resolves to the exit code. */
export async function diff(call: Invocation): Promise<number> {
  const [first, second, ...more] = call.words;
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError(
      'name two runs',
      `Use ids, their beginnings, or "latest": ${formatCommand(call, '0192f0 latest')}`,
    );
  const store = openRecorded(call);
  try {
    const [before, after] = [store.facts(store.find(first)), store.facts(store.find(second))];
    const [old, now] = [viewOf(before), viewOf(after)];
    if (old.protocol !== now.protocol)
      throw new UsageError(
        `${old.protocol} and ${now.protocol} runs cannot be compared`,
        'Name two runs of the same protocol.',
      );
    const runs = { a: old.id, b: now.id };
    if (old.protocol === '') throw new UsageError('neither run was started; nothing to compare');
    const protocol = await call.protocols.loadText(old.protocol);
    const { found, text } = protocol.diff(
      { facts: before, view: old },
      { facts: after, view: now },
    );
    call.out.write(call.flags.json ? jsonLine({ ...runs, ...found }) : text);
    return 0;
  } finally {
    store.close();
  }
}

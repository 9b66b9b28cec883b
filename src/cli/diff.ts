/** `deliberate diff`: what two runs of one protocol say differently. */
import { UsageError } from '../kernel/errors.ts';
import { roundsOf } from '../kernel/rounds-view.ts';
import { viewOf } from '../kernel/view.ts';
import { boardDiffText, diffBoards, diffRounds, roundsDiffText } from '../plain/diff.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { Store } from '../store/store.ts';
import { databaseFile } from './files.ts';
import type { Invocation } from './invocation.ts';
import { suggested } from './suggest.ts';

export async function diff(call: Invocation): Promise<number> {
  const [first, second, ...more] = call.words;
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError(
      'name two runs',
      `Ids, beginnings of them, or "latest": ${suggested(call, '0192f0 latest')}`,
    );
  const store = Store.open(databaseFile(call));
  try {
    const [before, after] = [store.facts(store.find(first)), store.facts(store.find(second))];
    const [old, now] = [viewOf(before), viewOf(after)];
    if (old.protocol !== now.protocol)
      throw new UsageError(
        `${old.protocol} and ${now.protocol} have nothing to compare`,
        'Name two runs of one protocol.',
      );
    const runs = { a: old.id, b: now.id };
    if (old.protocol === 'rounds') {
      const found = diffRounds(roundsOf(before), roundsOf(after));
      call.out.write(call.flags.json ? jsonLine({ ...runs, ...found }) : roundsDiffText(found));
    } else {
      const found = diffBoards(old, now);
      call.out.write(call.flags.json ? jsonLine({ ...runs, ...found }) : boardDiffText(found));
    }
    return 0;
  } finally {
    store.close();
  }
}

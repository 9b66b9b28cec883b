/** `deliberate diff`: what two runs of one protocol say differently. */

import { UsageError } from '../../kernel/errors.ts';
import { viewOf } from '../../kernel/view.ts';
import {
  agentsDiffText,
  boardDiffText,
  diffAgents,
  diffBoards,
  diffRounds,
  roundsDiffText,
} from '../../plain/diff.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { agentsOf } from '../../protocols/agents/fold.ts';
import { roundsOf } from '../../protocols/rounds/fold.ts';
import type { Invocation } from '../invocation.ts';
import { openStore } from '../store.ts';
import { suggested } from '../suggest.ts';

export async function diff(call: Invocation): Promise<number> {
  const [first, second, ...more] = call.words;
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError(
      'name two runs',
      `Ids, beginnings of them, or "latest": ${suggested(call, '0192f0 latest')}`,
    );
  const store = openStore(call);
  try {
    const [before, after] = [store.facts(store.find(first)), store.facts(store.find(second))];
    const [old, now] = [viewOf(before), viewOf(after)];
    if (old.protocol !== now.protocol)
      throw new UsageError(
        `${old.protocol} and ${now.protocol} have nothing to compare`,
        'Name two runs of one protocol.',
      );
    const runs = { a: old.id, b: now.id };
    const say = <T extends object>(found: T, text: (found: T) => string): void =>
      void call.out.write(call.flags.json ? jsonLine({ ...runs, ...found }) : text(found));
    switch (old.protocol) {
      case 'board':
        say(diffBoards(old, now), boardDiffText);
        return 0;
      case 'rounds':
        say(diffRounds(roundsOf(before), roundsOf(after)), roundsDiffText);
        return 0;
      case 'agent': {
        const worked = { view: old, agents: agentsOf(before) };
        say(diffAgents(worked, { view: now, agents: agentsOf(after) }), agentsDiffText);
        return 0;
      }
      default:
        throw new UsageError(
          old.protocol === ''
            ? 'neither of the two ever began: there is nothing to compare'
            : `this version cannot compare runs of the protocol "${old.protocol}"`,
        );
    }
  } finally {
    store.close();
  }
}

/** `deliberate open`: opens a recorded run in the console. Calls no model. */

import { RunOwnedError } from '../../kernel/errors.ts';
import type { Fact } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Ending } from '../../kernel/session.ts';
import type { RunView } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { Invocation } from '../invocation.ts';
import { hasConsole } from '../run/display.ts';
import { withRun } from '../run/resume.ts';
import { runInTerminal } from '../run/run-in-terminal.ts';
import { watch } from '../run/watch.ts';
import { findRunOf } from '../run-of.ts';
import { reopenRunTools } from '../settings/run-tools.ts';
import { withTakeover } from '../taking.ts';

/**
 * Opens a run in the console. A run that another process works on is watched. Resolves to the exit
 * code.
 */
export function open(call: Invocation): Promise<number> {
  return withRun(
    call,
    async ({ found, view, facts }) => {
      const journal = await openOwned(call, found.store, view.id);
      if (journal === undefined) return watch({ ...call, words: [view.id] });
      return runInTerminal({
        ...found,
        journal,
        // Opening a run asks no model, so do not report missing folders and tool servers yet.
        tools: await reopenRunTools(call, found.store, view, found.models, false),
        ...(hasConsole(call) && view.status === 'running'
          ? { shown: [...facts, markInterrupted(facts)] }
          : {}),
        start: () => Promise.resolve(endingOf(view)),
      });
    },
    findRunOf,
  );
}

async function openOwned(call: Invocation, store: Store, id: string): Promise<Journal | undefined> {
  try {
    return await withTakeover(call, id, (how) => store.own(id, how));
  } catch (error) {
    if (error instanceof RunOwnedError) return undefined;
    throw error;
  }
}

/**
 * Returns the facts with an interrupted end added for the display, so that a run whose process died does not
 * look alive.
 */
function markInterrupted(facts: readonly AnyFact[]): Fact {
  const last = facts.at(-1);
  const { run = '', seq = 0, at = '' } = last ?? {};
  const reason = 'its process ended before the run did';
  return { v: 1, type: 'run.ended', run, seq, at, status: 'stopped', reason };
}

function endingOf({ status, reason }: RunView): Ending {
  return {
    status: status === 'done' || status === 'failed' ? status : 'stopped',
    ...withoutUndefined({ reason }),
  };
}

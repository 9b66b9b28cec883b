/** `deliberate open`: a recorded run in the console, with all that can be done to it; nobody is asked. */
import { DeliberateError, RunOwnedError } from '../kernel/errors.ts';
import type { Fact } from '../kernel/facts.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Ending } from '../kernel/session.ts';
import { type RunView, viewOf } from '../kernel/view.ts';
import { Store } from '../store/store.ts';
import { readConfig } from './config.ts';
import { shortId } from './display.ts';
import { databaseFile } from './files.ts';
import type { Invocation } from './invocation.ts';
import { preside } from './preside.ts';
import { protocolNamed } from './protocols.ts';
import { openModels } from './providers.ts';
import { runOf } from './resume.ts';
import { watch } from './watch.ts';

/** A run that another process works on is watched. */
export async function open(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const store = Store.open(databaseFile(call));
  try {
    const id = store.find(runOf(call));
    const facts = store.facts(id);
    const view = viewOf(facts);
    if (view.seq === 0)
      throw new DeliberateError(
        'never-began',
        `run ${shortId(id)} never began: the program died before it could record the question`,
        `Remove it with: deliberate rm ${shortId(id)}`,
      );
    const protocol = await protocolNamed(view.protocol);
    const journal = owned(store, id);
    if (journal === undefined) return await watch(call);
    return await preside({
      call,
      config,
      store,
      journal,
      protocol,
      models: openModels(call, config),
      shown: view.status === 'running' ? [...facts, interrupted(facts)] : facts,
      start: () => Promise.resolve(endingOf(view)),
    });
  } finally {
    store.close();
  }
}

function owned(store: Store, id: string): Journal | undefined {
  try {
    return store.own(id);
  } catch (error) {
    if (error instanceof RunOwnedError) return undefined;
    throw error;
  }
}

/** Not recorded: only so that a run whose process died does not look as if it went on. */
function interrupted(facts: readonly Fact[]): Fact {
  const last = facts.at(-1);
  const { run = '', seq = 0, at = '' } = last ?? {};
  const reason = 'its process ended before the run did';
  return { v: 1, type: 'run.ended', run, seq, at, status: 'stopped', reason };
}

function endingOf({ status, reason }: RunView): Ending {
  return {
    status: status === 'done' || status === 'failed' ? status : 'stopped',
    ...(reason === undefined ? {} : { reason }),
  };
}

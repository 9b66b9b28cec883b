/** `deliberate open`: a recorded run in the console, with all that can be done to it; nobody is asked. */
import { DeliberateError, RunOwnedError } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Ending } from '../kernel/session.ts';
import { type RunView, viewOf } from '../kernel/view.ts';
import { Store } from '../store/store.ts';
import { shortId } from './display.ts';
import { databaseFile, readConfig } from './files.ts';
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
    const view = viewOf(store.facts(id));
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

function endingOf({ status, reason }: RunView): Ending {
  return {
    status: status === 'done' || status === 'failed' ? status : 'stopped',
    ...(reason === undefined ? {} : { reason }),
  };
}

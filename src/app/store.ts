/** The database of runs, opened with every vocabulary there is, and closed again. */
import { databaseFile } from '../io/files.ts';
import { FACTS } from '../protocols/vocabulary.ts';
import { Store } from '../store/store.ts';
import type { Invocation } from './invocation.ts';

/** @throws StoreError, with what to do, where the file cannot serve. */
export function openStore(call: Invocation): Store {
  return Store.open(databaseFile(call), FACTS);
}

/** Copies what has become of runs that are worked on at another place; nothing is loaded without one. */
export async function upToDate(call: Invocation, store: Store): Promise<void> {
  if (!store.hasRunsElsewhere()) return;
  const { bringUpToDate } = await import('./elsewhere/mirror.ts');
  await bringUpToDate(call, store);
}

/** Works with the database and closes it, whatever happens. */
export async function withStore<T>(
  call: Invocation,
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const store = openStore(call);
  try {
    await upToDate(call, store);
    return await work(store);
  } finally {
    store.close();
  }
}

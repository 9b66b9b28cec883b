/** Opens and closes the database of runs, with the facts of all protocols. */
import { databaseFile, requireDatabase } from '../io/files.ts';
import { Store } from '../store/store.ts';
import type { Invocation } from './invocation.ts';

/**
 * Opens the database that the call names.
 *
 * @throws StoreError, with what to do, if the file cannot be used
 */
export function openStore(call: Invocation): Store {
  return Store.open(databaseFile(call), call.protocols.facts);
}

/** Opens the database for a command that only looks for recorded runs, see `requireDatabase`. */
export function openRecorded(call: Invocation): Store {
  requireDatabase(call);
  return openStore(call);
}

/** Like `withStore`, for a command that only looks for recorded runs, see `requireDatabase`. */
export async function withRecorded<T>(
  call: Invocation,
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  requireDatabase(call);
  return withStore(call, work);
}

/**
 * Copies new facts of runs at Restate servers into the database. If there are no such runs, the
 * code that copies them is not even loaded.
 */
export async function copyRemoteNews(call: Invocation, store: Store): Promise<void> {
  if (!store.hasRunsElsewhere()) return;
  const { copyRemoteRuns } = await import('./elsewhere/mirror.ts');
  await copyRemoteRuns(call, store);
}

/**
 * Opens the database, copies new facts of runs at Restate servers into it, calls `work`, and closes
 * it, even after an error.
 */
export async function withStore<T>(
  call: Invocation,
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const store = openStore(call);
  try {
    await copyRemoteNews(call, store);
    return await work(store);
  } finally {
    store.close();
  }
}

/** The runs as the screens list them. */
import type { RunLine } from '../console/runs.ts';
import { Store } from '../store/store.ts';
import { databaseFile } from './files.ts';
import type { Invocation } from './invocation.ts';

/** Newest first; those that have the words of `search`. */
export function listRuns(call: Invocation, search: string | undefined, limit: number): RunLine[] {
  const store = Store.open(databaseFile(call));
  try {
    return store.list({ search, limit });
  } finally {
    store.close();
  }
}

export async function browse(_call: Invocation): Promise<number> {
  return 0;
}

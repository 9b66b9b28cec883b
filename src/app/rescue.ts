/** Saves a run to a file of its own if the database was moved, deleted or replaced during the run. */

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { writeOwn } from '../io/own-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { Store } from '../store/store.ts';
import type { Protocols } from './invocation.ts';

/**
 * If the database is no longer in its place, saves the run beside it and returns the error to report. Returns
 * undefined if the database is in place.
 */
async function rescueIfLost(
  protocols: Protocols,
  store: Store,
  run: string,
): Promise<DeliberateError | undefined> {
  if (store.isInPlace()) return undefined;
  const file = resolve(store.file);
  const what = existsSync(file) ? 'replaced by another file' : 'moved or deleted';
  const sentence = `${file} was ${what} during the run and does not contain the run`;
  const saved = await saveRun(protocols, store, run, file);
  return saved === undefined
    ? new DeliberateError('database-lost', `${sentence}; the run could not be saved`)
    : new DeliberateError(
        'database-lost',
        `${sentence}; it was saved to ${saved}`,
        `Import it with: deliberate import '${saved}'`,
      );
}

/**
 * Calls `work`, and then checks that the database file is still in place. If the file is gone, the
 * run is saved to another file.
 * @throws DeliberateError if the database file is gone, whether or not `work` has failed; otherwise
 * the error of `work`
 */
export async function withRescue<T>(
  protocols: Protocols,
  store: Store,
  run: string,
  work: () => T | Promise<T>,
): Promise<T> {
  let done: T;
  try {
    done = await work();
  } catch (error) {
    throw (await rescueIfLost(protocols, store, run)) ?? error;
  }
  const loss = await rescueIfLost(protocols, store, run);
  if (loss !== undefined) throw loss;
  return done;
}

/** Saves the run near the database's place. Resolves to the file, or undefined if nothing could be written. */
async function saveRun(
  protocols: Protocols,
  store: Store,
  run: string,
  file: string,
): Promise<string | undefined> {
  // If the database's folder was deleted, save the run elsewhere: in a folder made anew, nobody would look for it.
  const folders = [dirname(file), process.cwd(), tmpdir()].filter((folder) => existsSync(folder));
  try {
    const text = await protocols.formatArchive(store, run);
    for (const folder of folders) {
      const to = join(folder, `deliberate-${run}.json`);
      try {
        writeOwn(to, text);
        return to;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
      }
    }
  } catch (error) {
    // A DeliberateError means that the run to be saved cannot be read from the database, so save nothing. Any
    // other error is a defect of the program and is thrown.
    if (!(error instanceof DeliberateError)) throw error;
  }
  return undefined;
}

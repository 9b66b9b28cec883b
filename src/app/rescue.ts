/** What is done where the database went away under a run: the run is written to a file of its own. */

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { writeOwn } from '../io/own-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { escapeLoose } from '../plain/json-lines.ts';
import type { Store } from '../store/store.ts';
import { version } from './version.ts';

/** The whole run, as `import` reads it. What reads every protocol's facts is loaded when it is asked for. */
export async function archiveText(store: Store, run: string): Promise<string> {
  const { archiveOf } = await import('./archive.ts');
  return `${escapeLoose(JSON.stringify(archiveOf(store, run, version()), null, 1))}\n`;
}

/**
 * Whoever opens the database next must find there what was recorded. Undefined where that is so; else
 * what is to be told, when the run has been written beside the place where the database was.
 */
async function lossOf(store: Store, run: string): Promise<DeliberateError | undefined> {
  if (store.isInPlace()) return undefined;
  const file = resolve(store.file);
  const what = existsSync(file) ? 'replaced by another file' : 'moved or deleted';
  const sentence = `${file} was ${what} during the run and does not contain the run`;
  const saved = await save(store, run, file);
  return saved === undefined
    ? new DeliberateError('database-lost', `${sentence}; the run could not be saved`)
    : new DeliberateError(
        'database-lost',
        `${sentence}; it was saved to ${saved}`,
        `Import it with: deliberate import '${saved}'`,
      );
}

/**
 * Does `work` on a run, then looks whether its record is where it belongs.
 * @throws DeliberateError as `lossOf` says; whatever else went wrong is the smaller loss.
 */
export async function keeping<T>(
  store: Store,
  run: string,
  work: () => T | Promise<T>,
): Promise<T> {
  let done: T;
  try {
    done = await work();
  } catch (error) {
    throw (await lossOf(store, run)) ?? error;
  }
  const loss = await lossOf(store, run);
  if (loss !== undefined) throw loss;
  return done;
}

/** Where it was written; undefined where it could be written nowhere. */
async function save(store: Store, run: string, file: string): Promise<string | undefined> {
  // A folder that is gone is not made anew: nobody would look there.
  const folders = [dirname(file), process.cwd(), tmpdir()].filter((one) => existsSync(one));
  try {
    const text = await archiveText(store, run);
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
    // What is left of the file cannot be read any more.
    if (!(error instanceof DeliberateError)) throw error;
  }
  return undefined;
}

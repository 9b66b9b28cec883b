/**
 * Finds the built-in presets and the person's own files, whose folders are those of `platform/folders.ts`.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeliberateError } from '../kernel/errors.ts';
import { folderOf } from '../platform/folders.ts';
import type { Env } from './surroundings.ts';
import { explainCode, RefusedFileError, readTextFile } from './text-file.ts';

/** The folder of the presets that are part of the program. */
export const BUILT_IN = fileURLToPath(new URL('../../presets/', import.meta.url));

/**
 * Returns the path of the database: from `--db`, else from the variable DELIBERATE_DB, else
 * `deliberate.db` in the data folder.
 */
export function databaseFile({
  flags,
  env,
}: {
  readonly flags: { readonly db?: string | undefined };
  readonly env: Env;
}): string {
  return flags.db ?? (env.DELIBERATE_DB || join(folderOf('data', env), 'deliberate.db'));
}

/**
 * Refuses a database file that `--db` names and that does not exist. Commands that only look for recorded runs
 * call this function, because opening such a database would create an empty one. A name that begins with `:` or
 * `file:` is not checked.
 * @throws DeliberateError if the file does not exist
 */
export function requireDatabase({
  flags,
}: {
  readonly flags: { readonly db?: string | undefined };
}): void {
  if (flags.db === undefined || flags.db.trim() === '' || /^\s*(?::|file:)/i.test(flags.db)) return;
  if (existsSync(flags.db)) return;
  throw new DeliberateError(
    'no-database',
    `there is no database at ${flags.db}`,
    'Compare the path that --db names.',
  );
}

/** Returns the folder of the person's configuration and presets. */
export function configFolder(env: Env): string {
  return folderOf('config', env);
}

/**
 * Returns the folder for what the program keeps on this machine apart from the database: measurements of
 * models, unsent drafts, working trees, caches.
 */
export function stateFolder(env: Env): string {
  return folderOf('state', env);
}

/**
 * Returns the current folder.
 *
 * @throws DeliberateError if the folder no longer exists
 */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw missingFolderError();
  }
}

/** Creates the error for a current folder that no longer exists. */
export function missingFolderError(): DeliberateError {
  return new DeliberateError(
    'no-working-folder',
    'the current folder was deleted or moved',
    'Change to a folder that exists, then try again.',
  );
}

/** The default limit for a text file in bytes; a list of all existing models would be smaller. */
const LARGEST = 4 * 1024 * 1024;

/**
 * Reads a text file of at most `most` bytes, default 4 MB. Links are followed.
 *
 * @param mayBeMissing whether to return undefined for a missing file, instead of throwing
 * @throws RefusedFileError if the file cannot be read, is too large or is not text
 */
export function readText(file: string, mayBeMissing = false, most = LARGEST): string | undefined {
  const text = readTextFile(file, { most, links: true });
  if (text === undefined && !mayBeMissing) throw new RefusedFileError(file, explainCode('ENOENT'));
  return text;
}

/**
 * Finds the built-in presets and the person's own files, whose folders are those of `platform/folders.ts`.
 */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeliberateError } from '../kernel/errors.ts';
import { folderOf } from '../platform/folders.ts';
import type { Env } from './surroundings.ts';
import { Refused, textOf, whyNot } from './text-file.ts';

/** The presets that come with the program. */
export const BUILT_IN = fileURLToPath(new URL('../../presets/', import.meta.url));

export function databaseFile({
  flags,
  env,
}: {
  readonly flags: { readonly db?: string | undefined };
  readonly env: Env;
}): string {
  return flags.db ?? (env.DELIBERATE_DB || join(folderOf('data', env), 'deliberate.db'));
}

/** The person's own configuration, and what lies beside it. */
export function configFolder(env: Env): string {
  return folderOf('config', env);
}

/** What the program has found out and remembers by itself; a person may delete it without a loss. */
export function stateFolder(env: Env): string {
  return folderOf('state', env);
}

/** The folder the program was called in. @throws DeliberateError where it is gone. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw noWorkingFolder();
  }
}

export function noWorkingFolder(): DeliberateError {
  return new DeliberateError(
    'no-working-folder',
    'the current folder was deleted or moved',
    'Change to a folder that exists, then try again.',
  );
}

/** Tables and what the program remembers: a list of every model there is has less than that. Bytes. */
const LARGEST = 4 * 1024 * 1024;

/** @throws Refused where the file cannot be read; undefined where it may be missing and is. */
export function readText(file: string, mayBeMissing = false, most = LARGEST): string | undefined {
  const text = textOf(file, { most, links: true });
  if (text === undefined && !mayBeMissing) throw new Refused(file, whyNot('ENOENT'));
  return text;
}

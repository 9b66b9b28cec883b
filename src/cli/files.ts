/** Where things are: XDG folders, the built-in presets, and the person's own folder. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import type { Invocation } from './invocation.ts';
import { decode, Refused } from './text-file.ts';

type Env = Invocation['env'];

/** The presets that come with the program. */
export const BUILT_IN = fileURLToPath(new URL('../../presets/', import.meta.url));

/** XDG: a relative value is invalid and ignored. */
function xdg(env: Env, name: string, fallback: string): string {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : join(env.HOME || homedir(), fallback);
}

export function databaseFile({ flags, env }: Invocation): string {
  return (
    flags.db ??
    (env.DELIBERATE_DB ||
      join(xdg(env, 'XDG_DATA_HOME', '.local/share'), 'deliberate', 'deliberate.db'))
  );
}

/** The person's own configuration, and what lies beside it. */
export function configFolder(env: Env): string {
  return join(xdg(env, 'XDG_CONFIG_HOME', '.config'), 'deliberate');
}

/** What the program has found out and remembers by itself; a person may delete it without a loss. */
export function stateFolder(env: Env): string {
  return join(xdg(env, 'XDG_STATE_HOME', '.local/state'), 'deliberate');
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
    'the current folder is gone: it was deleted or moved',
    'Change to a folder that exists, then try again.',
  );
}

/** @throws UsageError where the file cannot be read or is no text; undefined where it may be missing and is. */
export function readText(file: string, mayBeMissing = false): string | undefined {
  try {
    return decode(file, readFileSync(file));
  } catch (error) {
    if (error instanceof Refused) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'it is a folder'
          : String(code);
    throw new UsageError(`${file}: ${why}`);
  }
}

/** Expands and completes paths as a person types them. */
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { homeOf } from '../platform/folders.ts';
import type { Env } from './surroundings.ts';

/** Replaces a leading `~` by the home folder. */
export function expandHome(path: string, env: Env): string {
  if (path !== '~' && !path.startsWith('~/') && !path.startsWith(`~${sep}`)) return path;
  return join(homeOf(env), path.slice(1));
}

interface Completion {
  /** The typed text, extended by what all `names` have in common. */
  readonly text: string;
  /** The possible names; those of folders end with a slash. */
  readonly names: readonly string[];
}

/**
 * Completes the beginning of a path, as a shell does for Tab. Hidden files are offered only if the
 * typed name begins with a dot.
 *
 * @returns `names`: the possible names, those of folders with a slash at the end; `text`: the typed path,
 *   extended by what all `names` begin with
 */
export function completePath(typed: string, env: Env): Completion {
  const text = typed === '~' ? '~/' : typed;
  const slash = Math.max(text.lastIndexOf('/'), text.lastIndexOf(sep)) + 1;
  const begun = text.slice(slash);
  const folder = expandHome(text.slice(0, slash), env);
  const names = entriesOf(folder === '' ? '.' : folder).filter(
    (name) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')),
  );
  return { text: text.slice(0, slash) + (commonPrefix(names) ?? begun), names };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .map((name) => (isFolder(join(folder, name)) ? `${name}/` : name))
      .sort();
  } catch (error) {
    // The folder does not exist or cannot be read, so there is nothing to complete.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** Returns the common prefix; undefined for an empty list. */
function commonPrefix([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

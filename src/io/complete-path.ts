/** Paths as a person types them: `~` for the home folder, and what Tab makes of the beginning of one. */
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { homeOf } from '../platform/folders.ts';
import type { Env } from './surroundings.ts';

/** `~/notes.md` with the folder that `~` stands for. */
export function expandHome(path: string, env: Env): string {
  if (path !== '~' && !path.startsWith('~/') && !path.startsWith(`~${sep}`)) return path;
  return join(homeOf(env), path.slice(1));
}

interface Completion {
  /** What was typed, and as much more as all of `names` have in common. */
  readonly text: string;
  /** What it may become: names in its folder, those of folders with a slash behind. */
  readonly names: readonly string[];
}

/** Hidden files only where a dot was typed. */
export function completePath(typed: string, env: Env): Completion {
  const text = typed === '~' ? '~/' : typed;
  const slash = Math.max(text.lastIndexOf('/'), text.lastIndexOf(sep)) + 1;
  const begun = text.slice(slash);
  const folder = expandHome(text.slice(0, slash), env);
  const names = entriesOf(folder === '' ? '.' : folder).filter(
    (name) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')),
  );
  return { text: text.slice(0, slash) + (common(names) ?? begun), names };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .map((name) => (isFolder(join(folder, name)) ? `${name}/` : name))
      .sort();
  } catch (error) {
    // There is no such folder, or none that can be looked into: nothing to complete.
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

/** What all of them begin with; undefined where there are none. */
function common([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

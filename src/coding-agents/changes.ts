/**
 * Finds files that changed during a call in the folders that an agent may read: by git's status, and by
 * file times where there is no git. It cannot tell which program changed them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../io/tools.ts';
import type { Folder } from '../kernel/tools/tools.ts';
import { realPathOf } from '../platform/real-path.ts';
import { runGit } from '../tools/git.ts';
import { realHome } from './cell.ts';

/** The most files of a folder without git that are compared, the nearest first. */
const MOST_FILES = 5_000;
/** The most bytes of git's output that are compared. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Files in a repository's `.git` folder that determine the checked-out commit, and what git runs. */
const OF_GIT = [
  'HEAD',
  'config',
  'packed-refs',
  'hooks',
  'refs',
  'refs/heads',
  'refs/tags',
  'info',
];

/** The time limit in milliseconds; large repositories take less. */
const GIT_MS = 30_000;

/** The state of each path. */
type State = ReadonlyMap<string, string>;

/**
 * Returns the state of the files in the folders; two states show which files changed between them. In a git
 * repository it has git's status and settings, elsewhere the time and size of up to 5000 files. If
 * `isConfined` is false, no sandbox keeps the agent from writing elsewhere, so the files directly in the home
 * folder are examined too.
 */
export async function readState(
  folders: readonly Folder[],
  isConfined: boolean,
  { env, signal }: { env: Env; signal: AbortSignal },
): Promise<State> {
  const all = new Map<string, string>();
  for (const { path } of folders) {
    const listed = await listByGit(path, env, signal);
    for (const [name, state] of listed ?? listByHand(path)) all.set(join(path, name), state);
  }
  if (!isConfined)
    for (const name of namesIn(realHome(env))) {
      const path = join(realHome(env), name);
      if (isFile(path)) all.set(path, readStamp(path));
    }
  return all;
}

/** Returns whether a path leads to a file; false if it cannot be examined, such as a link to itself. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the sorted paths of the files that differ between two states. */
export function listChangesBetween(before: State, after: State): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/** Returns git's status of a folder, with the time of each file that differs from the commit. */
async function listByGit(
  folder: string,
  env: Env,
  signal: AbortSignal,
): Promise<Map<string, string> | undefined> {
  const askGit = (...args: string[]) =>
    runGit(folder, args, { env, signal, most: MOST_OUTPUT, ms: GIT_MS });
  const [top, status, links] = await Promise.all([
    askGit('rev-parse', '--absolute-git-dir', '--show-prefix'),
    askGit('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--', '.'),
    askGit('ls-files', '-s', '-z', '--', '.'),
  ]);
  if (top.state !== 'ended' || top.code !== 0 || !('out' in status)) return undefined;
  const [gitDir = '', prefix = ''] = top.out.split('\n');
  const found = new Map<string, string>();
  for (const entry of status.out.split('\0').filter((record) => record !== '')) {
    // Git prints paths relative to the top of the repository, so make them relative to `folder`.
    const path = entry.slice(3);
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    found.set(below, `${entry.slice(0, 2)} ${readStamp(join(folder, below))}`);
  }
  if ('out' in links)
    for (const entry of links.out.split('\0')) {
      // For a symbolic link, add the time and size of its target to the recorded state. Git reports when the link
      // gets another target, but not when the content of the target changes.
      const path = /^120000 \S+ \d\t(.*)$/s.exec(entry)?.[1];
      if (path !== undefined)
        found.set(path, `${found.get(path) ?? ''} ${readStamp(join(folder, path))}`);
    }
  for (const name of OF_GIT) {
    const path = join(gitDir, name);
    found.set(`.git/${name}`, contentOf(path));
    for (const below of namesIn(path))
      found.set(`.git/${name}/${below}`, contentOf(join(path, below)));
  }
  return found;
}

/** Returns the state of a folder outside any repository. */
function listByHand(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = [''];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
    for (const name of namesIn(join(folder, at))) {
      const path = join(at, name);
      if (found.size >= MOST_FILES) return found;
      found.set(path, readStamp(join(folder, path)));
      if (isFolder(join(folder, path))) waiting.push(path);
    }
  return found;
}

function isFolder(path: string): boolean {
  try {
    return realPathOf(path) === path && statSync(path).isDirectory();
  } catch {
    // A path that no longer exists, cannot be read, or is a broken link counts as no folder.
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A path that does not exist, is no folder, or cannot be read counts as an empty folder.
    return [];
  }
}

/** Returns a file's time and size; for a link, those of its target. */
function readStamp(path: string): string {
  try {
    const { ctimeNs, size } = statSync(path, { bigint: true });
    return `${ctimeNs} ${size}`;
  } catch {
    return 'none';
  }
}

/** Returns the content of a small file: git itself rewrites some files without changing them. */
function contentOf(path: string): string {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size < 100_000
      ? readFileSync(path, 'utf8')
      : stat.isFile()
        ? readStamp(path)
        : '';
  } catch {
    return 'none';
  }
}

/**
 * What changed in the folders that an agent may look into, from before a call until after it: by what git says
 * of them, and by when files were written that git says nothing of. Which program wrote them nobody can tell.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../io/tools.ts';
import type { Folder } from '../kernel/tools/tools.ts';
import { realPathOf } from '../platform/real-path.ts';
import { git } from '../tools/git.ts';
import { realHome } from './cell.ts';

/** A folder without git is looked through up to so many files, the nearest first. */
const MOST_FILES = 5_000;
/** A repository with more output than this is compared by the first part of it. Bytes. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Of a repository's own folder: what decides which commit is checked out, and what git would run. */
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

/** A large repository is looked through in less. */
const GIT_MS = 30_000;

/** Paths, each with what it was like. */
type State = ReadonlyMap<string, string>;

/** Returns what the folders are like now. `isConfined`: nothing else can be written, so nothing else is looked at. */
export async function stateOf(
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
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) all.set(path, stamp(path));
    }
  return all;
}

/** Returns the paths that are not as they were, in order. */
export function changedBetween(before: State, after: State): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/** What git says of a folder, with when each file was written that is not as it was committed. */
async function listByGit(
  folder: string,
  env: Env,
  signal: AbortSignal,
): Promise<Map<string, string> | undefined> {
  const ask = (...args: string[]) =>
    git(folder, args, { env, signal, most: MOST_OUTPUT, ms: GIT_MS });
  const [top, status, links] = await Promise.all([
    ask('rev-parse', '--absolute-git-dir', '--show-prefix'),
    ask('status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--', '.'),
    ask('ls-files', '-s', '-z', '--', '.'),
  ]);
  if (top.state !== 'ended' || top.code !== 0 || !('out' in status)) return undefined;
  const [gitDir = '', prefix = ''] = top.out.split('\n');
  const found = new Map<string, string>();
  for (const entry of status.out.split('\0').filter((one) => one !== '')) {
    // Paths are told as seen from the top of the repository.
    const path = entry.slice(3);
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    found.set(below, `${entry.slice(0, 2)} ${stamp(join(folder, below))}`);
  }
  if ('out' in links)
    for (const entry of links.out.split('\0')) {
      // A link: git sees where it leads, and not what is written there.
      const path = /^120000 \S+ \d\t(.*)$/s.exec(entry)?.[1];
      if (path !== undefined)
        found.set(path, `${found.get(path) ?? ''} ${stamp(join(folder, path))}`);
    }
  for (const name of OF_GIT) {
    const path = join(gitDir, name);
    found.set(`.git/${name}`, contentOf(path));
    for (const below of namesIn(path))
      found.set(`.git/${name}/${below}`, contentOf(join(path, below)));
  }
  return found;
}

/** The same of a folder that is in no repository. */
function listByHand(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = [''];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
    for (const name of namesIn(join(folder, at))) {
      const path = join(at, name);
      if (found.size >= MOST_FILES) return found;
      found.set(path, stamp(join(folder, path)));
      if (isFolder(join(folder, path))) waiting.push(path);
    }
  return found;
}

function isFolder(path: string): boolean {
  try {
    return realPathOf(path) === path && statSync(path).isDirectory();
  } catch {
    // It is gone, or a link that leads nowhere.
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no such folder, or nobody may look.
    return [];
  }
}

/** When a file was written, and how long it is; of a link, the file that it leads to. */
function stamp(path: string): string {
  try {
    const { ctimeNs, size } = statSync(path, { bigint: true });
    return `${ctimeNs} ${size}`;
  } catch {
    return 'none';
  }
}

/** Small files by what stands in them: git itself writes some of them anew without changing anything. */
function contentOf(path: string): string {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size < 100_000
      ? readFileSync(path, 'utf8')
      : stat.isFile()
        ? stamp(path)
        : '';
  } catch {
    return 'none';
  }
}

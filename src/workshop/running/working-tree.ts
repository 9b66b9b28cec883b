/**
 * Writes a tree to a folder of its own for one command, and removes it when the command has ended. No other
 * index or settings are used.
 */
import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../io/folders.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { treeSettings } from '../../platform/git.ts';
import { removeFolder } from '../../sandbox/remove-folder.ts';
import { type GitOutput, runGit } from '../../tools/git.ts';
import { type RunFolders, workIn } from './place.ts';

/** The folders that one command works in. */
export interface WorkingTree {
  /** The folder that contains the others. */
  readonly folder: string;
  /** The files of the tree. */
  readonly tree: string;
  /** The home folder of the command. */
  readonly home: string;
  /** The folder for temporary files. */
  readonly temp: string;
}

interface Layout {
  readonly tree: string;
  /**
   * Paths or globs that are replaced by their version in another commit or tree, or removed if it has none.
   */
  readonly over?: { readonly from: string; readonly paths: readonly string[] } | undefined;
}

/** The time limit in milliseconds; a large tree is written in seconds. */
const GIT_MS = 300_000;
const MOST = 64 * 1024 * 1024;

/** Settings that keep other settings from converting files, starting programs or asking questions. */
const SETTINGS = [
  ...['-c', 'core.bare=false', ...treeSettings()],
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.excludesFile=/dev/null'],
  ...['-c', 'core.attributesFile=/dev/null'],
  ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'core.splitIndex=false'],
];
const NOBODYS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/**
 * Writes a tree to a new folder on disk and runs `work`. Removes the folder afterwards, also if
 * `work` fails.
 */
export async function inWorkingTree<T>(
  place: RunFolders,
  layout: Layout,
  signal: AbortSignal,
  work: (where: WorkingTree) => Promise<T>,
): Promise<T> {
  makeFolder(workIn(place));
  const folder = mkdtempSync(join(workIn(place), 'w-'));
  const where = {
    folder,
    tree: join(folder, 'tree'),
    home: join(folder, 'home'),
    temp: join(folder, 'tmp'),
  };
  try {
    for (const folder of [where.tree, where.home, where.temp]) mkdirSync(folder, { mode: 0o700 });
    await layOut(place, where, layout, signal);
    return await work(where);
  } finally {
    removeFolder(folder);
  }
}

async function layOut(
  place: RunFolders,
  where: WorkingTree,
  { tree, over }: Layout,
  signal: AbortSignal,
): Promise<void> {
  const askHere = (...args: string[]): Promise<string> =>
    askGit(place, where, join(where.folder, 'index'), args, signal);
  await askHere('read-tree', tree);
  if (over !== undefined && over.paths.length > 0)
    await askHere('reset', '--quiet', over.from, '--', ...over.paths);
  await askHere('checkout-index', '--all', '--force');
}

/**
 * The git tree with the files that a program left behind, without new files that git ignores and without files that
 * were provided for it; the tree before, if git could not read the files.
 */
export interface Snapshot {
  readonly tree: string;
  /** Why git could not add some of the files; absent if it added all. */
  readonly fault?: string;
}

/**
 * Returns a new git tree with the current files of a working tree, including new files that git does
 * not ignore. No file of the working tree is changed: a command may have replaced folders by links,
 * and a change would follow them out of the tree.
 * @param tree the git tree that was written to the working tree
 * @param provided the files and folders that were put into the working tree only so that a command
 * finds them, such as `node_modules`; the returned tree does not contain them
 */
export async function snapshotTree(
  place: RunFolders,
  where: WorkingTree,
  tree: string,
  provided: readonly string[],
  signal: AbortSignal,
): Promise<Snapshot> {
  const index = join(where.folder, 'snapshot');
  const askHere = (...args: string[]): Promise<string> => askGit(place, where, index, args, signal);
  await askHere('read-tree', tree);
  const added = await callGit(
    place,
    where,
    index,
    ['add', '--all', '--ignore-errors', '.'],
    signal,
  );
  // Accept exit code 1, by which git reports that it skipped files that it cannot add.
  if (added.state !== 'ended' || added.code > 1) throw makeGitError('add', added);
  if (provided.length > 0)
    await askHere('rm', '-r', '-f', '--quiet', '--cached', '--ignore-unmatch', '--', ...provided);
  const after = (await askHere('write-tree')).trim();
  return { tree: after, ...(added.code === 0 ? {} : { fault: whyFailed(added) }) };
}

/**
 * Returns the files in a working tree's folder that its git tree does not contain, whether git
 * ignores them or not. A folder that contains only such files is returned as one path.
 */
export async function listUntracked(
  place: RunFolders,
  where: WorkingTree,
  signal: AbortSignal,
): Promise<string[]> {
  const said = await askGit(
    place,
    where,
    join(where.folder, 'index'),
    ['ls-files', '-z', '--others', '--directory', '--no-empty-directory'],
    signal,
  );
  return said
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => path.replace(/\/$/, ''));
}

async function askGit(
  place: RunFolders,
  where: WorkingTree,
  index: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const output = await callGit(place, where, index, args, signal);
  if (output.state === 'ended' && output.code === 0) return output.out;
  throw makeGitError(args[0] ?? '', output);
}

async function callGit(
  { gitDir, env }: RunFolders,
  { tree }: WorkingTree,
  index: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<GitOutput> {
  const output = await runGit(
    tree,
    [...SETTINGS, `--git-dir=${gitDir}`, `--work-tree=${tree}`, ...args],
    {
      env,
      signal,
      ms: GIT_MS,
      most: MOST,
      paths: 'glob',
      set: { ...NOBODYS, GIT_INDEX_FILE: index },
    },
  );
  signal.throwIfAborted();
  return output;
}

function makeGitError(command: string, output: GitOutput): DeliberateError {
  return new DeliberateError('git', `git ${command}: ${whyFailed(output)}`);
}

function whyFailed(output: GitOutput): string {
  switch (output.state) {
    case 'missing':
      return 'git is not installed';
    case 'late':
      return `it took longer than ${GIT_MS / 1000} s`;
    case 'cut':
      return `it wrote more than ${MOST} bytes`;
    case 'ended':
      return output.err.split('\n')[0]?.slice(0, 300) || `it ended with ${output.code}`;
  }
}

/**
 * Returns whether a file may be created at a path: nothing exists there, and everything above it
 * that exists is a folder, not a link.
 */
export function isFree(tree: string, path: string): boolean {
  if (lstatSync(join(tree, path), { throwIfNoEntry: false }) !== undefined) return false;
  for (let at = dirname(path); at !== '.' && at !== '/'; at = dirname(at)) {
    const stat = lstatSync(join(tree, at), { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) return false;
  }
  return true;
}

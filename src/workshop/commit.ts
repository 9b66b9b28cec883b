/**
 * Commits a tree if only permitted files have changed. The check covers exactly what is committed: a commit
 * is refused as a whole, with a reason for each path.
 */
import type { CommitAnswer, CommitWish, RunCommit } from '../kernel/tools/workshop.ts';
import { matchesGlob } from '../text/globs.ts';
import { type Difference, listDifferences, pathsChanged } from './changes.ts';
import type { Repository } from './repository.ts';
import { LINK, SUBMODULE } from './tree.ts';

type Why = Extract<CommitAnswer, { done: false }>['refused'][number]['why'];

/**
 * Commits the tree of `wish`. If a file has changed that must not change, makes no commit and returns the refused paths
 * with their reasons. If nothing has changed since the first parent, makes no commit either and returns one entry with
 * an empty path and the reason `empty`.
 * @param at the time to give to the commit, in seconds since the epoch
 */
export async function commitTree(
  repository: Repository,
  wish: CommitWish,
  at: number,
  signal: AbortSignal,
): Promise<CommitAnswer> {
  const [first] = wish.parents;
  if (first === undefined) throw new Error('a commit follows another one');
  const tree = await repository.treeOf(wish.tree, signal);
  const changed = await listDifferences(repository, first, tree, signal);
  if (changed.length === 0) return { done: false, refused: [{ path: '', why: 'empty' }] };
  const refused = changed.flatMap((difference) => {
    const why = whyRefused(difference, wish);
    return why === undefined ? [] : [{ path: difference.path, why }];
  });
  if (refused.length > 0) return { done: false, refused };
  const { parents, message } = wish;
  const made = await repository.commitTree({ tree, parents, message, at }, signal);
  return { done: true, commit: made, tree, files: changed.map(({ path }) => path) };
}

/**
 * Returns why a change is refused. The type of a file is checked before its path, so a link is refused
 * everywhere.
 */
function whyRefused({ path, before, after }: Difference, wish: CommitWish): Why | undefined {
  if (before.mode === SUBMODULE || after.mode === SUBMODULE) return 'submodule';
  if (after.mode === LINK) return 'link';
  if (matchesGlob(path, wish.locked ?? [])) return 'locked';
  if (matchesGlob(path, wish.guarded ?? []) && !matchesGlob(path, wish.allowed ?? []))
    return 'guarded';
  return wish.may === undefined || matchesGlob(path, wish.may) ? undefined : 'outside';
}

/**
 * Returns the commit `made` with its tree and the paths of the files that differ from its first
 * parent; no paths for a commit without a parent.
 */
export async function readCommit(
  repository: Repository,
  made: string,
  signal: AbortSignal,
): Promise<RunCommit> {
  const tree = await repository.treeOf(made, signal);
  const { out } = await repository.ask(['rev-list', '--no-walk', '--parents', made, '--'], {
    signal,
  });
  const [, first] = out.trim().split(' ');
  const files = first === undefined ? [] : await pathsChanged(repository, first, tree, signal);
  return { commit: made, tree, files };
}

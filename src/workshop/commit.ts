/**
 * Commits a tree if it changed nothing but what it may. What is checked is what is committed: a commit is
 * refused as a whole, each path with its reason.
 */
import type { CommitAnswer, Committed, CommitWish } from '../kernel/tools/workshop.ts';
import { matchesGlob } from '../text/globs.ts';
import { type Difference, differences, pathsChanged } from './changes.ts';
import type { Repository } from './repository.ts';
import { LINK, SUBMODULE } from './tree.ts';

type Why = Extract<CommitAnswer, { done: false }>['refused'][number]['why'];

/** `at`: seconds; when the work began. */
export async function commit(
  repository: Repository,
  wish: CommitWish,
  at: number,
  signal: AbortSignal,
): Promise<CommitAnswer> {
  const [first] = wish.parents;
  if (first === undefined) throw new Error('a commit follows another one');
  const tree = await repository.treeOf(wish.tree, signal);
  const changed = await differences(repository, first, tree, signal);
  if (changed.length === 0) return { done: false, refused: [{ path: '', why: 'empty' }] };
  const refused = changed.flatMap((one) => {
    const why = whyRefused(one, wish);
    return why === undefined ? [] : [{ path: one.path, why }];
  });
  if (refused.length > 0) return { done: false, refused };
  const { parents, message } = wish;
  const made = await repository.commitTree({ tree, parents, message, at }, signal);
  return { done: true, commit: made, tree, files: changed.map(({ path }) => path) };
}

/** What a file is goes before where it is: a link is refused also where its task may write. */
function whyRefused({ path, before, after }: Difference, wish: CommitWish): Why | undefined {
  if (before.mode === SUBMODULE || after.mode === SUBMODULE) return 'submodule';
  if (after.mode === LINK) return 'link';
  if (matchesGlob(path, wish.locked ?? [])) return 'locked';
  if (matchesGlob(path, wish.guarded ?? []) && !matchesGlob(path, wish.allowed ?? []))
    return 'guarded';
  return wish.may === undefined || matchesGlob(path, wish.may) ? undefined : 'outside';
}

/** A commit as it was made. */
export async function committed(
  repository: Repository,
  made: string,
  signal: AbortSignal,
): Promise<Committed> {
  const tree = await repository.treeOf(made, signal);
  const { out } = await repository.ask(['rev-list', '--no-walk', '--parents', made, '--'], {
    signal,
  });
  const [, first] = out.trim().split(' ');
  const files = first === undefined ? [] : await pathsChanged(repository, first, tree, signal);
  return { commit: made, tree, files };
}

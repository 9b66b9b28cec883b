/**
 * Merges commits without a checkout. Only whole files are merged, never lines: a file that both sides
 * changed is a conflict, even if git could merge its lines, since nobody has seen the resulting file.
 */
import { DeliberateError } from '../kernel/errors.ts';
import type { JoinAnswer } from '../kernel/tools/workshop.ts';
import { gitFailedError, splitAtZeros } from './ask-git.ts';
import { listDifferences } from './changes.ts';
import { readCommit } from './commit.ts';
import { checkHash, type Repository } from './repository.ts';

/**
 * Merges commits into one commit. Its parents are the given commits in their order, without those
 * that are ancestors of others. If one commit contains all others, it is returned and no commit is
 * made. If two commits changed the same file in different ways, returns the conflicting paths.
 * @param at the time to give to the commit, in seconds since the epoch
 * @throws DeliberateError if two commits have no history in common
 */
export async function mergeCommits(
  repository: Repository,
  commits: readonly string[],
  message: string,
  at: number,
  signal: AbortSignal,
): Promise<JoinAnswer> {
  const [first, ...others] = await withoutAncestors(repository, commits, signal);
  if (first === undefined) throw new Error('nothing to join');
  let parents = [first];
  let joined = first;
  for (const other of others) {
    const bases = await basesOf(repository, joined, other, signal);
    if (bases.includes(other)) continue;
    if (bases.includes(joined)) {
      joined = other;
      parents = [other];
      continue;
    }
    const conflicts = await changedOnBoth(repository, bases, joined, other, signal);
    if (conflicts.length > 0) return { done: false, conflicts };
    const merged = await mergeTrees(repository, joined, other, signal);
    if ('conflicts' in merged) return { done: false, conflicts: merged.conflicts };
    const { tree } = merged;
    // Drop a parent that is an ancestor of another parent.
    parents = [...parents.filter((parent) => !bases.includes(parent)), other];
    joined = await repository.commitTree({ tree, parents, message, at }, signal);
  }
  return { done: true, ...(await readCommit(repository, joined, signal)) };
}

/** Returns the commits that are no ancestors of others, in their order. */
async function withoutAncestors(
  repository: Repository,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const all = [...new Set(commits.map(checkHash))];
  if (all.length < 2) return all;
  const args = ['merge-base', '--independent', ...all];
  const answer = await repository.call(args, { signal });
  if (answer.code !== 0) throw gitFailedError(args, answer);
  const heads = new Set(answer.out.split('\n'));
  return all.filter((commit) => heads.has(commit));
}

/** Returns the merge bases; there are several if the work was merged before. */
async function basesOf(
  repository: Repository,
  left: string,
  right: string,
  signal: AbortSignal,
): Promise<string[]> {
  const args = ['merge-base', '--all', checkHash(left), checkHash(right)];
  const answer = await repository.call(args, { signal });
  if (answer.code > 1) throw gitFailedError(args, answer);
  const bases = answer.out.split('\n').filter((line) => line !== '');
  if (bases.length > 0) return bases;
  throw new DeliberateError(
    'no-common-history',
    `${left.slice(0, 10)} and ${right.slice(0, 10)} have no commit in common`,
    'If the clone is shallow: git fetch --unshallow',
  );
}

/** Returns files that differ between the sides, and that each side changed against every merge base. */
async function changedOnBoth(
  repository: Repository,
  bases: readonly string[],
  left: string,
  right: string,
  signal: AbortSignal,
): Promise<string[]> {
  let paths = (await listDifferences(repository, left, right, signal)).map(({ path }) => path);
  for (const base of bases)
    for (const side of [left, right]) {
      const changed = await listDifferences(repository, base, side, signal);
      const known = new Set(changed.map(({ path }) => path));
      paths = paths.filter((path) => known.has(path));
    }
  return paths.sort();
}

async function mergeTrees(
  repository: Repository,
  left: string,
  right: string,
  signal: AbortSignal,
): Promise<{ readonly tree: string } | { readonly conflicts: string[] }> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', left, right];
  const answer = await repository.call(args, { signal });
  if (answer.code > 1) throw gitFailedError(args, answer);
  const [tree = '', ...conflicts] = splitAtZeros(answer.out);
  // Git finds further conflicts, such as a file on one side and a folder of the same name on the other, although
  // no file was changed on both sides.
  return answer.code === 0 ? { tree } : { conflicts: [...new Set(conflicts)].sort() };
}

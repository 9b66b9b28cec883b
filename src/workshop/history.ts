/**
 * Rewrites the history of the work for its readers: one commit per part, each after the parts it builds on,
 * with the person as author. The last commit has exactly the tree of the work; if that is impossible, the
 * original commits are delivered.
 */
import type { HistoryEntry } from '../kernel/tools/workshop.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { listDifferences } from './changes.ts';
import type { Repository } from './repository.ts';

interface Author {
  readonly name: string;
  readonly email: string;
}

interface Told {
  /** The commit after which the history begins. */
  readonly base: string;
  readonly commit: string;
  readonly history: readonly HistoryEntry[];
  /** When the work began, in seconds. */
  readonly at: number;
  /** Absent if the person has configured no name in git. */
  readonly author?: Author | undefined;
}

interface Part {
  readonly message: string;
  /** Pairs of a commit's parent and the commit. */
  readonly steps: readonly (readonly [parent: string, commit: string])[];
}

/**
 * Rewrites the commits of a run as the history that a person gets, one commit for each part of the
 * work. Resolves to the hash of the last commit, which is the same for the same work at any time. If
 * the rewritten commits would not lead to the same files, resolves to the original `commit`.
 */
export async function rewriteHistory(
  repository: Repository,
  { base, commit, history, at, author }: Told,
  signal: AbortSignal,
): Promise<string> {
  const parts = partsOf(await stepsIn(repository, base, commit, signal), history);
  let [parent, tree] = [base, await repository.treeOf(base, signal)];
  for (const { message, steps } of parts) {
    const before = tree;
    for (const [from, to] of steps) {
      const changed = await listDifferences(repository, from, to, signal);
      tree = await repository.change(
        tree,
        changed.map(({ path, after }) => ({ path, mode: after.mode, blob: after.hash })),
        signal,
      );
    }
    if (tree === before) continue;
    const wish = {
      tree,
      parents: [parent],
      message,
      at,
      ...withoutUndefined({ author }),
    };
    parent = await repository.commitTree(wish, signal);
  }
  return tree === (await repository.treeOf(commit, signal)) ? parent : commit;
}

/** Returns the commits that are no merges, each after its parents. */
async function stepsIn(
  repository: Repository,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<(readonly [string, string])[]> {
  const { out } = await repository.ask(
    [
      'rev-list',
      '--reverse',
      '--topo-order',
      '--no-merges',
      '--parents',
      `${base}..${commit}`,
      '--',
    ],
    { signal },
  );
  return out
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => row.split(' '))
    .map(([made = '', parent = '']) => [parent, made] as const);
}

/**
 * Groups commits into parts. A commit without an entry is added to the part of the next commit with one.
 */
function partsOf(
  steps: readonly (readonly [string, string])[],
  history: readonly HistoryEntry[],
): Part[] {
  const known = new Map(history.map((entry) => [entry.commit, entry]));
  const parts = new Map<string, Part>();
  for (const [index, step] of steps.entries()) {
    const entry =
      steps.slice(index).flatMap(([, commit]) => known.get(commit) ?? [])[0] ?? history.at(-1);
    if (entry === undefined) return [];
    const { part, message } = entry;
    const before = parts.get(part)?.steps ?? [];
    // The commits of a part are delivered as one. A part with a further commit moves behind all parts so far, because
    // this commit may build on commits of each of them.
    parts.delete(part);
    parts.set(part, { message, steps: [...before, step] });
  }
  return [...parts.values()];
}

/**
 * The work told again for whoever reads its history: one commit a part, in an order in which each comes
 * after what it builds on, by the person themselves. The last commit has the tree of the work, to the
 * byte; where that cannot be had, the work is brought home as it was made.
 */
import type { HistoryEntry } from '../kernel/tools/workshop.ts';
import { differences } from './changes.ts';
import type { Repository } from './repository.ts';

interface Author {
  readonly name: string;
  readonly email: string;
}

interface Told {
  /** What the history begins after. */
  readonly base: string;
  readonly commit: string;
  readonly history: readonly HistoryEntry[];
  /** Seconds; when the work began. */
  readonly at: number;
  /** Absent: the person has told git no name. */
  readonly author?: Author | undefined;
}

interface Part {
  readonly message: string;
  /** Pairs of a commit and the one that it follows. */
  readonly steps: readonly (readonly [parent: string, commit: string])[];
}

/** Resolves to the last commit of the history; the same for the same work, whenever it is made. */
export async function retell(
  repository: Repository,
  { base, commit, history, at, author }: Told,
  signal: AbortSignal,
): Promise<string> {
  const parts = partsOf(await stepsIn(repository, base, commit, signal), history);
  let [parent, tree] = [base, await repository.treeOf(base, signal)];
  for (const { message, steps } of parts) {
    const before = tree;
    for (const [from, to] of steps) {
      const changed = await differences(repository, from, to, signal);
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
      ...(author === undefined ? {} : { author }),
    };
    parent = await repository.commitTree(wish, signal);
  }
  return tree === (await repository.treeOf(commit, signal)) ? parent : commit;
}

/** Commits that are no merge, each after those it follows. */
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

/** A commit that nobody has named goes with the next one that somebody has. */
function partsOf(
  steps: readonly (readonly [string, string])[],
  history: readonly HistoryEntry[],
): Part[] {
  const known = new Map(history.map((one) => [one.commit, one]));
  const parts = new Map<string, Part>();
  for (const [index, step] of steps.entries()) {
    const entry =
      steps.slice(index).flatMap(([, commit]) => known.get(commit) ?? [])[0] ?? history.at(-1);
    if (entry === undefined) return [];
    const { part, message } = entry;
    const before = parts.get(part)?.steps ?? [];
    // Where the last of them stands: what came between may be built on.
    parts.delete(part);
    parts.set(part, { message, steps: [...before, step] });
  }
  return [...parts.values()];
}

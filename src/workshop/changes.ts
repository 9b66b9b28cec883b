/** Compares two commits or trees, for code, people and models. */
import type { FileChange } from '../kernel/tools/workshop.ts';
import { runGit } from '../tools/git.ts';
import { ToolRefusal, whyHidden } from '../tools/refusal.ts';
import { gitFailedError } from './ask-git.ts';
import type { Repository } from './repository.ts';
import { bytesAt, entryAt, LINK, textIn } from './tree.ts';

/** The most bytes of a diff that a person or a model is shown. */
const MOST_DIFF = 200 * 1024;

/** A file that differs between two trees. */
export interface Difference {
  readonly path: string;
  /** The mode and hash in the first tree. The mode is `000000` if the file does not exist there. */
  readonly before: { readonly mode: string; readonly hash: string };
  /** The mode and hash in the second tree. */
  readonly after: { readonly mode: string; readonly hash: string };
}

const NONE = '000000';
const ROW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/;

const DIFF = ['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev'];
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--full-index'];

/** Returns the files that differ between two commits or trees, sorted by path. */
export async function listDifferences(
  repository: Repository,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<readonly Difference[]> {
  const [before, after] = await treesOf(repository, from, to, signal);
  if (before === after) return [];
  return repository.remember(`differences ${before} ${after}`, () =>
    findDifferences(repository, before, after, signal),
  );
}

async function findDifferences(
  repository: Repository,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<Difference[]> {
  const { out } = await repository.ask([...DIFF, '--raw', before, after, '--'], { signal });
  const rows = out.split('\0');
  const found: Difference[] = [];
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [, modeBefore = NONE, modeAfter = NONE, hashBefore = '', hashAfter = ''] =
      ROW.exec(rows[at] ?? '') ?? [];
    found.push({
      path: rows[at + 1] ?? '',
      before: { mode: modeBefore, hash: hashBefore },
      after: { mode: modeAfter, hash: hashAfter },
    });
  }
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Returns the paths of the files that differ between two commits or trees, sorted. */
export async function pathsChanged(
  repository: Repository,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<string[]> {
  return (await listDifferences(repository, from, to, signal)).map(({ path }) => path);
}

/**
 * Returns the files that differ between two commits or trees, with the numbers of added and removed
 * lines.
 */
export async function listChanges(
  repository: Repository,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const [before, after] = await treesOf(repository, from, to, signal);
  return repository.remember(`changes ${before} ${after}`, () =>
    findChanges(repository, before, after, signal),
  );
}

async function findChanges(
  repository: Repository,
  before: string,
  after: string,
  signal: AbortSignal,
): Promise<FileChange[]> {
  const { out } = await repository.ask([...DIFF, ...PLAIN, '--numstat', before, after, '--'], {
    signal,
  });
  const counted = new Map(
    out.split('\0').flatMap((row): [string, { added: number; removed: number }][] => {
      const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(row) ?? [];
      // Git prints `-` instead of the numbers of lines of a binary file. Count them as 0.
      return path === undefined
        ? []
        : [[path, { added: Number(added) || 0, removed: Number(removed) || 0 }]];
    }),
  );
  return (await listDifferences(repository, before, after, signal)).map((difference) => ({
    path: difference.path,
    kind: kindOf(difference),
    ...(counted.get(difference.path) ?? { added: 0, removed: 0 }),
  }));
}

function kindOf({ before, after }: Difference): FileChange['kind'] {
  if (before.mode === NONE) return 'added';
  if (after.mode === NONE) return 'removed';
  return before.hash === after.hash ? 'mode' : 'changed';
}

/**
 * Returns the diff between two commits or trees, cut after 200 KB with a note. `paths` limits it to
 * some files and folders; empty: all. Files whose names suggest secrets are left out, with a note.
 */
export async function diffTrees(
  repository: Repository,
  from: string,
  to: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const [before, after] = await treesOf(repository, from, to, signal);
  const changed = await pathsChanged(repository, before, after, signal);
  const hidden = changed.filter((path) => whyHidden(path) !== undefined);
  const wanted =
    hidden.length === 0 && paths.length === 0
      ? []
      : changed.filter(
          (path) => !hidden.includes(path) && (paths.length === 0 || isBelow(path, paths)),
        );
  const isNothing = wanted.length === 0 && (hidden.length > 0 || paths.length > 0);
  const args = ['diff-tree', '-r', '-p', '--no-renames', ...PLAIN, before, after, '--', ...wanted];
  const output = isNothing
    ? undefined
    : await runGit(repository.gitDir, args, {
        ...repository.options({ signal }),
        ms: 60_000,
        most: MOST_DIFF,
      });
  const notes = hidden
    .filter((path) => paths.length === 0 || isBelow(path, paths))
    .map((path) => `(${path} is not shown: it looks like a file of keys or passwords)\n`)
    .join('');
  if (output === undefined) return notes;
  if (output.state === 'cut')
    return `${output.out.slice(0, output.out.lastIndexOf('\n') + 1)}(cut here: the diff is longer than ${MOST_DIFF / 1024} KB)\n${notes}`;
  // If git took too long or could not start, let `repository.ask` run it again and throw the right error if git
  // fails again.
  if (output.state !== 'ended') return (await repository.ask(args, { signal })).out + notes;
  if (output.code !== 0) throw gitFailedError(args, output);
  return output.out + notes;
}

function isBelow(path: string, paths: readonly string[]): boolean {
  return paths.some(
    (prefix) => path === prefix || path.startsWith(`${prefix.replace(/\/+$/, '')}/`),
  );
}

/**
 * Returns the text of a file in the commit or tree `of`. Returns undefined if there is no file at
 * the path, or it is a link or not text.
 */
export async function textOf(
  repository: Repository,
  of: string,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (path === '' || path.startsWith('/') || path.split('/').includes('..')) return undefined;
  const tree = await repository.treeOf(of, signal);
  const entry = await entryAt(repository, tree, path, signal);
  if (entry?.type !== 'blob' || entry.mode === LINK) return undefined;
  try {
    return textIn(path, await bytesAt(repository, entry, signal));
  } catch (error) {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  }
}

async function treesOf(
  repository: Repository,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<[string, string]> {
  return [await repository.treeOf(from, signal), await repository.treeOf(to, signal)];
}

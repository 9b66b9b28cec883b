/**
 * The run's own copy of a repository: bare, in a folder of its own, and independent of all settings of the
 * machine. It runs no hooks, signs nothing, fetches nothing, and collects no garbage. If the program was
 * interrupted, repeating the call gives the same result.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filterEnvironment } from '../io/environment.ts';
import { makeFolder } from '../io/folders.ts';
import { findLinkStatus } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';
import type { GitOptions } from '../tools/git.ts';
import { type Answer, askGit, callGit, isHash, toGitFlags } from './ask-git.ts';
import type { Checkout } from './checkout.ts';
import { copyLinked, removeLeftovers, renameIntoPlace, temporaryFolder } from './copy-folders.ts';

const NAME = 'repository.git';

/** Settings of the copy. The person's global settings are switched off. */
const OWN = toGitFlags({
  'core.hooksPath': '/dev/null',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.autocrlf': 'false',
  'core.logAllRefUpdates': 'false',
  'commit.gpgSign': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.writeCommitGraph': 'false',
  // Do not detect renames in a merge. If one side has renamed a folder, files that the other side has added to
  // the folder then stay where they are.
  'merge.renames': 'false',
  'merge.directoryRenames': 'false',
  'protocol.allow': 'never',
});
/** Refuses names that any system treats as `.git`. */
const STRICT = toGitFlags({ 'core.protectHFS': 'true', 'core.protectNTFS': 'true' });
const FROM_A_FOLDER = toGitFlags({ 'protocol.file.allow': 'always' });

const WHO = { name: 'deliberate', email: 'deliberate@localhost' } as const;

/** Milliseconds after which a lock on a ref counts as left by a process that died. */
const LOCK_MS = 2_000;

/** The most cached results; those of a task are needed repeatedly while it is judged. */
const MOST_REMEMBERED = 200;

type Options = Pick<GitOptions, 'signal' | 'input' | 'paths'> & {
  readonly settings?: Readonly<Record<string, string>> | undefined;
};

/** Runs git in the run's own bare copy of the repository. */
export class Repository {
  /** The run's folder, which contains the copy and everything that is made beside it. */
  readonly folder: string;
  /** The path of the copy. */
  readonly gitDir: string;
  /** Environment variables for git, which name this copy. */
  readonly env: Readonly<Record<string, string>>;
  /** The trees of commits, and of trees themselves. */
  readonly #trees = new Map<string, string>();
  readonly #found = new Map<string, unknown>();

  constructor(folder: string, env: Env) {
    this.folder = folder;
    this.gitDir = join(folder, NAME);
    this.env = {
      ...filterEnvironment(env),
      HOME: folder,
      GIT_DIR: this.gitDir,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
    };
  }

  /** Whether the copy has been made. */
  get exists(): boolean {
    return existsSync(join(this.gitDir, 'HEAD'));
  }

  /** Runs git and returns its result, whatever the exit code. */
  call(args: readonly string[], options: Options): Promise<Answer> {
    return callGit(this.gitDir, [...OWN, ...args], this.options(options));
  }

  /**
   * Runs git.
   * @throws DeliberateError if git fails
   */
  ask(args: readonly string[], options: Options): Promise<Answer> {
    return askGit(this.gitDir, [...OWN, ...args], this.options(options));
  }

  /** Returns the options for running git in the copy. */
  options({ settings, ...options }: Options): GitOptions {
    return { ...options, env: this.env, set: { ...ownVariables(this.env), ...settings } };
  }

  /**
   * Runs work with a temporary folder. The folder is removed afterwards or, if this process dies, by
   * a later process of the run.
   */
  async withTemporary<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = temporaryFolder(this.folder);
    makeFolder(folder);
    try {
      return await work(folder);
    } finally {
      removeFolder(folder);
    }
  }

  /**
   * Returns the hash of the tree with some paths changed; an entry whose mode is zero removes its
   * path. Each call uses an index file of its own, so that simultaneous calls do not disturb each
   * other.
   * @throws DeliberateError for a path that git refuses, such as one below `.git`
   */
  async change(
    tree: string,
    entries: readonly { readonly path: string; readonly mode: string; readonly blob: string }[],
    signal: AbortSignal,
  ): Promise<string> {
    return this.withTemporary(async (folder) => {
      const options = { signal, settings: { GIT_INDEX_FILE: join(folder, 'index') } };
      await this.ask(['read-tree', tree], options);
      const added = await this.ask([...STRICT, 'update-index', '-z', '--index-info'], {
        ...options,
        input: entries.map(({ path, mode, blob }) => `${mode} ${blob}\t${path}\0`).join(''),
      });
      // Git skips an invalid path and still exits with 0, so look for the message that it prints.
      if (/^Ignoring path/m.test(added.err))
        throw new DeliberateError('git-path', 'git does not take a file of that name');
      return (await this.ask(['write-tree'], options)).out.trim();
    });
  }

  /** Stores bytes as a blob and returns its hash. */
  async writeBlob(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
    const args = ['hash-object', '-w', '--no-filters', '--stdin'];
    return (await this.ask(args, { signal, input: bytes })).out.trim();
  }

  /**
   * Returns the tree of a commit; a tree is returned unchanged. Results are cached, since a hash
   * always means the same object.
   *
   * @throws DeliberateError if the copy does not have the object
   */
  async treeOf(of: string, signal: AbortSignal): Promise<string> {
    const known = this.#trees.get(of);
    if (known !== undefined) return known;
    const tree = await this.#findTree(of, signal);
    this.#trees.set(of, tree).set(tree, tree);
    return tree;
  }

  /**
   * Returns a cached result, or computes and caches it. The result must depend only on hashes. The
   * newest results are kept.
   */
  async remember<T>(key: string, find: () => Promise<T>): Promise<T> {
    const known = this.#found.get(key);
    if (known !== undefined) return known as T;
    const found = await find();
    this.#found.set(key, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > MOST_REMEMBERED && oldest !== undefined) this.#found.delete(oldest);
    return found;
  }

  async #findTree(of: string, signal: AbortSignal): Promise<string> {
    const args = ['rev-parse', '--verify', '--quiet', `${checkHash(of)}^{tree}`];
    const found = await this.call(args, { signal });
    if (found.code === 0) return found.out.trim();
    throw new DeliberateError(
      'no-tree',
      `${of.slice(0, 10)} is not in the run's copy of the repository`,
      'The copy was removed; start the team again.',
    );
  }

  /**
   * Creates a commit and returns its hash. An equal wish always gives the same hash, since nothing
   * but the wish decides author and time. A ref protects the commit from git's cleaning.
   */
  async commitTree(
    wish: {
      readonly tree: string;
      readonly parents: readonly string[];
      readonly message: string;
      /** The time in seconds since the epoch. If a parent is later, its time is used instead. */
      readonly at: number;
      /** Absent: this program is the author. */
      readonly author?: { readonly name: string; readonly email: string } | undefined;
    },
    signal: AbortSignal,
  ): Promise<string> {
    const { name, email } = wish.author ?? WHO;
    const date = `@${await this.#dateAfter(wish.parents, wish.at, signal)} +0000`;
    const { out } = await this.ask(
      [
        ...['commit-tree', '--no-gpg-sign', '-F', '-'],
        ...wish.parents.flatMap((parent) => ['-p', checkHash(parent)]),
        checkHash(wish.tree),
      ],
      {
        signal,
        input: `${wish.message.replaceAll('\0', '').trim() || 'Work'}\n`,
        settings: {
          GIT_AUTHOR_NAME: name,
          GIT_AUTHOR_EMAIL: email,
          GIT_AUTHOR_DATE: date,
          GIT_COMMITTER_NAME: name,
          GIT_COMMITTER_EMAIL: email,
          GIT_COMMITTER_DATE: date,
        },
      },
    );
    const commit = out.trim();
    this.#trees.set(commit, wish.tree).set(wish.tree, wish.tree);
    await this.keep(`commits/${commit}`, commit, signal);
    return commit;
  }

  /** Returns a date that is not before those of the parents. */
  async #dateAfter(parents: readonly string[], at: number, signal: AbortSignal): Promise<number> {
    if (parents.length === 0) return at;
    const args = ['show', '--no-patch', '--format=%ct', ...parents.map(checkHash), '--'];
    const { out } = await this.ask(args, { signal });
    return Math.max(at, ...out.split('\n').map(Number).filter(Number.isSafeInteger));
  }

  /**
   * Points a hidden ref to a commit, so that git keeps the commit.
   *
   * @throws DeliberateError if another process moved the ref at the same time
   */
  async keep(name: string, commit: string, signal: AbortSignal): Promise<void> {
    const ref = `refs/deliberate/${name}`;
    const lock = join(this.gitDir, `${ref}.lock`);
    for (const until = performance.now() + 2 * LOCK_MS; ; ) {
      const is = await this.call(['rev-parse', '--verify', '--quiet', ref], { signal });
      const old = is.code === 0 ? is.out.trim() : '';
      if (old === commit) return;
      const args = ['update-ref', ref, checkHash(commit), old];
      const locked = findLinkStatus(lock);
      if (locked === undefined || performance.now() > until) {
        await this.ask(args, { signal });
        return;
      }
      if (Date.now() - locked.mtimeMs > LOCK_MS) rmSync(lock, { force: true });
      else await sleep(100, undefined, { signal });
    }
  }

  /**
   * Fetches a commit from another repository on this machine. The other repository is not written
   * to.
   */
  async fetch(from: string, commit: string, signal: AbortSignal): Promise<void> {
    const known = await this.call(['cat-file', '-e', `${checkHash(commit)}^{commit}`], { signal });
    if (known.code !== 0)
      await this.withSource(from, (settings) =>
        this.ask(
          [
            ...FROM_A_FOLDER,
            ...[
              'fetch',
              '--quiet',
              '--no-tags',
              '--no-write-fetch-head',
              '--no-recurse-submodules',
            ],
            ...['--', from, commit],
          ],
          { signal, settings },
        ),
      );
    await this.keep(`heads/${commit}`, commit, signal);
  }

  /**
   * Runs work with git settings that make git trust the repository `from`, even if another user owns
   * it. That is safe, since the person's own git has read the repository before.
   */
  async withSource<T>(
    from: string,
    work: (settings: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    return this.withTemporary((folder) => {
      const file = join(folder, 'settings');
      const quotePath = (path: string): string =>
        `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
      const rows = [from, join(from, '.git')].map((path) => `\tdirectory = ${quotePath(path)}\n`);
      writeFileSync(file, `[safe]\n${rows.join('')}`, { mode: 0o600 });
      return work({ GIT_CONFIG_GLOBAL: file });
    });
  }

  /**
   * Makes the copy if it does not exist: from the copy of an earlier run whose folder is `earlier`,
   * otherwise from the checkout. Then ensures that the copy contains the commit `base`, if given.
   * @throws DeliberateError if objects of `base` are missing, as in a partial clone
   */
  async make(
    checkout: Checkout,
    earlier: string | undefined,
    base: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.exists) {
      makeFolder(this.folder);
      removeLeftovers(this.folder);
      const before = earlier === undefined ? undefined : join(earlier, NAME);
      await this.withTemporary(async (folder) => {
        const half = join(folder, NAME);
        if (before !== undefined && existsSync(join(before, 'HEAD'))) copyLinked(before, half);
        else await this.#clone(checkout.folder, half, signal);
        renameIntoPlace(half, this.gitDir);
      });
    }
    if (base !== undefined) await this.#require(checkout, base, signal);
  }

  async #clone(from: string, to: string, signal: AbortSignal): Promise<void> {
    await this.withSource(from, async (settings) => {
      const { GIT_DIR: _own, ...env } = this.env;
      await askGit(
        this.folder,
        [
          ...OWN,
          ...FROM_A_FOLDER,
          ...['clone', '--quiet', '--bare', '--local', '--no-tags', '--template=', '--', from, to],
        ],
        { env, signal, set: { ...ownVariables(env), ...settings } },
      );
    });
  }

  /**
   * Checks that the base is complete. @throws DeliberateError if objects are missing, which git may not
   * fetch
   */
  async #require(checkout: Checkout, base: string, signal: AbortSignal): Promise<void> {
    await this.fetch(checkout.folder, base, signal);
    const { out } = await this.ask(
      ['rev-list', '--objects', '--no-walk', '--missing=print', base, '--'],
      { signal },
    );
    const missing = out.split('\n').filter((row) => row.startsWith('?')).length;
    if (missing > 0)
      throw new DeliberateError(
        'partial-clone',
        `${missing} ${missing === 1 ? 'object' : 'objects'} of the base are not on this machine: the repository is a partial clone`,
        'Fetch them first: git fetch --refetch --no-filter',
      );
  }
}

/**
 * Returns the text if it is a full object hash.
 * @throws Error for any other text, which must not get into a command line
 */
export function checkHash(hash: string): string {
  if (!isHash(hash)) throw new Error(`not a hash: ${hash.slice(0, 80)}`);
  return hash;
}

/** Returns git's own variables and ours; `git()` adds the public ones. */
function ownVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === 'HOME' || name.startsWith('GIT_')),
  );
}

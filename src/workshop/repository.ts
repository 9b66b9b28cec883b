/**
 * The run's own copy of a repository: bare, in a folder of its own, and deaf to everybody's settings.
 * No hook runs here, nothing is signed, nothing is fetched, nothing is collected as garbage. Where the
 * program died in the middle, the same call comes to the same again.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filterEnvironment } from '../io/environment.ts';
import { makeFolder } from '../io/folders.ts';
import { lookAtLink } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { removeFolder } from '../sandbox/remove-folder.ts';
import type { GitOptions } from '../tools/git.ts';
import { type Answer, asFlags, askGit, callGit, isHash } from './ask-git.ts';
import type { Checkout } from './checkout.ts';
import { copyLinked, sweep, takePlace, temporary } from './copy-folders.ts';

const NAME = 'repository.git';

/** Whatever a person has set for all their repositories is off; these are what is left to say. */
const OWN = asFlags({
  'core.hooksPath': '/dev/null',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.autocrlf': 'false',
  'core.logAllRefUpdates': 'false',
  'commit.gpgSign': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.writeCommitGraph': 'false',
  // Files stay where they were put: that one side renamed a folder does not move the other's.
  'merge.renames': 'false',
  'merge.directoryRenames': 'false',
  'protocol.allow': 'never',
});
/** A new name is held against every system: what is `.git` on one of them is nowhere taken. */
const STRICT = asFlags({ 'core.protectHFS': 'true', 'core.protectNTFS': 'true' });
const FROM_A_FOLDER = asFlags({ 'protocol.file.allow': 'always' });

const WHO = { name: 'deliberate', email: 'deliberate@localhost' } as const;

/** A lock on a ref is held for milliseconds; one that is older was left by a process that died. */
const LOCK_MS = 2_000;

/** Lists of what differs between two trees: those of a task are asked for again while it is judged. */
const MOST_REMEMBERED = 200;

type Options = Pick<GitOptions, 'signal' | 'input' | 'paths'> & {
  readonly settings?: Readonly<Record<string, string>> | undefined;
};

export class Repository {
  /** The run's folder, for everything that is made beside the copy. */
  readonly folder: string;
  readonly gitDir: string;
  /** All that git is told of the person's environment, and that it is to use this copy. */
  readonly env: Readonly<Record<string, string>>;
  /** Of commits and of trees themselves. */
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

  get exists(): boolean {
    return existsSync(join(this.gitDir, 'HEAD'));
  }

  call(args: readonly string[], options: Options): Promise<Answer> {
    return callGit(this.gitDir, [...OWN, ...args], this.options(options));
  }

  /** @throws DeliberateError where git says no. */
  ask(args: readonly string[], options: Options): Promise<Answer> {
    return askGit(this.gitDir, [...OWN, ...args], this.options(options));
  }

  /** How git is called here. */
  options({ settings, ...options }: Options): GitOptions {
    return { ...options, env: this.env, set: { ...own(this.env), ...settings } };
  }

  /** What is made in here is gone when the work with it ended, or with the next sweep. */
  async withTemporary<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = temporary(this.folder);
    makeFolder(folder);
    try {
      return await work(folder);
    } finally {
      removeFolder(folder);
    }
  }

  /**
   * The tree with some of its paths changed. An index of its own: two of these do not know of each other,
   * and paths that are no text come through untouched.
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
      // It leaves such a path out, and ends well.
      if (/^Ignoring path/m.test(added.err))
        throw new DeliberateError('git-path', 'git does not take a file of that name');
      return (await this.ask(['write-tree'], options)).out.trim();
    });
  }

  async writeBlob(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
    const args = ['hash-object', '-w', '--no-filters', '--stdin'];
    return (await this.ask(args, { signal, input: bytes })).out.trim();
  }

  /**
   * The tree of a commit, or the tree itself. What a hash names never changes: it is asked for once.
   *
   * @throws DeliberateError where this copy has neither
   */
  async treeOf(of: string, signal: AbortSignal): Promise<string> {
    const known = this.#trees.get(of);
    if (known !== undefined) return known;
    const tree = await this.#findTree(of, signal);
    this.#trees.set(of, tree).set(tree, tree);
    return tree;
  }

  /** What follows from hashes alone is found once; of many such things, the last. */
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
    const args = ['rev-parse', '--verify', '--quiet', `${checked(of)}^{tree}`];
    const found = await this.call(args, { signal });
    if (found.code === 0) return found.out.trim();
    throw new DeliberateError(
      'no-tree',
      `${of.slice(0, 10)} is not in the run's copy of the repository`,
      'The copy was removed; start the team again.',
    );
  }

  /** A commit by the same hand at the same time: the same for the same wish. Kept by a ref of its own. */
  async commitTree(
    wish: {
      readonly tree: string;
      readonly parents: readonly string[];
      readonly message: string;
      readonly at: number;
      /** Absent: this program. */
      readonly author?: { readonly name: string; readonly email: string } | undefined;
    },
    signal: AbortSignal,
  ): Promise<string> {
    const { name, email } = wish.author ?? WHO;
    const date = `@${await this.#dateAfter(wish.parents, wish.at, signal)} +0000`;
    const { out } = await this.ask(
      [
        ...['commit-tree', '--no-gpg-sign', '-F', '-'],
        ...wish.parents.flatMap((parent) => ['-p', checked(parent)]),
        checked(wish.tree),
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

  /** No commit is older than what it follows. */
  async #dateAfter(parents: readonly string[], at: number, signal: AbortSignal): Promise<number> {
    if (parents.length === 0) return at;
    const args = ['show', '--no-patch', '--format=%ct', ...parents.map(checked), '--'];
    const { out } = await this.ask(args, { signal });
    return Math.max(at, ...out.split('\n').map(Number).filter(Number.isSafeInteger));
  }

  /**
   * Moves a hidden ref, from what it is to what it should be and from nothing else.
   *
   * @throws DeliberateError where somebody else moved it meanwhile
   */
  async keep(name: string, commit: string, signal: AbortSignal): Promise<void> {
    const ref = `refs/deliberate/${name}`;
    const lock = join(this.gitDir, `${ref}.lock`);
    for (const until = performance.now() + 2 * LOCK_MS; ; ) {
      const is = await this.call(['rev-parse', '--verify', '--quiet', ref], { signal });
      const old = is.code === 0 ? is.out.trim() : '';
      if (old === commit) return;
      const args = ['update-ref', ref, checked(commit), old];
      const locked = lookAtLink(lock);
      if (locked === undefined || performance.now() > until) {
        await this.ask(args, { signal });
        return;
      }
      if (Date.now() - locked.mtimeMs > LOCK_MS) rmSync(lock, { force: true });
      else await sleep(100, undefined, { signal });
    }
  }

  /** Brings a commit over from another repository on this machine. Nothing is written there. */
  async fetch(from: string, commit: string, signal: AbortSignal): Promise<void> {
    const known = await this.call(['cat-file', '-e', `${checked(commit)}^{commit}`], { signal });
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
   * Settings under which git reads another's repository: the person's own git has read it before, so that
   * it trusts whoever it belongs to.
   */
  async withSource<T>(
    from: string,
    work: (settings: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    return this.withTemporary((folder) => {
      const file = join(folder, 'settings');
      const quoted = (path: string): string =>
        `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
      const rows = [from, join(from, '.git')].map((path) => `\tdirectory = ${quoted(path)}\n`);
      writeFileSync(file, `[safe]\n${rows.join('')}`, { mode: 0o600 });
      return work({ GIT_CONFIG_GLOBAL: file });
    });
  }

  /** Makes the copy where there is none, and sees to it that it has the base. */
  async make(
    checkout: Checkout,
    earlier: string | undefined,
    base: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.exists) {
      makeFolder(this.folder);
      sweep(this.folder);
      const before = earlier === undefined ? undefined : join(earlier, NAME);
      await this.withTemporary(async (folder) => {
        const half = join(folder, NAME);
        if (before !== undefined && existsSync(join(before, 'HEAD'))) copyLinked(before, half);
        else await this.#clone(checkout.folder, half, signal);
        takePlace(half, this.gitDir);
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
        { env, signal, set: { ...own(env), ...settings } },
      );
    });
  }

  /** @throws DeliberateError where the base is not all there: git would fetch it, and is not let. */
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

/** @throws Error for what is no hash: it never gets into a command line. */
export function checked(hash: string): string {
  if (!isHash(hash)) throw new Error(`not a hash: ${hash.slice(0, 80)}`);
  return hash;
}

/** `git()` lets pass what every program may see; these are git's own, or ours. */
function own(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === 'HOME' || name.startsWith('GIT_')),
  );
}

/** Runs git for the loop over topics, with argument lists and without hooks. */
import type { Invocation } from '../../../app/invocation.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { type GitOptions, type GitOutput, runGit } from '../../../tools/git.ts';

/** The time limit of a git command in milliseconds; it may use the network or read many files. */
const SLOW_MS = 120_000;
const MOST = 32 * 1024 * 1024;
/** Options that keep git from running hooks and from asking for a signature. */
const OWN = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false'];

/** Keeps ssh from asking questions, since nobody is there to answer. */
const REMOTE = { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' };

/** A git repository or working tree, as `deliberate plan --watch` uses it. */
export class Repository {
  readonly folder: string;
  readonly #env: Invocation['env'];
  readonly #signal: AbortSignal;

  constructor(folder: string, env: Invocation['env'], signal: AbortSignal) {
    this.folder = folder;
    this.#env = env;
    this.#signal = signal;
  }

  /**
   * Checks that the folder is a repository with this branch.
   * @throws UsageError if it is not, or git is not installed
   */
  async check(branch: string): Promise<void> {
    const output = await this.#git(['rev-parse', '--is-inside-work-tree']);
    if (output.state === 'missing')
      throw new UsageError(
        'git is not installed here',
        '--watch takes topics from a git branch; install git.',
      );
    if (output.state !== 'ended' || output.code !== 0)
      throw new UsageError('not a git repository', 'Name one with --repo.');
    if (!/^[\w][\w./-]{0,200}$/.test(branch) || (await this.#tip(branch)) === undefined)
      throw new UsageError(`there is no branch ${branch}`, 'Name one with --branch.');
  }

  /**
   * Fetches a branch from `origin`, if there is such a remote. Resolves to the reason if the fetch failed,
   * otherwise to undefined.
   */
  async fetch(branch: string): Promise<string | undefined> {
    const remotes = await this.#out(['remote']);
    if (!remotes.split('\n').includes('origin')) return undefined;
    const output = await this.#git(['fetch', '--quiet', 'origin', branch], REMOTE);
    return output.state === 'ended' && output.code === 0
      ? undefined
      : `git fetch failed: ${describeFailure(output)}`;
  }

  /**
   * Resolves to the latest commit of a branch: on `origin`, as last fetched, otherwise on the local branch.
   * @throws DeliberateError if there is no such branch
   */
  async tipOf(branch: string): Promise<string> {
    const tip = await this.#tip(branch);
    if (tip === undefined) throw new DeliberateError('git', `the branch ${branch} is gone`);
    return tip;
  }

  async #tip(branch: string): Promise<string | undefined> {
    return (
      (await this.#commitAt(`refs/remotes/origin/${branch}`)) ??
      (await this.#commitAt(`refs/heads/${branch}`))
    );
  }

  /**
   * Resolves to the files below a folder whose paths end with `ending`, each with the hash of its content.
   */
  async filesOf(
    commit: string,
    folder: string,
    ending: string,
  ): Promise<{ path: string; hash: string }[]> {
    const listed = await this.#out(['ls-tree', '-r', '-z', commit, '--', folder]);
    return listed.split('\0').flatMap((row) => {
      const [, kind, hash = '', path = ''] = /^\d+ (\w+) ([0-9a-f]+)\t(.+)$/s.exec(row) ?? [];
      return kind === 'blob' && path.endsWith(ending) ? [{ path, hash }] : [];
    });
  }

  /** Resolves to the text of a file by the hash of its content. */
  textOf(hash: string): Promise<string> {
    return this.#out(['cat-file', 'blob', hash]);
  }

  /** Resolves to the text of a file in a commit or branch; undefined if either does not exist. */
  async fileAt(ref: string, path: string): Promise<string | undefined> {
    const output = await this.#git(['cat-file', 'blob', `${ref}:${path}`]);
    return output.state === 'ended' && output.code === 0 ? output.out : undefined;
  }

  /** Resolves to whether the repository contains a commit. */
  async has(commit: string): Promise<boolean> {
    return (await this.#commitAt(commit)) !== undefined;
  }

  /** Adds a working tree in `folder` at the branch's latest commit, without checking out a branch. */
  async addTree(folder: string, branch: string): Promise<void> {
    await this.#out(['worktree', 'prune']);
    await this.#out(['worktree', 'add', '--quiet', '--detach', folder, await this.tipOf(branch)]);
  }

  /** Checks out a commit, discards changes in the working tree, and deletes new files that git does not ignore. */
  async moveTo(commit: string): Promise<void> {
    await this.#out(['checkout', '--quiet', '--force', '--detach', commit]);
    await this.#out(['clean', '--quiet', '-d', '--force']);
  }

  /**
   * Commits all changes, even if there are none, and points a branch at the commit. Resolves to the number of
   * changed files.
   */
  async commit(branch: string, message: string): Promise<number> {
    await this.#out(['add', '--all']);
    const changed = await this.#out(['diff', '--cached', '--name-only', '-z']);
    await this.#out(['commit', '--quiet', '--no-verify', '--allow-empty', '-m', message]);
    await this.#out(['branch', '--force', branch, 'HEAD']);
    return changed.split('\0').filter(Boolean).length;
  }

  /**
   * Resolves to whether a local branch differs from the branch on `origin` as last fetched or pushed. False if
   * there is no local branch of this name.
   */
  async isAhead(branch: string): Promise<boolean> {
    const own = await this.#commitAt(`refs/heads/${branch}`);
    return own !== undefined && own !== (await this.#commitAt(`refs/remotes/origin/${branch}`));
  }

  /**
   * Pushes a branch. This may replace an earlier plan on the remote, but no commit that somebody
   * else has pushed since. Resolves to the reason if the push failed, otherwise to undefined.
   */
  async push(branch: string): Promise<string | undefined> {
    const known = (await this.#commitAt(`refs/remotes/origin/${branch}`)) ?? '';
    const lease = `--force-with-lease=refs/heads/${branch}:${known}`;
    const ref = `refs/heads/${branch}`;
    const output = await this.#git(
      ['push', '--quiet', '--no-verify', lease, 'origin', ref],
      REMOTE,
    );
    return output.state === 'ended' && output.code === 0 ? undefined : describeFailure(output);
  }

  async #commitAt(ref: string): Promise<string | undefined> {
    const output = await this.#git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
    return output.state === 'ended' && output.code === 0 ? output.out.trim() : undefined;
  }

  #git(args: readonly string[], set: GitOptions['set'] = {}): Promise<GitOutput> {
    const { SSH_AUTH_SOCK: agent = '' } = this.#env;
    // Give the person's ssh agent only to commands that contact a remote repository.
    const keys = set === REMOTE && agent !== '' ? { SSH_AUTH_SOCK: agent } : {};
    const options = {
      env: this.#env,
      signal: this.#signal,
      ms: SLOW_MS,
      most: MOST,
      set: { ...set, ...keys },
    };
    return runGit(this.folder, [...OWN, ...args], options);
  }

  /**
   * Runs git and resolves to its output.
   * @throws DeliberateError with git's own words if it fails
   */
  async #out(args: readonly string[]): Promise<string> {
    const output = await this.#git(args);
    if (output.state === 'ended' && output.code === 0) return output.out;
    const next = /identity|user\.email/.test(describeFailure(output))
      ? 'Tell git who you are: git config user.name, git config user.email'
      : undefined;
    throw new DeliberateError('git', `git ${args[0]}: ${describeFailure(output)}`, next);
  }
}

function describeFailure(output: GitOutput): string {
  switch (output.state) {
    case 'ended':
      return output.err.split('\n').find((row) => row.trim() !== '') ?? `exit ${output.code}`;
    case 'late':
      return 'it took too long';
    case 'cut':
      return 'too much output';
    default:
      return 'it is not installed';
  }
}

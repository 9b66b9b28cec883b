/**
 * The person's own checkout. Git uses their settings, so that it sees the checkout as they do. Only `fetch`
 * and `forward` write to it. No program that settings name is started: no hook, monitor or transport, and no
 * filter except when `forward` updates files.
 */
import { findStatus } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { toLine } from '../text/line.ts';
import type { GitOptions } from '../tools/git.ts';
import { firstLine } from '../tools/root.ts';
import { type Answer, askGit, callGit, gitFailedError, requireGit, toGitFlags } from './ask-git.ts';

/** Switches off hooks, for every call except the one that asks for their folder. */
const NO_HOOKS = toGitFlags({ 'core.hooksPath': '/dev/null' });

/** Keeps a partial clone from fetching missing objects. */
const NO_TRANSPORT = toGitFlags({ 'protocol.allow': 'never' });

/** Switches off git's own maintenance. */
const QUIET = toGitFlags({
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.writeCommitGraph': 'false',
  'submodule.recurse': 'false',
});

type Options = Pick<GitOptions, 'signal' | 'input' | 'paths'>;

/** Runs git in the person's checkout. Nothing here writes to it except `fetch` and `forward`. */
export class Checkout {
  /** The top folder of the checkout. */
  readonly folder: string;
  readonly #env: Env;
  readonly #noFilters: Readonly<Record<string, string>>;

  private constructor(folder: string, env: Env, noFilters: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.#env = env;
    this.#noFilters = noFilters;
  }

  /**
   * Opens the checkout that contains the path.
   * @throws DeliberateError if there is none, or git is missing or too old
   */
  static async open(path: string, env: Env, signal: AbortSignal): Promise<Checkout> {
    if (!findStatus(path)?.isDirectory())
      throw new DeliberateError('no-repository', `${toLine(path)}: no such folder`);
    await requireGit(path, { env, signal });
    const asked = await callGit(path, ['rev-parse', '--show-toplevel'], { env, signal });
    if (asked.code !== 0) throw explainUnreadable(path, asked);
    // Remove only the line end that git adds: the name of the folder may itself end with a line end.
    const folder = asked.out.replace(/\n$/, '');
    const named = await callGit(
      folder,
      ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process)$'],
      { env, signal },
    );
    return new Checkout(folder, env, withoutFilters(named.out));
  }

  /** Runs git and returns its result, whatever the exit code. */
  call(args: readonly string[], options: Options): Promise<Answer> {
    const { folder } = this;
    return callGit(folder, [...NO_HOOKS, ...NO_TRANSPORT, ...args], this.#with(options));
  }

  /**
   * Runs git.
   * @throws DeliberateError if git fails
   */
  ask(args: readonly string[], options: Options): Promise<Answer> {
    return askGit(this.folder, [...NO_HOOKS, ...NO_TRANSPORT, ...args], this.#with(options));
  }

  /**
   * Fetches refs from the repository in the folder `from` into the person's repository, without
   * running their hooks. Resolves to git's result, whatever the exit code. The fetch takes no
   * signal, since a killed git leaves its locks.
   */
  fetch(from: string, refspecs: readonly string[]): Promise<Answer> {
    return callGit(
      this.folder,
      [
        ...[
          ...NO_HOOKS,
          ...NO_TRANSPORT,
          ...QUIET,
          ...toGitFlags({ 'protocol.file.allow': 'always' }),
        ],
        ...['fetch', '--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head'],
        ...['--no-recurse-submodules', '--no-auto-gc', '--', from, ...refspecs],
      ],
      this.#with({ signal: new AbortController().signal }),
    );
  }

  /**
   * Fast-forwards the branch of HEAD to a commit, and updates the checked-out files as the person's
   * settings say. Resolves to git's result, whatever the exit code.
   */
  forward(commit: string): Promise<Answer> {
    return callGit(
      this.folder,
      [
        ...[...NO_HOOKS, ...NO_TRANSPORT, ...QUIET],
        ...['merge', '--ff-only', '--no-autostash', '--no-verify-signatures', '--no-stat'],
        ...['--quiet', commit],
      ],
      { env: this.#env, signal: new AbortController().signal },
    );
  }

  /** Returns the value of a git setting; undefined if it is not set. */
  async setting(name: string, signal: AbortSignal): Promise<string | undefined> {
    const { code, out } = await callGit(
      this.folder,
      ['config', '--null', '--get', name],
      this.#with({ signal }),
    );
    return code === 0 ? out.replace(/\0$/, '') : undefined;
  }

  /** Returns the folder from which git would run hooks. */
  async hooksFolder(signal: AbortSignal): Promise<string> {
    const args = ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'];
    return (await askGit(this.folder, args, this.#with({ signal }))).out.replace(/\n$/, '');
  }

  /** Returns the commit of HEAD. @throws DeliberateError if there is no commit */
  async head(signal: AbortSignal): Promise<string> {
    const found = await this.call(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
      signal,
    });
    if (found.code === 0) return found.out.trim();
    throw new DeliberateError(
      'no-commits',
      `${toLine(this.folder)}: nothing is committed yet`,
      'Commit what the work starts from: git commit',
    );
  }

  /** Returns the branch of HEAD, such as `refs/heads/main`; undefined if HEAD is detached. */
  async branch(signal: AbortSignal): Promise<string | undefined> {
    const found = await this.call(['symbolic-ref', '--quiet', 'HEAD'], { signal });
    return found.code === 0 ? found.out.trim() : undefined;
  }

  /** Returns the commit that a ref points to; undefined if there is no such ref. */
  async commitOf(ref: string, signal: AbortSignal): Promise<string | undefined> {
    const found = await this.call(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
      signal,
    });
    return found.code === 0 ? found.out.trim() : undefined;
  }

  /**
   * Returns the changed and the untracked files, each with git's two letters of status. `paths`
   * limits the answer to some files and folders; empty: all. With `all`, an untracked folder is
   * listed file by file, otherwise as one path that ends with `/`. Submodules are not entered, since
   * they have settings of their own.
   */
  async status(
    paths: readonly string[],
    all: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly state: string; readonly path: string }[]> {
    const { out } = await this.ask(
      [
        ...['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=dirty'],
        ...[`--untracked-files=${all ? 'all' : 'normal'}`, '--', ...paths],
      ],
      { signal },
    );
    return out
      .split('\0')
      .filter((row) => row !== '')
      .map((row) => ({ state: row.slice(0, 2), path: row.slice(3) }));
  }

  #with(options: Options): GitOptions {
    return { ...options, env: this.#env, set: this.#noFilters };
  }
}

/** Returns settings that switch off filters. Names of filters may contain anything. */
function withoutFilters(named: string): Record<string, string> {
  const drivers = new Set(
    named.split('\0').flatMap((name) => (name === '' ? [] : name.slice(0, name.lastIndexOf('.')))),
  );
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ''],
    [`${driver}.smudge`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', `${settings.length}`],
    ...settings.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}

function explainUnreadable(path: string, answer: Answer): DeliberateError {
  const { err } = answer;
  if (/not a git repository/.test(err))
    return new DeliberateError(
      'no-repository',
      `${toLine(path)}: not a git repository`,
      'Name one: --repo PATH',
    );
  if (/must be run in a work tree/.test(err))
    return new DeliberateError(
      'no-work-tree',
      `${toLine(path)}: a bare repository, without files to work on`,
      'Name a checkout of it: --repo PATH',
    );
  if (/dubious ownership/.test(err))
    return new DeliberateError(
      'not-yours',
      `${toLine(path)}: ${toLine(firstLine(err))}`,
      'If you trust it: git config --global --add safe.directory PATH',
    );
  return gitFailedError(['rev-parse'], answer);
}

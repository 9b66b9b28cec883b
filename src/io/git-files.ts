/**
 * Lists the files of a folder by git: tracked files, and new files that are not ignored. Git is called
 * synchronously and without a shell.
 */
import { execFileSync } from 'node:child_process';
import { filterEnvironment } from './environment.ts';
import { errorCode, RefusedFileError } from './text-file.ts';
import { findOnPath } from './tools.ts';

/** The time limit in milliseconds. Git can block, for instance if its list of ignored files is a pipe. */
const GIT_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Lists the files below a folder that git tracks or does not ignore. A nested repository is one path with a
 * trailing slash, and a submodule is one path.
 *
 * @returns the paths relative to the folder, with slashes; undefined if git is not installed or fails, for
 *   instance because the folder is in no repository
 * @throws RefusedFileError if git does not answer in time
 */
export function listByGit(folder: string): string[] | undefined {
  const out = runGit(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return out === undefined ? undefined : splitNames(out);
}

/**
 * Returns which of the given paths git ignores. The paths are relative to `folder`. A path that git refuses,
 * because it is outside the repository or behind a symbolic link, counts as not ignored. The result is
 * empty if git is not installed, or if `folder` is in no repository.
 *
 * @throws RefusedFileError if git does not answer in time
 */
export function listIgnoredByGit(folder: string, paths: readonly string[]): ReadonlySet<string> {
  const isInRepository = (): boolean => runGit(folder, ['rev-parse', '--git-dir']) !== undefined;
  const listIgnored = (some: readonly string[]): string[] => {
    if (some.length === 0) return [];
    const out = runGit(folder, ['check-ignore', '-z', '--stdin'], some.join('\0'));
    if (out !== undefined) return splitNames(out);
    // Git refuses the whole list if it refuses one path, so ask about each half by itself.
    if (some.length === 1 || !isInRepository()) return [];
    const middle = Math.floor(some.length / 2);
    return [...listIgnored(some.slice(0, middle)), ...listIgnored(some.slice(middle))];
  };
  return new Set(listIgnored(paths));
}

function splitNames(out: string): string[] {
  return [...new Set(out.split('\0'))].filter((path) => path !== '');
}

/** Runs git and returns its output; undefined if it is not installed or fails. */
function runGit(folder: string, args: readonly string[], input = ''): string | undefined {
  const program = findOnPath('git', process.env);
  if (program === undefined) return undefined;
  try {
    // Switch core.fsmonitor off: a repository's configuration may name a program there, which git
    // would run when it lists files.
    return execFileSync(program, ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      env: { ...filterEnvironment(process.env), GIT_OPTIONAL_LOCKS: '0' },
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: MOST_BYTES,
      timeout: GIT_MS,
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (errorCode(error) === 'ETIMEDOUT')
      throw new RefusedFileError(folder, `git did not list its files within ${GIT_MS / 1000} s`);
    // The exit code 1 of `git check-ignore` says that git ignores none of the paths.
    if (args.includes('check-ignore') && 'status' in error && error.status === 1) return '';
    return undefined;
  }
}

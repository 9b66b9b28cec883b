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
 * Returns which of the given paths git ignores. The paths are relative to `folder`. The result is
 * empty if git is not installed or fails, for instance because `folder` is in no repository.
 *
 * @throws RefusedFileError if git does not answer in time
 */
export function listIgnoredByGit(folder: string, paths: readonly string[]): ReadonlySet<string> {
  if (paths.length === 0) return new Set();
  return new Set(
    splitNames(runGit(folder, ['check-ignore', '-z', '--stdin'], paths.join('\0')) ?? ''),
  );
}

function splitNames(out: string): string[] {
  return [...new Set(out.split('\0'))].filter((path) => path !== '');
}

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
    // Git fails outside a repository, and `git check-ignore` fails if it ignores none of the paths. Neither is an
    // error here.
    return undefined;
  }
}

/**
 * The files of a folder as git knows them: what is tracked, and what would be added; what is ignored is
 * not there. Asked at once and without a shell, before anything else is done.
 */
import { execFileSync } from 'node:child_process';
import { admit } from './environment.ts';
import { codeOf, Refused } from './text-file.ts';
import { onPath } from './tools.ts';

/** Milliseconds. Git waits for a pipe that was made its list of what to ignore. */
const GIT_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Paths below a folder, with slashes; a repository within it stands there as one path that ends with a
 * slash, a submodule as the folder that it is. Undefined where there is no repository, or no git.
 * @throws Refused where git does not answer in time
 */
export function listByGit(folder: string): string[] | undefined {
  const out = ask(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return out === undefined ? undefined : namesIn(out);
}

/** Those of the paths, from the folder, that git ignores; none where there is no repository, or no git. */
export function ignoredByGit(folder: string, paths: readonly string[]): ReadonlySet<string> {
  if (paths.length === 0) return new Set();
  return new Set(namesIn(ask(folder, ['check-ignore', '-z', '--stdin'], paths.join('\0')) ?? ''));
}

function namesIn(out: string): string[] {
  return [...new Set(out.split('\0'))].filter((path) => path !== '');
}

function ask(folder: string, args: readonly string[], input = ''): string | undefined {
  const program = onPath('git', process.env);
  if (program === undefined) return undefined;
  try {
    // A repository's own configuration may name a program to run while files are listed.
    return execFileSync(program, ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      env: { ...admit(process.env), GIT_OPTIONAL_LOCKS: '0' },
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: MOST_BYTES,
      timeout: GIT_MS,
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (codeOf(error) === 'ETIMEDOUT')
      throw new Refused(folder, `git did not list its files within ${GIT_MS / 1000} s`);
    // It is no repository; of `check-ignore`: nothing is ignored.
    return undefined;
  }
}

/**
 * Calls git when its answer is required; a failure to answer is thrown as an error with a sentence for the
 * person.
 */
import { findStatus } from '../io/text-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { toLine } from '../text/line.ts';
import { type GitOptions, type GitOutput, runGit } from '../tools/git.ts';
import { firstLine } from '../tools/root.ts';

/** The time limit in milliseconds; large repositories take long. */
const MS = 10 * 60_000;
/** The most bytes of output: enough for the file names of the largest repositories. */
const MOST = 256 * 1024 * 1024;

/**
 * The result of a git command that ran to its end, as opposed to one that was stopped or could not
 * start.
 */
export type Answer = Extract<GitOutput, { state: 'ended' }>;

/** The required version of git: it has `merge-tree --write-tree`, which merges without a checkout. */
const NEEDED = [2, 38] as const;

/**
 * Runs git and returns its result, whatever the exit code.
 * @throws DeliberateError if git could not start, took too long or printed too much; the reason of
 *   the signal if the signal is aborted
 */
export async function callGit(
  folder: string,
  args: readonly string[],
  options: GitOptions,
): Promise<Answer> {
  options.signal.throwIfAborted();
  const output = await runGit(folder, args, { ms: MS, most: MOST, ...options });
  options.signal.throwIfAborted();
  switch (output.state) {
    case 'ended':
      return output;
    case 'missing':
      // Node reports git as missing also if the folder to run it in is missing, so look which of the two it is.
      throw findStatus(folder)?.isDirectory() ? noGit() : missingFolderError(folder);
    case 'late':
      throw new DeliberateError('git-late', `git ${commandIn(args)} took too long and was stopped`);
    case 'cut':
      throw new DeliberateError('git-long', `git ${commandIn(args)} printed more than is read`);
  }
}

/**
 * Runs git and returns its result.
 * @throws DeliberateError in the same cases as `callGit`, and if git ended with an exit code other
 *   than 0
 */
export async function askGit(
  folder: string,
  args: readonly string[],
  options: GitOptions,
): Promise<Answer> {
  const answer = await callGit(folder, args, options);
  if (answer.code !== 0) throw gitFailedError(args, answer);
  return answer;
}

/** Returns the error for a git command that ended with an exit code other than 0. */
export function gitFailedError(args: readonly string[], { err }: Answer): DeliberateError {
  const why = err.split('\n').find((row) => /^(?:fatal|error): /.test(row)) ?? err;
  return new DeliberateError('git-failed', `git ${commandIn(args)}: ${toLine(firstLine(why))}`);
}

/** Returns git's subcommand: `fetch` for `-c a=b fetch --quiet`. */
function commandIn(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? args[0] ?? '';
}

function noGit(): DeliberateError {
  return new DeliberateError(
    'no-git',
    'git is not installed',
    `Install git ${NEEDED.join('.')} or newer, then try again.`,
  );
}

function missingFolderError(folder: string): DeliberateError {
  return new DeliberateError('no-repository', `${toLine(folder)}: no such folder`);
}

/**
 * Checks that git is installed and new enough.
 * @throws DeliberateError if git is missing or too old
 */
export async function requireGit(folder: string, options: GitOptions): Promise<void> {
  const { out } = await askGit(folder, ['--version'], options);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(out) ?? [];
  const [first, second] = NEEDED;
  if (Number(major) > first || (Number(major) === first && Number(minor) >= second)) return;
  throw new DeliberateError(
    'old-git',
    `git ${toLine(out.replace(/^git version /, '').trim())} is too old: joining work needs merge-tree --write-tree`,
    `Install git ${NEEDED.join('.')} or newer, then try again.`,
  );
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns whether a text is a full object hash: 40 or 64 hexadecimal digits in lower case. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Returns git settings as arguments that apply to one run of git: `-c name=value`. */
export function toGitFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Splits a list of names that git separated by zero bytes, since names may contain any other
 * character.
 */
export function splitAtZeros(out: string): string[] {
  return out.split('\0').filter((path) => path !== '');
}

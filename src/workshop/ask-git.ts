/**
 * Calls git where an answer is needed to go on: what keeps it from answering is an error with a sentence
 * for the person.
 */
import { lookAt } from '../io/text-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { line } from '../text/line.ts';
import { type GitOptions, type GitOutput, git } from '../tools/git.ts';
import { firstLine } from '../tools/root.ts';

/** A repository that is large takes its time; one that takes longer is stuck. */
const MS = 10 * 60_000;
/** Of output: the names of all files of the largest repositories. */
const MOST = 256 * 1024 * 1024;

export type Answer = Extract<GitOutput, { state: 'ended' }>;

/** `merge-tree --write-tree`, which joins without a checkout, is there from this version on. */
const NEEDED = [2, 38] as const;

/** What git came to, whatever its exit code. @throws DeliberateError where it did not end by itself */
export async function callGit(
  folder: string,
  args: readonly string[],
  options: GitOptions,
): Promise<Answer> {
  options.signal.throwIfAborted();
  const output = await git(folder, args, { ms: MS, most: MOST, ...options });
  options.signal.throwIfAborted();
  switch (output.state) {
    case 'ended':
      return output;
    case 'missing':
      // Node says the same of a folder that is gone.
      throw lookAt(folder)?.isDirectory() ? noGit() : gone(folder);
    case 'late':
      throw new DeliberateError('git-late', `git ${commandIn(args)} took too long and was stopped`);
    case 'cut':
      throw new DeliberateError('git-long', `git ${commandIn(args)} printed more than is read`);
  }
}

/** The same where nothing but success will do. */
export async function askGit(
  folder: string,
  args: readonly string[],
  options: GitOptions,
): Promise<Answer> {
  const answer = await callGit(folder, args, options);
  if (answer.code !== 0) throw gitFailed(args, answer);
  return answer;
}

export function gitFailed(args: readonly string[], { err }: Answer): DeliberateError {
  const why = err.split('\n').find((row) => /^(?:fatal|error): /.test(row)) ?? err;
  return new DeliberateError('git-failed', `git ${commandIn(args)}: ${line(firstLine(why))}`);
}

/** `fetch` of `-c a=b fetch --quiet`. */
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

function gone(folder: string): DeliberateError {
  return new DeliberateError('no-repository', `${line(folder)}: no such folder`);
}

/** @throws DeliberateError where there is no git, or one that cannot join. */
export async function requireGit(folder: string, options: GitOptions): Promise<void> {
  const { out } = await askGit(folder, ['--version'], options);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(out) ?? [];
  const [first, second] = NEEDED;
  if (Number(major) > first || (Number(major) === first && Number(minor) >= second)) return;
  throw new DeliberateError(
    'old-git',
    `git ${line(out.replace(/^git version /, '').trim())} is too old: joining work needs merge-tree --write-tree`,
    `Install git ${NEEDED.join('.')} or newer, then try again.`,
  );
}

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether it is a name that git gives by itself; nothing else is ever handed on as one. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Settings for one call: `-c name=value`. */
export function asFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** What stands between zeros: git's way to list names that may hold anything else. */
export function betweenZeros(out: string): string[] {
  return out.split('\0').filter((one) => one !== '');
}

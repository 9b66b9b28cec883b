/**
 * Calls the `git` program, for instance to find ignored files and the history. It is called with arguments
 * and never through a shell, and no program that a repository's settings name is started.
 */
import { spawn } from 'node:child_process';
import { filterEnvironment } from '../io/environment.ts';
import { type Env, findOnPath } from '../io/tools.ts';

/** The options of one run of git. */
export interface GitOptions {
  /** The environment variables of this process, of which git gets the necessary ones. */
  readonly env: Env;
  readonly signal: AbortSignal;
  /** How git interprets paths: literally, or as globs. Absent: literally. */
  readonly paths?: 'literal' | 'glob';
  /** The time limit in milliseconds; absent: `GIT_MS`. */
  readonly ms?: number;
  /** The most bytes of output; git is ended if it prints more. Absent: 512 KiB. */
  readonly most?: number;
  /** The standard input of git. */
  readonly input?: string | Uint8Array | undefined;
  /** Further environment variables, such as GIT_INDEX_FILE. */
  readonly set?: Readonly<Record<string, string>>;
}

/**
 * The result of a run of git: git ended by itself, was ended at the output limit (`cut`), was ended
 * because it took too long or the caller's signal was aborted (`late`), or is not installed or does
 * not start (`missing`).
 */
export type GitOutput =
  | {
      readonly state: 'ended';
      readonly code: number;
      readonly out: string;
      /** The output as bytes, since the content of a file need not be text. */
      readonly bytes: Buffer;
      /** The standard error. */
      readonly err: string;
    }
  /** Git was ended at the output limit, so the last line of `out` may be incomplete. */
  | { readonly state: 'cut'; readonly out: string; readonly bytes: Buffer }
  | { readonly state: 'late' }
  | { readonly state: 'missing' };

/** The default time limit in milliseconds. Git answers questions about a folder much faster. */
export const GIT_MS = 5_000;
const MOST = 512 * 1024;

/** Arguments that keep a repository's settings from running programs. */
const HARMLESS = [
  ...['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'],
  ...['-c', 'log.showSignature=false', '-c', 'grep.fullName=false', '-c', 'color.ui=false'],
];
const SETTINGS = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

/** Runs git in a folder. Resolves to the result whatever git does, and never rejects. */
export function runGit(
  folder: string,
  args: readonly string[],
  { env, signal, paths = 'literal', ms = GIT_MS, most = MOST, input, set = {} }: GitOptions,
): Promise<GitOutput> {
  const program = findOnPath('git', env);
  if (program === undefined) return Promise.resolve({ state: 'missing' });
  return new Promise((resolve) => {
    const child = spawn(program, [...HARMLESS, `--${paths}-pathspecs`, ...args], {
      cwd: folder,
      env: { ...filterEnvironment(env), ...SETTINGS, ...set },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // Ignore errors of the input: git may end before it has read all of it. Its exit code shows whether it
    // failed.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    const out: Buffer[] = [];
    let read = 0;
    let err = '';
    let why: 'cut' | 'late' | undefined;
    const endGit = (reason: typeof why): void => {
      why ??= reason;
      child.kill('SIGKILL');
    };
    const stop = (): void => endGit('late');
    const clock = setTimeout(stop, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (part: Buffer) => {
      read += part.length;
      if (read <= most) out.push(part);
      else endGit('cut');
    });
    child.stderr.on('data', (part: Buffer) => {
      if (err.length < 2_000) err += part.toString();
    });
    const settle = (given: GitOutput): void => {
      clearTimeout(clock);
      signal.removeEventListener('abort', stop);
      resolve(given);
    };
    child.on('error', () => settle({ state: 'missing' }));
    child.on('close', (code) => {
      const bytes = Buffer.concat(out);
      const text = new TextDecoder().decode(bytes);
      if (why === 'late') settle({ state: 'late' });
      else if (why === 'cut') settle({ state: 'cut', out: text, bytes });
      else settle({ state: 'ended', code: code ?? 1, out: text, bytes, err: err.trim() });
    });
  });
}

/**
 * The `git` program, for what only it knows: what is ignored, what was there before. It is called with
 * arguments and never through a shell, and nothing that a repository's own settings name is started.
 */
import { spawn } from 'node:child_process';
import { filterEnvironment } from '../io/environment.ts';
import { type Env, onPath } from '../io/tools.ts';

export interface GitOptions {
  readonly env: Env;
  readonly signal: AbortSignal;
  /** How paths are meant: to the letter, or as patterns. */
  readonly paths?: 'literal' | 'glob';
  /** Milliseconds; `GIT_MS` if absent. */
  readonly ms?: number;
  /** Bytes of output; what comes then is not read. */
  readonly most?: number;
  /** What it reads from its standard input. */
  readonly input?: string | Uint8Array | undefined;
  /** Variables of git's own besides: GIT_INDEX_FILE. */
  readonly set?: Readonly<Record<string, string>>;
}

export type GitOutput =
  | {
      readonly state: 'ended';
      readonly code: number;
      readonly out: string;
      /** The same as it came: what a file holds need not be text. */
      readonly bytes: Buffer;
      readonly err: string;
    }
  /** It was stopped at the limit: the end of `out` may be half a line. */
  | { readonly state: 'cut'; readonly out: string; readonly bytes: Buffer }
  | { readonly state: 'late' }
  | { readonly state: 'missing' };

/** Questions about a folder are answered at once; a pattern that takes longer is not worth it. */
export const GIT_MS = 5_000;
const MOST = 512 * 1024;

/** A repository may name programs to run; a partial clone would fetch what it lacks. */
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

export function git(
  folder: string,
  args: readonly string[],
  { env, signal, paths = 'literal', ms = GIT_MS, most = MOST, input, set = {} }: GitOptions,
): Promise<GitOutput> {
  const program = onPath('git', env);
  if (program === undefined) return Promise.resolve({ state: 'missing' });
  return new Promise((resolve) => {
    const child = spawn(program, [...HARMLESS, `--${paths}-pathspecs`, ...args], {
      cwd: folder,
      env: { ...filterEnvironment(env), ...SETTINGS, ...set },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // It may be gone before it has read everything: its exit code says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    const out: Buffer[] = [];
    let read = 0;
    let err = '';
    let why: 'cut' | 'late' | undefined;
    const end = (reason: typeof why): void => {
      why ??= reason;
      child.kill('SIGKILL');
    };
    const stop = (): void => end('late');
    const clock = setTimeout(stop, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (part: Buffer) => {
      read += part.length;
      if (read <= most) out.push(part);
      else end('cut');
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

/**
 * Runs a program from a list of arguments without a shell, and leaves no process of it running. It has
 * limits of time, output and processes, and a process group of its own that is ended as a whole. If this
 * program is killed, a watcher ends the group (`watcher.ts`); processes that even the watcher missed are
 * found by their mark when the run is continued (`endMarked`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { CheckRun } from '../kernel/tools/workshop.ts';
import { ownGroupOptions } from '../platform/processes.ts';
import { commandToStart, findOnPathOrScript, isPath } from '../platform/programs.ts';
import { SYSTEM } from '../platform/system.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { Descendants, Family, GRACE_MS, MARK, type Member } from './family.ts';
import { OutputTail } from './tail.ts';
import { startWatcher, UNWATCHED } from './watcher.ts';

/** A program to run, and its limits. */
export interface Command {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** The working folder. */
  readonly cwd: string;
  /** All environment variables that the program gets, apart from the mark. */
  readonly env: Readonly<Record<string, string>>;
  /** The time limit in milliseconds. */
  readonly timeoutMs: number;
  /**
   * The most bytes of output and the most simultaneous processes. A program with more is ended; absent:
   * the defaults.
   */
  readonly most?: { readonly bytes?: number; readonly processes?: number };
  /**
   * The value of the variable `DELIBERATE_WORK` in the environment of the command's processes, by which they are
   * found. It begins with the mark of the run.
   */
  readonly mark: string;
  /** The standard input; absent: empty. */
  readonly input?: string | undefined;
  /**
   * `bwrap` if the command runs in that sandbox program; otherwise absent. The sandbox program gets no
   * SIGTERM, since its end would kill all processes in the sandbox at once. Through a pipe of its own, a
   * script in the sandbox reports that the command has started, and how many processes the command has left at its end.
   */
  readonly wrapped?: string | undefined;
  /**
   * Communicates with the program. The program's standard output is then not kept, and the program is
   * ended when this function ends.
   */
  readonly talk?: ((input: Writable, output: Readable) => Promise<void>) | undefined;
}

/** How a program ended, and the end of its output. */
export interface ProcessEnd {
  /** The exit code; null if the program was ended or could not start. */
  readonly exit: number | null;
  /** Why there is no exit code; absent if there is one. */
  readonly ended?: CheckRun['ended'];
  /** A sentence on why there is no exit code; absent if there is one. */
  readonly note?: string;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** The end of standard output and standard error, in the order of arrival, sanitised. */
  readonly text: string;
  /** The length of the whole output in bytes. */
  readonly bytes: number;
  /** How many processes the program left running when it ended by itself. */
  readonly left: number;
}

/** The most bytes of output; enough for a test runner with several thousand tests. */
const MOST_BYTES = 32 * 1024 * 1024;
const KEPT_BYTES = 4 * 1024 * 1024;
/**
 * The most simultaneous processes. A build with a worker per core has fewer; endless forking has more at
 * once.
 */
const MOST_PROCESSES = 512;
/** Milliseconds between two counts of the processes. Listing them takes a few milliseconds. */
const LOOK_MS = SYSTEM === 'linux' ? 250 : 2_000;
/** Milliseconds for a program's helpers to end after it. */
const LINGER_MS = 300;

/** Both outputs use one pipe, since the order of writes to two pipes is unknown. */
const ONE_OUTPUT = 'exec "$@" 2>&1';

type Why = NonNullable<CheckRun['ended']>;

/**
 * Runs a program until it ends, or ends it at a limit. Resolves to the result whatever the program
 * does.
 */
export async function runProcess(command: Command, signal: AbortSignal): Promise<ProcessEnd> {
  const began = performance.now();
  const makeEnded = (ended: Why, note: string): ProcessEnd => ({
    exit: null,
    ended,
    note,
    text: '',
    bytes: 0,
    left: 0,
    ms: performance.now() - began,
  });
  if (signal.aborted) return makeEnded('stopped', 'stopped before it started');
  // The watcher ends the command if this program is killed. Windows has no watcher, so the command goes on there.
  const watcher = SYSTEM === 'windows' ? UNWATCHED : await startWatcher(command.mark);
  if (watcher === undefined) return makeEnded('not-started', '/bin/sh cannot be started');
  try {
    const started = await startProcess(command);
    if ('error' in started) return makeEnded('not-started', started.error);
    watcher.watch(started.pid);
    const { ended, ...rest } = await superviseProcess(started, command, signal);
    return {
      ...rest,
      ...withoutUndefined({ ended }),
      ms: performance.now() - began,
    };
  } finally {
    await watcher.dismiss();
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
}

function startProcess({
  argv,
  cwd,
  env,
  mark,
  input,
  wrapped,
  talk,
}: Command): Promise<Started | { readonly error: string }> {
  const [program = '', ...args] = argv;
  const file = findExecutable(program, cwd, env);
  if (file === undefined)
    return Promise.resolve({ error: `${program}: not found, or no program that can be run` });
  const started =
    talk === undefined && SYSTEM !== 'windows'
      ? { file: '/bin/sh', args: ['-c', ONE_OUTPUT, 'sh', file, ...args] }
      : commandToStart(file, args, env);
  if (typeof started === 'string') return Promise.resolve({ error: started });
  return new Promise((resolve) => {
    const child = spawn(started.file, started.args, {
      cwd,
      windowsVerbatimArguments: started.windowsVerbatimArguments === true,
      env: { ...env, [MARK]: mark },
      ...ownGroupOptions(),
      stdio: [
        input === undefined && talk === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(wrapped === undefined ? [] : (['pipe'] as const)),
      ],
    });
    child.once('error', (error) => resolve({ error: `${program}: ${error.message}` }));
    child.once('spawn', () => resolve({ child, pid: child.pid as number }));
    // Ignore errors of the input: the program may end before it has read all of it.
    child.stdin?.on('error', () => undefined);
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** Supervises a program from its start to the end of its last process. */
async function superviseProcess(
  { child, pid }: Started,
  { timeoutMs, most, mark, wrapped, talk }: Command,
  signal: AbortSignal,
): Promise<Omit<ProcessEnd, 'ms'>> {
  const { bytes: mostBytes = MOST_BYTES, processes = MOST_PROCESSES } = most ?? {};
  const family = SYSTEM === 'windows' ? new Descendants(child) : new Family(pid, mark);
  const tail = new OutputTail(KEPT_BYTES);
  let why: { ended: Why; note: string } | undefined;
  let ending: Promise<void> | undefined;
  const isSpared = (member: Member): boolean => wrapped !== undefined && member.name === wrapped;
  const endFamily = (ended: Why, note: string): void => {
    why ??= { ended, note };
    ending ??= family.end(isSpared);
  };

  let talked = 0;
  const takeOutput = (part: Buffer): void => {
    if (tail.bytes + talked > mostBytes) {
      endFamily('output', `it wrote more than ${mostBytes} bytes`);
      return;
    }
    tail.push(part);
  };
  child.stderr?.on('data', takeOutput);
  if (talk === undefined) child.stdout?.on('data', takeOutput);
  else
    child.stdout?.on('data', (part: Buffer) => {
      talked += part.length;
      if (talked > mostBytes) endFamily('output', `it wrote more than ${mostBytes} bytes`);
    });

  let told = '';
  child.stdio[3]?.on('data', (part: Buffer) => {
    if (told.length < 100) told += part.toString('latin1');
  });

  const clock = setTimeout(
    () => endFamily('time', `ended after ${Math.round(timeoutMs / 1000)} s, its limit`),
    timeoutMs,
  );
  const census = setInterval(() => {
    const found = family.look().length;
    if (found > processes)
      endFamily('signal', `it had ${found} processes; ${processes} are allowed`);
  }, LOOK_MS);
  const stop = (): void => endFamily('stopped', 'stopped');
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  const gone = new Promise<{ exit: number | null; name: string | null }>((resolve) => {
    child.once('exit', (exit, name) => resolve({ exit, name }));
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  if (talk !== undefined && child.stdin !== null && child.stdout !== null)
    void talk(child.stdin, child.stdout)
      // Ignore the error: `talk`, the function that exchanges messages with the program, has noted it.
      .catch(() => undefined)
      .then(async () => {
        child.stdin?.end();
        await Promise.race([gone, waitFor(GRACE_MS)]);
        ending ??= family.end(isSpared);
      });

  const { exit, name } = await gone;
  clearTimeout(clock);
  // Wait only a short time for processes that keep the output of the ended program open.
  await Promise.race([closed, waitFor(LINGER_MS)]);
  clearInterval(census);
  signal.removeEventListener('abort', stop);
  const alive = ending === undefined ? family.look() : [];
  ending ??= alive.length > 0 ? family.end() : Promise.resolve();
  await ending;
  await Promise.race([closed, waitFor(LINGER_MS)]);
  for (const stream of child.stdio) stream?.destroy();

  const [isStarted, inside = '0'] = told.split('\n');
  // A shell inside the sandbox bwrap counts the processes that a command left behind. If a command runs without
  // this sandbox, this program itself counts the processes left behind.
  const left = wrapped === undefined ? alive.length : /^\d+$/.test(inside) ? Number(inside) : 0;
  const rest = { text: tail.text(), bytes: tail.bytes + talked, left };
  if (why !== undefined) return { exit: null, ...why, ...rest };
  if (wrapped !== undefined && isStarted !== 'started')
    return { exit: null, ended: 'not-started', note: `${wrapped} could not start it`, ...rest };
  if (exit === null) return { exit, ended: 'signal', note: `ended by ${name}`, ...rest };
  return { exit, ...rest };
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * Returns the path of a program; undefined if there is none that can be run. Relative paths start
 * from `cwd`.
 */
export function findExecutable(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (!isPath(program)) return findOnPathOrScript(program, env);
  const file = isAbsolute(program) ? program : join(cwd, program);
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

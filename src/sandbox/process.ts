/**
 * Runs a program from a list of arguments, without a shell, and always comes back with nothing of it
 * left: within limits of time, output and processes, in a group of its own that is ended as a whole. If
 * we are killed ourselves, a watcher ends it (`watcher.ts`); what even that has missed is found by its
 * mark when somebody comes back to the run (`endMarked`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onPath } from '../io/tools.ts';
import type { CheckRun } from '../kernel/tools/workshop.ts';
import { ofItsOwn } from '../platform/processes.ts';
import { isPath } from '../platform/programs.ts';
import { SYSTEM } from '../platform/system.ts';
import { Descendants, Family, GRACE_MS, MARK, type Member } from './family.ts';
import { Tail } from './tail.ts';
import { startWatcher, UNWATCHED } from './watcher.ts';

export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All that it is told: nothing is added but the mark. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes of output, and processes at a time, at which it is ended. */
  readonly most?: { readonly bytes?: number; readonly processes?: number };
  /** Of the run, and of this command: see `family.ts`. */
  readonly mark: string;
  /** What it reads from its standard input. */
  readonly input?: string | undefined;
  /**
   * The program is run inside of another that keeps it from writing elsewhere. That one tells through a
   * third pipe that it has started and how many processes were left at the end, which nobody sees from
   * outside; and it is not asked to end, since all others would end with it at once.
   */
  readonly wrapped?: string | undefined;
  /** Speaks with it; what it writes to its standard output is not kept. Ended when this is. */
  readonly talk?: ((input: Writable, output: Readable) => Promise<void>) | undefined;
}

export interface Ended {
  readonly exit: number | null;
  readonly ended?: CheckRun['ended'];
  /** Why there is no exit code, where the program did not say it itself. */
  readonly note?: string;
  readonly ms: number;
  /** The end of both outputs in the order of their arrival, clean. */
  readonly text: string;
  readonly bytes: number;
  /** Processes that were there when the program itself had ended. */
  readonly left: number;
}

/** Of the output; enough for what a runner of tests prints about several thousand of them. */
const MOST_BYTES = 32 * 1024 * 1024;
const KEPT_BYTES = 4 * 1024 * 1024;
/** A build with a worker for every core has fewer; whoever forks without an end has more at once. */
const MOST_PROCESSES = 512;
/** How often processes are counted. A list of all takes a few milliseconds. */
const LOOK_MS = SYSTEM === 'linux' ? 250 : 2_000;
/** What a program's own helpers need to end after it. */
const LINGER_MS = 300;

/** Through one pipe, since between two nobody could tell what was written first. */
const ONE_OUTPUT = 'exec "$@" 2>&1';

type Why = NonNullable<CheckRun['ended']>;

/** Never rejects for what the program does. */
export async function runProcess(command: Command, signal: AbortSignal): Promise<Ended> {
  const began = performance.now();
  const nothing = (ended: Why, note: string): Ended => ({
    ...{ exit: null, ended, note, text: '', bytes: 0, left: 0 },
    ms: performance.now() - began,
  });
  if (signal.aborted) return nothing('stopped', 'stopped before it started');
  // Windows has no watcher: if this program is killed, its commands go on. People are told so beforehand.
  const watcher = SYSTEM === 'windows' ? UNWATCHED : await startWatcher(command.mark);
  if (watcher === undefined) return nothing('not-started', '/bin/sh cannot be started');
  try {
    const started = await start(command);
    if ('error' in started) return nothing('not-started', started.error);
    watcher.watch(started.pid);
    const { ended, ...rest } = await attend(started, command, signal);
    return {
      ...rest,
      ...(ended === undefined ? {} : { ended }),
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

function start({
  argv,
  cwd,
  env,
  mark,
  input,
  wrapped,
  talk,
}: Command): Promise<Started | { readonly error: string }> {
  const [program = '', ...args] = argv;
  const file = fileOf(program, cwd, env);
  if (file === undefined)
    return Promise.resolve({ error: `${program}: not found, or no program that can be run` });
  return new Promise((resolve) => {
    const [first, ...more] =
      talk === undefined && SYSTEM !== 'windows'
        ? ['/bin/sh', '-c', ONE_OUTPUT, 'sh', file, ...args]
        : [file, ...args];
    const child = spawn(first as string, more, {
      cwd,
      env: { ...env, [MARK]: mark },
      ...ofItsOwn(),
      stdio: [
        input === undefined && talk === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(wrapped === undefined ? [] : (['pipe'] as const)),
      ],
    });
    child.once('error', (error) => resolve({ error: `${program}: ${error.message}` }));
    child.once('spawn', () => resolve({ child, pid: child.pid as number }));
    // It may be gone before it has read everything.
    child.stdin?.on('error', () => undefined);
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** From the spawn of a program to the end of its last process. */
async function attend(
  { child, pid }: Started,
  { timeoutMs, most, mark, wrapped, talk }: Command,
  signal: AbortSignal,
): Promise<Omit<Ended, 'ms'>> {
  const { bytes: mostBytes = MOST_BYTES, processes = MOST_PROCESSES } = most ?? {};
  const family = SYSTEM === 'windows' ? new Descendants(child) : new Family(pid, mark);
  const tail = new Tail(KEPT_BYTES);
  let why: { ended: Why; note: string } | undefined;
  let ending: Promise<void> | undefined;
  const spare = (one: Member): boolean => wrapped !== undefined && one.name === wrapped;
  const end = (ended: Why, note: string): void => {
    why ??= { ended, note };
    ending ??= family.end(spare);
  };

  let talked = 0;
  const count = (part: Buffer): void => {
    if (tail.bytes + talked > mostBytes) {
      end('output', `it wrote more than ${mostBytes} bytes`);
      return;
    }
    tail.push(part);
  };
  child.stderr?.on('data', count);
  if (talk === undefined) child.stdout?.on('data', count);
  else
    child.stdout?.on('data', (part: Buffer) => {
      talked += part.length;
      if (talked > mostBytes) end('output', `it wrote more than ${mostBytes} bytes`);
    });

  let told = '';
  child.stdio[3]?.on('data', (part: Buffer) => {
    if (told.length < 100) told += part.toString('latin1');
  });

  const clock = setTimeout(
    () => end('time', `ended after ${Math.round(timeoutMs / 1000)} s, its limit`),
    timeoutMs,
  );
  const census = setInterval(() => {
    const found = family.look().length;
    if (found > processes) end('signal', `it had ${found} processes; ${processes} are allowed`);
  }, LOOK_MS);
  const stop = (): void => end('stopped', 'stopped');
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
      // Who talks with it says itself what went wrong.
      .catch(() => undefined)
      .then(async () => {
        child.stdin?.end();
        await Promise.race([gone, after(GRACE_MS)]);
        ending ??= family.end(spare);
      });

  const { exit, name } = await gone;
  clearTimeout(clock);
  // Whoever still holds the output open is waited for only so long.
  await Promise.race([closed, after(LINGER_MS)]);
  clearInterval(census);
  signal.removeEventListener('abort', stop);
  const alive = ending === undefined ? family.look() : [];
  ending ??= alive.length > 0 ? family.end() : Promise.resolve();
  await ending;
  await Promise.race([closed, after(LINGER_MS)]);
  for (const stream of child.stdio) stream?.destroy();

  const [isStarted, inside = '0'] = told.split('\n');
  // In a sandbox those that are still seen are on their way out, and were counted inside.
  const left = wrapped === undefined ? alive.length : /^\d+$/.test(inside) ? Number(inside) : 0;
  const rest = { text: tail.text(), bytes: tail.bytes + talked, left };
  if (why !== undefined) return { exit: null, ...why, ...rest };
  if (wrapped !== undefined && isStarted !== 'started')
    return { exit: null, ended: 'not-started', note: `${wrapped} could not start it`, ...rest };
  if (exit === null) return { exit, ended: 'signal', note: `ended by ${name}`, ...rest };
  return { exit, ...rest };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Where a program is, as seen from the folder it is started in; undefined: nowhere. */
export function fileOf(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  if (!isPath(program)) return onPath(program, env);
  const file = isAbsolute(program) ? program : join(cwd, program);
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    // It is not there, or may not be run.
    return undefined;
  }
}

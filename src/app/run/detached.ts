/**
 * Starts a process of its own to work on a run. The run is recorded here and continued by `deliberate resume`
 * in a process that outlives this one and its terminal.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_ID_VARIABLE } from '../../io/environment.ts';
import { workingFolder } from '../../io/files.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { openTemporaryFile } from '../../platform/passing-file.ts';
import type { Store } from '../../store/store.ts';
import type { Limits, Terms } from '../../store/terms.ts';
import { toLine } from '../../text/line.ts';
import { restateAddressOf } from '../elsewhere/flags.ts';
import type { Invocation } from '../invocation.ts';
import { PROGRAM } from '../program.ts';
import type { Config } from '../settings/config.ts';
import { getStartCommand } from '../suggest.ts';

/** Milliseconds to wait until the new process has taken the run. After that it may still start. */
const TAKES_MS = 20_000;
const LOOK_MS = 50;
/** The most bytes of the new process's error output that are shown. */
const MOST_SAID = 4_000;

/**
 * Returns the limits of a run, such as its budget, and the person's consents. They are stored for the
 * background process, worker or Restate server that will work on the run.
 */
export function getTerms({ flags, isWish = false }: Invocation, config: Config): Terms {
  const { budget_tokens, budget_usd, idle_timeout, concurrency } = config;
  const { rehearseSpeed: rehearse_speed } = flags;
  return {
    limits: { budget_tokens, budget_usd, idle_timeout, concurrency, rehearse_speed },
    yes: flags.yes,
    unsandboxed: flags.unsandboxed,
    isWish,
  };
}

function flagsOf(limits: Limits): string[] {
  return Object.entries(limits).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`--${name.replaceAll('_', '-')}`, `${value}${name === 'idle_timeout' ? 'ms' : ''}`],
  );
}

/**
 * Starts a process that works on a run in the background, and prints the run's id. Resolves to the exit code 0
 * once that process has taken the run over, or after 20 seconds.
 *
 * @param terms limits and consents to store for the process first, in place of stored ones of the same name
 * @throws DeliberateError with the process's error output if it failed before it took the run over
 */
export async function startDetached(
  call: Invocation,
  store: Store,
  run: string,
  terms?: Terms,
): Promise<number> {
  if (terms !== undefined) store.detached.keep(run, { ...store.detached.find(run), ...terms });
  await startWorker(call, store, run);
  call.begun?.(run);
  const { out, err, env, flags } = call;
  out.write(`${run}\n`);
  const [started, id] = [getStartCommand(env), shortId(run)];
  if (!flags.quiet)
    err.write(
      `run ${id} started in the background. ${started} watch ${id} · ${started} stop ${id}\n`,
    );
  return 0;
}

/**
 * Returns whether the flags say that another process works on the run: `--detach`, `--queue` or
 * `--engine restate`.
 *
 * @throws UsageError if flags contradict each other
 */
export function isHandedOver(call: Invocation): boolean {
  const { flags } = call;
  const isThere = restateAddressOf(call) !== undefined;
  if (isThere && flags.detach)
    throw new UsageError(
      '--engine restate and --detach exclude each other',
      'A worker goes on with the run; --queue returns at once.',
    );
  if (flags.detach && flags.queue)
    throw new UsageError(
      '--detach and --queue cannot be combined',
      'Use --detach to start it now in the background, or --queue to leave it to a worker.',
    );
  return flags.detach || flags.queue || isThere;
}

/**
 * Prints the id of a queued run, and tells the person how to start a worker. Returns the exit code.
 *
 * @param terms limits and consents to store for the worker first, in place of stored ones of the same name
 */
export function tellQueued(call: Invocation, store: Store, run: string, terms?: Terms): number {
  if (terms !== undefined) store.detached.keep(run, { ...store.detached.find(run), ...terms });
  call.begun?.(run);
  const { out, err, env, flags } = call;
  out.write(`${run}\n`);
  const [started, id] = [getStartCommand(env), shortId(run)];
  const how = flags.engine === 'restate' ? ' --engine restate' : '';
  if (!flags.quiet)
    err.write(`run ${id} is queued. ${started} worker${how} · ${started} watch ${id}\n`);
  return 0;
}

async function startWorker(call: Invocation, store: Store, run: string): Promise<void> {
  const { db, config } = call.flags;
  const { limits = {}, yes } = store.detached.find(run) ?? {};
  const words = [
    ...['resume', run, '--plain', '--quiet', ...flagsOf(limits)],
    ...(yes ? ['--yes'] : []),
    ...(call.flags.unsandboxed ? ['--unsandboxed'] : []),
    ...(db === undefined ? [] : ['--db', db]),
    ...(config === undefined ? [] : ['--config', config]),
  ];
  const said = new ErrorOutput();
  try {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: workingFolder(),
      env: { ...call.env, [RUN_ID_VARIABLE]: run },
      detached: true,
      stdio: ['ignore', 'ignore', said.fd],
      windowsHide: true,
    });
    let ended: number | undefined;
    child.once('exit', (code) => {
      ended = code ?? 1;
    });
    child.once('error', () => {
      ended = 1;
    });
    child.unref();
    const until = performance.now() + TAKES_MS;
    while (ended === undefined && performance.now() < until && !isAtWork(store, run))
      await sleep(LOOK_MS);
    if (ended !== undefined && ended !== 0 && !hasWorked(store, run))
      throw new DeliberateError(
        'not-taken',
        said.text() || `cannot start a background process for run ${shortId(run)}`,
        `Run it in this terminal: deliberate resume ${shortId(run)}`,
      );
  } finally {
    said.close();
  }
}

/** Returns whether the process works on the run: it owns the run, and its request is recorded. */
function isAtWork(store: Store, run: string): boolean {
  store.clearDeadOwners();
  return store.summary(run).status === 'running';
}

/** Returns whether the run is over already, because the process was quick; the record says how it ended. */
function hasWorked(store: Store, run: string): boolean {
  return store.summary(run).endedAt !== null;
}

/** Collects the error output of a process that outlives this one, in a deleted file. */
class ErrorOutput {
  readonly fd: number;

  constructor() {
    this.fd = openTemporaryFile(join(tmpdir(), `deliberate-${randomUUID()}`));
  }

  /** Returns the output as one clean line, without the program's name. */
  text(): string {
    const buffer = Buffer.alloc(MOST_SAID);
    const length = readSync(this.fd, buffer, 0, MOST_SAID, 0);
    return toLine(buffer.toString('utf8', 0, length)).replace(/^deliberate: /, '');
  }

  close(): void {
    closeSync(this.fd);
  }
}

/**
 * A run that a process of its own works on. It is recorded here, and worked by `deliberate resume` in a
 * process that outlives this one, its terminal and whatever started it.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INSIDE } from '../../io/environment.ts';
import { workingFolder } from '../../io/files.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { openPassing } from '../../platform/passing-file.ts';
import type { Limits, Store, Terms } from '../../store/store.ts';
import { line } from '../../text/line.ts';
import { engineOf } from '../elsewhere/flags.ts';
import type { Invocation } from '../invocation.ts';
import { PROGRAM } from '../program.ts';
import type { Config } from '../settings/config.ts';
import { startedAs } from '../suggest.ts';

/** How long it is waited for the process to take the run. It goes on starting where that was too short. */
const TAKES_MS = 20_000;
const LOOK_MS = 50;
/** As much of what it said as is told. Bytes. */
const MOST_SAID = 4_000;

/** The limits in force, for whoever works on the run. */
export function termsOf({ flags, isWish = false }: Invocation, config: Config): Terms {
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
 * Starts the process that works on a run which nobody holds. Resolves to 0 when it has taken the run.
 * @throws DeliberateError with what it said, where it ended before that.
 */
export async function detach(
  call: Invocation,
  store: Store,
  run: string,
  terms?: Terms,
): Promise<number> {
  if (terms !== undefined) store.keepTerms(run, { ...store.terms(run), ...terms });
  await startWorker(call, store, run);
  call.begun?.(run);
  const { out, err, env, flags } = call;
  out.write(`${run}\n`);
  const [started, id] = [startedAs(env), shortId(run)];
  if (!flags.quiet)
    err.write(
      `run ${id} started in the background. ${started} watch ${id} · ${started} stop ${id}\n`,
    );
  return 0;
}

/** Whether the run is worked on elsewhere. @throws UsageError where both ways are wanted */
export function isHandedOver(call: Invocation): boolean {
  const { flags } = call;
  const isThere = engineOf(call) !== undefined;
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

/** Says of a run that it is left to workers, in the words with which they are started. */
export function tellQueued(call: Invocation, store: Store, run: string, terms?: Terms): number {
  if (terms !== undefined) store.keepTerms(run, { ...store.terms(run), ...terms });
  call.begun?.(run);
  const { out, err, env, flags } = call;
  out.write(`${run}\n`);
  const [started, id] = [startedAs(env), shortId(run)];
  const how = flags.engine === 'restate' ? ' --engine restate' : '';
  if (!flags.quiet)
    err.write(`run ${id} is queued. ${started} worker${how} · ${started} watch ${id}\n`);
  return 0;
}

async function startWorker(call: Invocation, store: Store, run: string): Promise<void> {
  const { db, config } = call.flags;
  const { limits = {}, yes } = store.terms(run) ?? {};
  const words = [
    ...['resume', run, '--plain', '--quiet', ...flagsOf(limits)],
    ...(yes ? ['--yes'] : []),
    ...(call.flags.unsandboxed ? ['--unsandboxed'] : []),
    ...(db === undefined ? [] : ['--db', db]),
    ...(config === undefined ? [] : ['--config', config]),
  ];
  const said = new Said();
  try {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: workingFolder(),
      env: { ...call.env, [INSIDE]: run },
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

/** Not only held: what is asked of it is on record. */
function isAtWork(store: Store, run: string): boolean {
  store.clearDeadOwners();
  return store.summary(run).status === 'running';
}

/** It was quick: the run is over, and why is on record. */
function hasWorked(store: Store, run: string): boolean {
  return store.summary(run).endedAt !== null;
}

/** Standard error of a process that is to outlive its reader: a file without a name. */
class Said {
  readonly fd: number;

  constructor() {
    this.fd = openPassing(join(tmpdir(), `deliberate-${randomUUID()}`));
  }

  /** One clean line, without the name of the program. */
  text(): string {
    const buffer = Buffer.alloc(MOST_SAID);
    const length = readSync(this.fd, buffer, 0, MOST_SAID, 0);
    return line(buffer.toString('utf8', 0, length)).replace(/^deliberate: /, '');
  }

  close(): void {
    closeSync(this.fd);
  }
}

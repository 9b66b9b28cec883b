/**
 * Runs one command in a process group of its own and always comes back: at the time-out the whole group
 * is asked to end, then killed, and whoever still holds the output open is not waited for.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { DeliberateError } from '../kernel/errors.ts';
import type { Outcome } from '../records/evidence.ts';

export interface Command {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by the person: the group is killed and `execute` rejects. */
  readonly signal?: AbortSignal;
}

export interface Execution extends Outcome {
  readonly durationMs: number;
  readonly sha256: string;
  readonly bytes: number;
  /** Head and tail of what it wrote to both of its outputs, in the order in which it arrived. */
  readonly output: string;
  readonly cutBytes: number;
}

export const SHELL = '/bin/sh';
/** Kept of the output: half of it from the beginning, half from the end. */
export const KEPT_BYTES = 256 * 1024;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1_500;
/** How long the output may stay open after the command itself has ended. */
const LINGER_MS = 300;

/** @throws DeliberateError where no shell can be started. */
export function execute(call: Command): Promise<Execution> {
  const { command, cwd, timeoutMs, env, signal } = call;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(SHELL, ['-c', command], {
      cwd,
      env: withoutSecrets(env),
      // A group of its own, so that what it starts can be ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const capture = new Capture();
    const timers = new Set<NodeJS.Timeout>();
    const after = (ms: number, work: () => void): void => void timers.add(setTimeout(work, ms));
    let timedOut = false;
    let ended: { exit: number | null; signal: string | null } | undefined;
    const kill = (name: 'SIGTERM' | 'SIGKILL'): void => killGroup(child.pid, name);
    let over = false;
    const finish = (): void => {
      if (over) return;
      over = true;
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // Nothing of the group outlives its test.
      kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      if (signal?.aborted) reject(signal.reason);
      resolve({
        ...(ended ?? { exit: null, signal: 'SIGKILL' }),
        timedOut,
        durationMs: performance.now() - began,
        ...capture.end(),
      });
    };
    const end = (): void => {
      kill('SIGTERM');
      after(GRACE_MS, () => {
        kill('SIGKILL');
        after(LINGER_MS, finish);
      });
    };
    const abort = (): void => end();
    child.stdout.on('data', (chunk: Buffer) => capture.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => capture.push(chunk));
    child.on('error', (error) => {
      for (const timer of timers) clearTimeout(timer);
      reject(new DeliberateError('no-shell', `${SHELL} cannot be started: ${error.message}`));
    });
    child.on('exit', (exit, name) => {
      ended = { exit, signal: name };
      // What it left behind may still write; it is given a moment, and its end.
      if (timedOut) return;
      after(LINGER_MS, () => {
        kill('SIGTERM');
        after(GRACE_MS, finish);
      });
    });
    child.on('close', () => {
      if (ended !== undefined) finish();
    });
    after(timeoutMs, () => {
      if (ended !== undefined) return;
      timedOut = true;
      end();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function killGroup(group: number | undefined, name: 'SIGTERM' | 'SIGKILL'): void {
  if (group === undefined) return;
  try {
    process.kill(-group, name);
  } catch (error) {
    // Nobody of it is left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const SECRET = /(?:^|_)(?:API_?KEYS?|TOKENS?|SECRETS?|PASSWORD|ACCESS_KEY|SECRET_KEY)$/i;

/** What a test has no business knowing is taken out of its environment. */
export function withoutSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] =>
      value === undefined || SECRET.test(name) ? [] : [[name, value]],
    ),
  );
}

/** Hashes all of an output and keeps its two ends. */
class Capture {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;

  push(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    const room = KEPT_BYTES / 2 - this.#headBytes;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += Math.min(room, chunk.length);
    }
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      const over = this.#tailBytes - KEPT_BYTES / 2;
      if (over <= 0) break;
      if (over >= first.length) this.#tail.shift();
      else this.#tail[0] = first.subarray(over);
      this.#tailBytes -= Math.min(over, first.length);
    }
  }

  end(): Pick<Execution, 'sha256' | 'bytes' | 'output' | 'cutBytes'> {
    const cutBytes = this.#bytes - this.#headBytes - this.#tailBytes;
    const gap = cutBytes > 0 ? [Buffer.from(`\n[${cutBytes} bytes left out]\n`)] : [];
    return {
      sha256: this.#hash.digest('hex'),
      bytes: this.#bytes,
      // Bytes that are no UTF-8 become replacement characters; the hash is of what was written.
      output: Buffer.concat([...this.#head, ...gap, ...this.#tail]).toString('utf8'),
      cutBytes,
    };
  }
}

/**
 * Runs one command in a process group of its own and always returns. At the timeout the whole group gets
 * SIGTERM, then SIGKILL; a process that still holds the output open is not waited for.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { filterEnvironment } from '../io/environment.ts';
import { replaceSpans, Secrets } from '../io/secrets.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { endTree, ownGroupOptions } from '../platform/processes.ts';
import { runIn } from '../platform/shells.ts';
import { withoutUndefined } from '../text/without-undefined.ts';

/** A shell command to run, and how. */
export interface Command {
  readonly command: string;
  /** The folder in which the command runs. */
  readonly cwd: string;
  /** Milliseconds after which the command is killed. */
  readonly timeoutMs: number;
  /** The person's environment. The command gets only the variables that contain no secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the command gets in addition. */
  readonly pass?: readonly string[];
  /**
   * Kills the command and its children when aborted. `runCommand` then rejects with the signal's
   * reason.
   */
  readonly signal?: AbortSignal;
}

/** The result of a command. */
export interface Execution {
  /** The exit code; null if a signal ended the command. */
  readonly exit: number | null;
  /** The signal that ended the command; null if it ended by itself. */
  readonly signal: string | null;
  /** Whether the command was killed because it took too long. */
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** The SHA-256 of the complete output. */
  readonly sha256: string;
  /** The length of the complete output in bytes. */
  readonly bytes: number;
  /**
   * The beginning and the end of the output, standard output and standard error in order of
   * arrival. Secrets are replaced by `[key]`.
   */
  readonly output: string;
  /** How many secrets were replaced in `output`. */
  readonly concealed: number;
  /** How many bytes in the middle of the output are missing in `output`. */
  readonly cutBytes: number;
  /** The name of the shell that ran the command; absent: /bin/sh. */
  readonly shell?: string;
}

/** How many bytes of a command's output are kept: half from the beginning, half from the end. */
export const KEPT_BYTES = 256 * 1024;
/**
 * Bytes that are held on either side of the cut until the end, so that a secret which reaches across the cut
 * is seen whole. Longer than any pattern of `secrets.ts`.
 */
const MARGIN_BYTES = 64 * 1024;
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 1_500;
/** Milliseconds that the output may stay open after the command itself has ended. */
const LINGER_MS = 300;

/**
 * Runs a command that a person has approved. Ctrl-C kills the command and its children.
 *
 * @throws DeliberateError `stopped` after Ctrl-C, and the errors of `runCommand`
 */
export async function runStoppable(command: Omit<Command, 'signal'>): Promise<Execution> {
  const stop = new AbortController();
  const interrupt = (): void =>
    stop.abort(new DeliberateError('stopped', 'stopped: the command was killed', undefined, 130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    return await runCommand({ ...command, signal: stop.signal });
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}

/**
 * Runs a shell command. Resolves when it has ended or was killed.
 *
 * @throws UsageError if the system has no shell; DeliberateError `no-shell` if the shell cannot be
 *   started
 */
export function runCommand(call: Command): Promise<Execution> {
  const { command, cwd, timeoutMs, env, pass, signal } = call;
  const shell = runIn(command, env);
  if (typeof shell === 'string') return Promise.reject(new UsageError(shell));
  const { file, args, recorded, windowsVerbatimArguments = false } = shell;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(file, args, {
      cwd,
      env: filterEnvironment(env, pass),
      // Start a process group for the command, so that its child processes can be killed together with it.
      ...ownGroupOptions(),
      windowsVerbatimArguments,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const capture = new Capture(new Secrets(env));
    const timers = new Set<NodeJS.Timeout>();
    const startTimer = (ms: number, work: () => void): void =>
      void timers.add(setTimeout(work, ms));
    let timedOut = false;
    let ended: { exit: number | null; signal: string | null } | undefined;
    const kill = (name: 'SIGTERM' | 'SIGKILL'): void => endTree(child, name);
    let over = false;
    const finish = (): void => {
      if (over) return;
      over = true;
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // Kill processes that the command has left in its group.
      kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      if (signal?.aborted) reject(signal.reason);
      resolve({
        ...(ended ?? { exit: null, signal: 'SIGKILL' }),
        timedOut,
        durationMs: performance.now() - began,
        ...capture.end(),
        ...withoutUndefined({ shell: recorded }),
      });
    };
    const end = (): void => {
      kill('SIGTERM');
      startTimer(GRACE_MS, () => {
        kill('SIGKILL');
        startTimer(LINGER_MS, finish);
      });
    };
    const abort = (): void => end();
    child.stdout.on('data', (chunk: Buffer) => capture.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => capture.push(chunk));
    child.on('error', (error) => {
      for (const timer of timers) clearTimeout(timer);
      reject(new DeliberateError('no-shell', `${file} cannot be started: ${error.message}`));
    });
    child.on('exit', (exit, name) => {
      ended = { exit, signal: name };
      // Child processes of the command may still write, so wait a moment before killing them.
      if (timedOut) return;
      startTimer(LINGER_MS, () => {
        kill('SIGTERM');
        startTimer(GRACE_MS, finish);
      });
    });
    child.on('close', () => {
      if (ended !== undefined) finish();
    });
    startTimer(timeoutMs, () => {
      if (ended !== undefined) return;
      timedOut = true;
      end();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Hashes all of an output and keeps its beginning and end. */
class Capture {
  readonly #secrets: Secrets;
  /** The most bytes that are held at either end. */
  readonly #room: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
    // `longest` counts UTF-16 units, each of which takes at most three bytes in UTF-8.
    this.#room = KEPT_BYTES / 2 + MARGIN_BYTES + 3 * secrets.longest;
  }

  push(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    const room = Math.max(0, this.#room - this.#headBytes);
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headBytes += Math.min(room, chunk.length);
    }
    const rest = chunk.subarray(room);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      const over = this.#tailBytes - this.#room;
      if (over <= 0) break;
      if (over >= first.length) this.#tail.shift();
      else this.#tail[0] = first.subarray(over);
      this.#tailBytes -= Math.min(over, first.length);
    }
  }

  end(): Pick<Execution, 'sha256' | 'bytes' | 'output' | 'concealed' | 'cutBytes'> {
    const missing = this.#bytes - this.#headBytes - this.#tailBytes;
    const [head, tail] = [Buffer.concat(this.#head), Buffer.concat(this.#tail)];
    // If no bytes were left out between the first and the last part, search both parts as one text, because a
    // secret may lie across their border.
    const pieces = (missing > 0 ? [head, tail] : [Buffer.concat([head, tail])]).map((piece) => {
      // Search in Latin-1, where each byte is one character, so that positions are positions of
      // bytes.
      const text = piece.toString('latin1');
      return { text, spans: this.#secrets.find(text, 'bytes') };
    });
    const [first = { text: '', spans: [] }] = pieces;
    const last = pieces.at(-1) ?? first;
    let upTo = first.text.length;
    let from = last.text.length;
    if (this.#bytes > KEPT_BYTES) {
      upTo = KEPT_BYTES / 2;
      from = last.text.length - KEPT_BYTES / 2;
      // Do not cut a secret in two: a part of a secret still gives it away.
      for (const { start, end } of first.spans) if (start < upTo && end > upTo) upTo = start;
      for (const { start, end } of last.spans) if (start < from && end > from) from = end;
    }
    const shown = [
      { text: first.text.slice(0, upTo), spans: first.spans.filter(({ end }) => end <= upTo) },
      {
        text: last.text.slice(from),
        spans: last.spans.flatMap(({ start, end }) =>
          start >= from ? [{ start: start - from, end: end - from }] : [],
        ),
      },
    ];
    const [begins = '', ends = ''] = shown.map(({ text, spans }) =>
      // Bytes of the command's output that are not UTF-8 become replacement characters here; the recorded hash
      // is of the original bytes.
      Buffer.from(replaceSpans(text, spans), 'latin1').toString('utf8'),
    );
    const cutBytes = this.#bytes - upTo - (last.text.length - from);
    return {
      sha256: this.#hash.digest('hex'),
      bytes: this.#bytes,
      output: cutBytes > 0 ? `${begins}\n[${cutBytes} bytes left out]\n${ends}` : begins + ends,
      concealed: shown.reduce((sum, { spans }) => sum + spans.length, 0),
      cutBytes,
    };
  }
}

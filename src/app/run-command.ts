/**
 * Runs one command in a process group of its own and always comes back: at the time-out the whole group
 * is asked to end, then killed, and whoever still holds the output open is not waited for.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { admit } from '../io/environment.ts';
import { replaceSpans, Secrets } from '../io/secrets.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { endTree, ofItsOwn } from '../platform/processes.ts';
import { runIn } from '../platform/shells.ts';

export interface Command {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** The person's own environment, of which the command sees what everybody may see. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables of it that the command sees besides. */
  readonly pass?: readonly string[];
  /** Aborted by the person: the group is killed and `execute` rejects. */
  readonly signal?: AbortSignal;
}

export interface Execution {
  /** Null where a signal ended it. */
  readonly exit: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly sha256: string;
  readonly bytes: number;
  /**
   * Head and tail of what it wrote to both of its outputs, in the order in which it arrived, with
   * `[key]` for secrets. Hash and bytes are of what was written.
   */
  readonly output: string;
  /** Secrets that were replaced in it. */
  readonly concealed: number;
  readonly cutBytes: number;
  /** What ran it, in words; absent: /bin/sh. */
  readonly shell?: string;
}

/** Kept of the output: half of it from the beginning, half from the end. */
export const KEPT_BYTES = 256 * 1024;
/**
 * Kept on either side of a cut until the end: a secret that reaches across it is seen whole. Longer than
 * any shape of `secrets.ts`.
 */
const MARGIN_BYTES = 64 * 1024;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1_500;
/** How long the output may stay open after the command itself has ended. */
const LINGER_MS = 300;

/** Runs a command that a person has approved. Ctrl-C kills all of it. @throws DeliberateError `stopped` then */
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

/** @throws DeliberateError where no shell can be started. */
export function runCommand(call: Command): Promise<Execution> {
  const { command, cwd, timeoutMs, env, pass, signal } = call;
  const shell = runIn(command, env);
  if (typeof shell === 'string') return Promise.reject(new UsageError(shell));
  const { file, args, recorded, windowsVerbatimArguments = false } = shell;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(file, args, {
      cwd,
      env: admit(env, pass),
      // A group of its own, so that what it starts can be ended with it.
      ...ofItsOwn(),
      windowsVerbatimArguments,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const capture = new Capture(new Secrets(env));
    const timers = new Set<NodeJS.Timeout>();
    const after = (ms: number, work: () => void): void => void timers.add(setTimeout(work, ms));
    let timedOut = false;
    let ended: { exit: number | null; signal: string | null } | undefined;
    const kill = (name: 'SIGTERM' | 'SIGKILL'): void => endTree(child, name);
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
        ...(recorded === undefined ? {} : { shell: recorded }),
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
      reject(new DeliberateError('no-shell', `${file} cannot be started: ${error.message}`));
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

/** Hashes all of an output and keeps its two ends. */
class Capture {
  readonly #secrets: Secrets;
  /** Bytes that are held at either end. */
  readonly #room: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
    // A letter of a variable has at most three bytes here.
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
    // One piece where all of it is here, so that nothing is looked at in halves.
    const pieces = (missing > 0 ? [head, tail] : [Buffer.concat([head, tail])]).map((piece) => {
      // As Latin-1, where letters are bytes: it may be no text, and places have to be those of bytes.
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
      // Not through a secret: what is left of one is one still.
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
      // Bytes that are no UTF-8 become replacement characters; the hash is of what was written.
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

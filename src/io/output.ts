/**
 * Standard output that never blocks the program. Node writes to terminals and pipes synchronously: while a
 * terminal is stopped (Ctrl-S, a stalled ssh) or a pipe's reader sleeps, one write would stop every stream
 * that is being read. Here writes run one after the other on libuv's thread pool, and a renderer can see
 * how much is pending and skip a frame.
 */
import { write as writeFd, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { SYSTEM, type System } from '../platform/system.ts';

/** Milliseconds before a retry if another program made the descriptor non-blocking. */
const BUSY_MS = 10;

/** Messages for the most frequent error codes. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EFBIG', 'file too large'],
  ['EIO', 'input/output error'],
  ['EBADF', 'it is closed'],
]);

/** A full screen on the same terminal. */
interface Over {
  /** Stores text to be shown when the screen has ended. */
  beneath(text: string): void;
  /** Ends the screen. Resolves when the text beneath it is visible. */
  leave(): Promise<void>;
}

/** A stream to a file descriptor, such as standard output. Its writes, except `writeNow`, never block the program. */
export class Output extends Writable {
  readonly fd: number;
  readonly #tty: NodeJS.WriteStream | undefined;
  /** The stream that output goes through on a console of Windows; undefined if bytes go directly to `fd`. */
  readonly #console: NodeJS.WriteStream | undefined;
  /** The full screen that currently covers this terminal, if any. Output is stored until the screen ends. */
  over: Over | undefined;

  /**
   * Creates an output for a file descriptor.
   *
   * @param tty the process's own stream for `fd` if that is a terminal: the stream knows the terminal's
   *   size. On Windows all output goes through the stream, because a console reads raw bytes in its own
   *   code page.
   */
  constructor(fd: number, tty?: NodeJS.WriteStream, system: System = SYSTEM) {
    super({ decodeStrings: true, highWaterMark: 1 << 20 });
    this.fd = fd;
    this.#tty = tty;
    this.#console = system === 'windows' ? tty : undefined;
    tty?.on('resize', () => this.emit('resize'));
  }

  /** Whether the output is a terminal. */
  get isTTY(): boolean {
    return this.#tty !== undefined;
  }

  /** The terminal's width in cells; 80 if the output is no terminal. */
  get columns(): number {
    return this.#tty?.columns ?? 80;
  }

  /** The terminal's height in rows; 24 if the output is no terminal. */
  get rows(): number {
    return this.#tty?.rows ?? 24;
  }

  /** The number of bytes that are not written yet. */
  get pending(): number {
    return this.writableLength;
  }

  /**
   * Writes the last message before the process ends. Except on a console of Windows, the text is written ahead
   * of text that is not written yet, and the program is blocked meanwhile. Errors are ignored.
   */
  writeNow(text: string): void {
    try {
      if (this.#console === undefined) writeSync(this.fd, text);
      else this.#console.write(text);
    } catch {
      // Nothing can be done, for example if the output is closed or its disk is full.
    }
  }

  /**
   * The reason why output was lost. Undefined if nothing was lost, or if the reader has closed its
   * end.
   */
  get lost(): string | undefined {
    const { errored } = this;
    if (errored === null) return undefined;
    const code = 'code' in errored ? String(errored.code) : '';
    // Output does not count as lost if the reader of a pipe has ended, as `head` does, or if a terminal was
    // closed.
    if (code === 'EPIPE' || (this.isTTY && (code === 'EIO' || code === 'ENXIO'))) return undefined;
    return LOST.get(code) ?? (code || errored.message);
  }

  /** Resolves when everything that was passed to the stream so far is written, or the output is closed. */
  drain(): Promise<void> {
    if (this.destroyed || this.writableLength === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.write('', () => resolve());
      this.once('close', resolve);
    });
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.over === undefined) {
      if (this.#console === undefined) this.#writeAll(chunk, 0, done);
      else this.#console.write(chunk, done);
    } else {
      if (chunk.length > 0) this.over.beneath(chunk.toString());
      done();
    }
  }

  #writeAll(chunk: Buffer, offset: number, done: (error?: Error | null) => void): void {
    if (offset >= chunk.length) {
      done();
      return;
    }
    writeFd(this.fd, chunk, offset, chunk.length - offset, null, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeAll(chunk, offset, done), BUSY_MS);
      else if (error) done(error);
      else this.#writeAll(chunk, offset + written, done);
    });
  }
}

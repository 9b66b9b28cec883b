/**
 * Standard output that never holds the program up. Node writes to terminals and pipes synchronously:
 * while a terminal is stopped (Ctrl-S, a stalled ssh) or a pipe's reader sleeps, one such write stops
 * every stream that is being read. Here the writes happen on libuv's thread pool, one after the
 * other, and whoever draws can see what is still on its way and skip a frame instead of adding to it.
 */
import { write as writeFd, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { SYSTEM, type System } from '../platform/system.ts';

/** How long to wait before trying again where the descriptor was made non-blocking by somebody else. */
const BUSY_MS = 10;

/** What the system says most often, in words. */
const LOST: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EFBIG', 'file too large'],
  ['EIO', 'input/output error'],
  ['EBADF', 'it is closed'],
]);

/** A screen on the same terminal. */
interface Over {
  /** Puts words where they will be seen when it is gone. */
  beneath(text: string): void;
  /** Makes room for good. Resolves when the words beneath it can be seen. */
  leave(): Promise<void>;
}

export class Output extends Writable {
  readonly fd: number;
  readonly #tty: NodeJS.WriteStream | undefined;
  /** The stream that output goes through on a console of Windows; undefined if bytes go directly to `fd`. */
  readonly #console: NodeJS.WriteStream | undefined;
  /** What stands over the words of this terminal, while something does. */
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

  get isTTY(): boolean {
    return this.#tty !== undefined;
  }

  get columns(): number {
    return this.#tty?.columns ?? 80;
  }

  get rows(): number {
    return this.#tty?.rows ?? 24;
  }

  /** Bytes that the other side has not taken yet. */
  get pending(): number {
    return this.writableLength;
  }

  /** Writes at once, past everything that waits: for the last words of a process that is going down. */
  writeNow(text: string): void {
    try {
      if (this.#console === undefined) writeSync(this.fd, text);
      else this.#console.write(text);
    } catch {
      // The other side is gone or full: there is nobody to tell.
    }
  }

  /** Why what was written did not arrive; undefined where it did, or where nobody wants it any more. */
  get lost(): string | undefined {
    const { errored } = this;
    if (errored === null) return undefined;
    const code = 'code' in errored ? String(errored.code) : '';
    // A pipe's reader went away, as `head` does; a terminal was closed.
    if (code === 'EPIPE' || (this.isTTY && (code === 'EIO' || code === 'ENXIO'))) return undefined;
    return LOST.get(code) ?? (code || errored.message);
  }

  /** Resolves when everything written so far has been taken, or the other side is gone. */
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

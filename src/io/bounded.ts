/**
 * Reads bytes from outside up to a limit. The limit is checked while reading, so that a device, a pipe or a
 * growing file cannot be endless. Everything that people pass in and keep in their folders is read by these
 * functions.
 */
import { readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes that are read at a time. */
const CHUNK = 64 * 1024;

/** Milliseconds between two attempts to read an empty pipe. */
const POLL_MS = 20;

/**
 * Returns the whole content of an open file, or undefined if it has more than `most` bytes.
 *
 * @param opened the file descriptor
 * @throws the system's error, with its `code`
 */
export function readWithin(opened: number, most: number): Buffer | undefined {
  const parts = new Parts(most);
  for (let read = readChunk(opened); read.length > 0; read = readChunk(opened))
    if (!parts.add(read)) return undefined;
  return parts.whole;
}

/** How many bytes of a stream have to be read before a limit that depends on its content is chosen. */
const HEAD = 4096;

/**
 * Returns the whole content of a stream. Returns undefined as soon as more than `most` bytes have
 * been read; the rest of the stream is not read.
 *
 * @param most the limit in bytes, or a function that chooses the limit by the bytes read so far. The
 *   function is called only if the stream has more than 4096 bytes.
 */
export async function collectWithin(
  stream: AsyncIterable<Uint8Array | string>,
  most: number | ((head: Buffer) => number),
): Promise<Buffer | undefined> {
  const parts = new Parts(typeof most === 'number' ? most : HEAD);
  let choose = typeof most === 'number' ? undefined : most;
  // Leaving the loop before the end destroys the stream, so that its writer gets an error.
  for await (const part of stream) {
    let isWithin = parts.add(Buffer.from(part));
    if (!isWithin && choose !== undefined) {
      isWithin = parts.allow(choose(parts.whole));
      choose = undefined;
    }
    if (!isWithin) return undefined;
  }
  return parts.whole;
}

interface WaitOptions {
  /** Milliseconds to wait for a program that writes to the pipe. */
  readonly writerMs: number;
  /** Called once if a writer has opened the pipe and no data has arrived within `writerMs`. */
  readonly waiting: () => void;
}

/**
 * Returns the whole content of a pipe or device that was opened with O_NONBLOCK.
 *
 * @param opened the file descriptor
 * @param most the limit in bytes
 * @param waiting called once if no data has arrived after `writerMs` milliseconds, although a program has
 *   opened the pipe for writing
 * @returns the content; undefined if it has more than `most` bytes; `nobody` if no program has the pipe
 *   open for writing after `writerMs` milliseconds and no data has arrived
 * @throws the system's error, with its `code`
 */
export async function readPipeWithin(
  opened: number,
  most: number,
  { writerMs, waiting }: WaitOptions,
): Promise<Buffer | undefined | 'nobody'> {
  const parts = new Parts(most);
  const patient = performance.now() + writerMs;
  let said = false;
  for (;;) {
    const read = readAvailable(opened);
    const late = performance.now() > patient;
    if (read !== undefined && read.length > 0) {
      if (!parts.add(read)) return undefined;
      continue;
    }
    // Reading no bytes means the end of the data, unless nothing has arrived at all: then perhaps no
    // process has opened the pipe for writing yet.
    if (read !== undefined && !parts.isEmpty) return parts.whole;
    if (read !== undefined && late) return 'nobody';
    if (read === undefined && late && !said && parts.isEmpty) {
      said = true;
      waiting();
    }
    await sleep(POLL_MS);
  }
}

class Parts {
  #most: number;
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  get whole(): Buffer {
    return Buffer.concat(this.#parts);
  }

  /** Changes the limit, in bytes. Returns false if there are more bytes already. */
  allow(most: number): boolean {
    this.#most = most;
    return this.#bytes <= most;
  }

  /** Adds a part. Returns false if the limit is exceeded. */
  add(part: Buffer): boolean {
    this.#bytes += part.length;
    this.#parts.push(part);
    return this.#bytes <= this.#most;
  }
}

/** Reads the next chunk; it is empty at the end. */
function readChunk(opened: number): Buffer {
  const chunk = Buffer.allocUnsafe(CHUNK);
  return chunk.subarray(0, readSync(opened, chunk));
}

/** Reads the next chunk of a non-blocking descriptor; undefined if no data is available yet. */
function readAvailable(opened: number): Buffer | undefined {
  try {
    return readChunk(opened);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

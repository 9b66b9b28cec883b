/**
 * Bytes that come from outside, never more than a limit: it holds while they are read, so that a device, a
 * pipe or a file that grows has no other end than this. What people hand in and what lies in their
 * folders comes through here.
 */
import { readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is read at a time. */
const CHUNK = 64 * 1024;

/** How often a pipe is asked that has nothing yet. */
const POLL_MS = 20;

/**
 * All of an open file; undefined where it has more than `most` bytes.
 *
 * @throws the system's error, with its `code`.
 */
export function readWithin(opened: number, most: number): Buffer | undefined {
  const parts = new Parts(most);
  for (let read = next(opened); read.length > 0; read = next(opened))
    if (!parts.add(read)) return undefined;
  return parts.whole;
}

/** How many bytes of a stream have to be read before a limit that depends on its content is chosen. */
const HEAD = 4096;

/**
 * Returns all of a stream, or undefined if the stream has more than `most` bytes: the rest is not read.
 *
 * @param most the limit in bytes, or a function that chooses the limit by the first bytes; the function is
 *   called only if there are more than `HEAD` bytes
 */
export async function collectWithin(
  stream: AsyncIterable<Uint8Array | string>,
  most: number | ((head: Buffer) => number),
): Promise<Buffer | undefined> {
  const parts = new Parts(typeof most === 'number' ? most : HEAD);
  let choose = typeof most === 'number' ? undefined : most;
  // To leave the loop destroys the stream: whoever writes to it is told.
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

interface Patience {
  /** How long a pipe without a writer is asked again, in milliseconds. */
  readonly writerMs: number;
  /** Called once where nothing has come for as long as that. */
  readonly waiting: () => void;
}

/**
 * All of a pipe or a device that was opened with O_NONBLOCK; undefined where it has more than `most`
 * bytes, and `nobody` where no one wrote to it in time.
 *
 * @throws the system's error, with its `code`.
 */
export async function readPipeWithin(
  opened: number,
  most: number,
  { writerMs, waiting }: Patience,
): Promise<Buffer | undefined | 'nobody'> {
  const parts = new Parts(most);
  const patient = performance.now() + writerMs;
  let said = false;
  for (;;) {
    const read = nextOf(opened);
    const late = performance.now() > patient;
    if (read !== undefined && read.length > 0) {
      if (!parts.add(read)) return undefined;
      continue;
    }
    // The end; but a pipe that nobody has opened yet says the same.
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

  /** False where it is too much. */
  add(part: Buffer): boolean {
    this.#bytes += part.length;
    this.#parts.push(part);
    return this.#bytes <= this.#most;
  }
}

/** Empty at the end. */
function next(opened: number): Buffer {
  const chunk = Buffer.allocUnsafe(CHUNK);
  return chunk.subarray(0, readSync(opened, chunk));
}

/** The same; undefined where there is nothing yet. */
function nextOf(opened: number): Buffer | undefined {
  try {
    return next(opened);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

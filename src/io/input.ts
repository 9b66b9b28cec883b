/** Reads what a person passes in: a file of any kind by its name, or standard input. */

import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { whyNoPath } from '../platform/names.ts';
import { collectWithin, readPipeWithin, readWithin } from './bounded.ts';
import type { Streams } from './surroundings.ts';
import { errorCode, explainCode, RefusedFileError, tooLongReason } from './text-file.ts';

/** Milliseconds without data after which a message says what is waited for. */
const WAIT_MS = 5_000;

type Teller = Pick<Streams, 'err'> & { readonly flags: { readonly quiet: boolean } };

/**
 * Returns the bytes of a named file, which may also be a device or a pipe such as `<(…)`.
 *
 * @param most the largest number of bytes
 * @param call the streams and flags of the call, to tell the person if the pipe keeps them waiting
 * @throws RefusedFileError if the file cannot be read, has more than `most` bytes, or is a pipe that is still
 *   empty after 5 seconds and that no program has opened for writing
 */
export async function readFileBytes(file: string, most: number, call: Teller): Promise<Buffer> {
  const why = whyNoPath(file);
  if (why !== undefined) throw new RefusedFileError(file, why);
  let opened: number;
  try {
    // Use O_NONBLOCK. Otherwise, opening a pipe would block until a program opens it for writing.
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new RefusedFileError(file, explainCode(errorCode(error)));
  }
  try {
    const stat = fstatSync(opened);
    if (stat.isDirectory()) throw new RefusedFileError(file, explainCode('EISDIR'));
    const bytes =
      stat.isFile() || stat.isBlockDevice()
        ? readWithin(opened, most)
        : await readPipeWithin(opened, most, {
            writerMs: stat.isFIFO() ? WAIT_MS : 0,
            waiting: () => announceWait(call, file),
          });
    if (bytes === undefined) throw new RefusedFileError(file, tooLongReason(most));
    if (bytes !== 'nobody') return bytes;
    if (!stat.isFIFO()) return Buffer.alloc(0);
    throw new RefusedFileError(file, `nothing was written to the pipe within ${WAIT_MS / 1000} s`);
  } catch (error) {
    if (error instanceof RefusedFileError) throw error;
    throw new RefusedFileError(file, explainCode(errorCode(error)));
  } finally {
    closeSync(opened);
  }
}

/**
 * Returns all of standard input.
 *
 * @param most the largest number of bytes, or a function that chooses the number by the first bytes; the
 *   function is called only if there are more than 4096
 * @throws RefusedFileError if there are more bytes
 */
export async function readStdinBytes(
  { stdin, err, flags }: Pick<Streams, 'stdin'> & Teller,
  most: number | ((head: Buffer) => number),
): Promise<Buffer> {
  let limit = typeof most === 'number' ? most : 0;
  const late = setTimeout(() => {
    if (!stdin.readableDidRead) announceWait({ err, flags }, STDIN);
  }, WAIT_MS);
  try {
    const bytes = await collectWithin(
      stdin,
      typeof most === 'number'
        ? most
        : (head) => {
            limit = most(head);
            return limit;
          },
    );
    if (bytes === undefined) throw new RefusedFileError(STDIN, tooLongReason(limit));
    return bytes;
  } finally {
    clearTimeout(late);
  }
}

const STDIN = 'standard input';

function announceWait({ err, flags }: Teller, source: string): void {
  if (!flags.quiet) err.write(`waiting for ${source}…\n`);
}

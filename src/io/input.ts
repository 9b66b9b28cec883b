/** What a person hands in to be read: a file by its name, whatever kind it is of, or standard input. */

import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { whyNoPath } from '../platform/names.ts';
import { collectWithin, readPipeWithin, readWithin } from './bounded.ts';
import type { Streams } from './surroundings.ts';
import { codeOf, Refused, tooLong, whyNot } from './text-file.ts';

/** How long nothing may come before something is said about it. */
const WAIT_MS = 5_000;

type Teller = Pick<Streams, 'err'> & { readonly flags: { readonly quiet: boolean } };

/**
 * The bytes of a file that was named: also a pipe's, as `<(…)` is one, or a device's.
 *
 * @throws Refused where it cannot be read, has more than `most` bytes, or is a pipe without a writer.
 */
export async function bytesOfFile(file: string, most: number, call: Teller): Promise<Buffer> {
  const why = whyNoPath(file);
  if (why !== undefined) throw new Refused(file, why);
  let opened: number;
  try {
    // A pipe that nobody writes to would not even let itself be opened.
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new Refused(file, whyNot(codeOf(error)));
  }
  try {
    const stat = fstatSync(opened);
    if (stat.isDirectory()) throw new Refused(file, whyNot('EISDIR'));
    const bytes =
      stat.isFile() || stat.isBlockDevice()
        ? readWithin(opened, most)
        : await readPipeWithin(opened, most, {
            writerMs: stat.isFIFO() ? WAIT_MS : 0,
            waiting: () => tell(call, file),
          });
    if (bytes === undefined) throw new Refused(file, tooLong(most));
    if (bytes !== 'nobody') return bytes;
    if (!stat.isFIFO()) return Buffer.alloc(0);
    throw new Refused(file, `nothing was written to the pipe within ${WAIT_MS / 1000} s`);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(file, whyNot(codeOf(error)));
  } finally {
    closeSync(opened);
  }
}

/**
 * Returns all of standard input.
 *
 * @param most the largest number of bytes, or a function that chooses the number by the first bytes
 * @throws Refused if there are more bytes
 */
export async function bytesOfStdin(
  { stdin, err, flags }: Pick<Streams, 'stdin'> & Teller,
  most: number | ((head: Buffer) => number),
): Promise<Buffer> {
  let limit = typeof most === 'number' ? most : 0;
  const late = setTimeout(() => {
    if (!stdin.readableDidRead) tell({ err, flags }, STDIN);
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
    if (bytes === undefined) throw new Refused(STDIN, tooLong(limit));
    return bytes;
  } finally {
    clearTimeout(late);
  }
}

const STDIN = 'standard input';

function tell({ err, flags }: Teller, source: string): void {
  if (!flags.quiet) err.write(`waiting for ${source}…\n`);
}

/** Files that a person asks for by name: where they go, and that nothing of theirs is overwritten. */
import { extname, join } from 'node:path';
import { UsageError } from '../kernel/errors.ts';
import { writeOwn } from './own-file.ts';
import { lookAt, Refused, textOf } from './text-file.ts';

/** `to` itself where it names a file by its ending, else `name` in the folder `to`. */
export function fileFor(to: string, name: string): string {
  const isFolder = lookAt(to)?.isDirectory() ?? extname(to) === '';
  return isFolder ? join(to, name) : to;
}

/** Whole or not at all. @throws UsageError where the file is there with other text and may not go. */
export function writeNew(file: string, text: string, overwrite: boolean): void {
  try {
    const there = lookAt(file);
    if (there !== undefined && !there.isFile())
      throw new UsageError(`${file} is not a regular file`, 'Use --to - for standard output.');
    if (!overwrite && there !== undefined) {
      if (isAlready(file, text)) return;
      throw new UsageError(`${file} already exists`, 'Pass --yes to overwrite it.');
    }
    writeOwn(file, text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file} cannot be written: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function isAlready(file: string, text: string): boolean {
  try {
    return textOf(file, { most: Buffer.byteLength(text), links: true }) === text;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

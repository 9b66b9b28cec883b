/** Files that the program writes for a person: whole or not at all, and nothing of theirs overwritten. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { UsageError } from '../kernel/errors.ts';
import { unlessHeld } from '../platform/held.ts';
import { makeFolder } from './folders.ts';
import { lookAt, Refused, textOf } from './text-file.ts';

/** For nobody else to read: a file that others could read is not kept as it was. */
export function writeOwn(file: string, text: string): void {
  replace(file, text, 0o600);
}

/** For a project, as any other file in it. */
export function writeShared(file: string, text: string): void {
  replace(file, text, 0o666);
}

/**
 * Writes beside the file and then takes its place, with the folders that are missing: a link that stands
 * there is replaced and not followed.
 */
function replace(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  const half = join(dirname(file), `.${basename(file).slice(0, 200)}.${process.pid}`);
  try {
    writeFileSync(half, text, { mode, flag: 'wx' });
    unlessHeld(() => renameSync(half, file));
  } finally {
    rmSync(half, { force: true });
  }
}

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

/** Implements `npm run real -- setup`: puts real servers and models into the cache folder. */
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { CACHE, findFinished, recordFinished } from './cache.ts';
import { findTool, SetupError } from './commands.ts';
import { PARTS, type Part } from './parts.ts';

/** Megabytes of sources and objects that a build needs beside what it keeps. */
const WORK_MEGABYTES = 1_500;

/**
 * Installs servers and models that are missing in the cache of `npm run real`, and prints which of them were
 * installed, which were not, and why.
 * @param names the parts of the cache to install; all if empty
 * @throws SetupError if a name is unknown
 */
export async function setUp(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) {
    throw new SetupError(
      `there is no part ${unknown}; the parts are ${PARTS.map(({ name }) => name).join(', ')}`,
    );
  }
  const missing = PARTS.filter(
    ({ name, version }) =>
      (names.length === 0 || names.includes(name)) && findFinished(name, version) === undefined,
  );
  if (missing.length === 0) {
    console.log(`Everything is there already, in ${CACHE}`);
    return;
  }
  mkdirSync(CACHE, { recursive: true });
  announceParts(missing);
  // Give this process a low priority, because other work on the machine comes first.
  setPriority(constants.priority.PRIORITY_LOW);
  const failures = new Map<string, string>();
  for (const part of missing) {
    const reason = findHindrance(part) ?? (await makePart(part));
    if (reason !== undefined) failures.set(part.name, reason);
  }
  rmSync(join(CACHE, 'work'), { recursive: true, force: true });
  reportParts(missing, failures);
}

function announceParts(parts: readonly Part[]): void {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  const megabytes = parts.reduce((sum, part) => sum + part.megabytes, 0);
  const { bavail, bsize } = statfsSync(CACHE);
  console.log(
    `This takes about ${Math.ceil(seconds / 60)} minutes and keeps ${formatMegabytes(megabytes)} in ${CACHE}; ` +
      `while it works it needs ${formatMegabytes(WORK_MEGABYTES)} more, of ${formatMegabytes((bavail * bsize) / 1e6)} that are free.`,
  );
}

/** Returns why a part cannot be made on this machine, or undefined if it can. */
function findHindrance({ tools, after }: Part): string | undefined {
  const tool = tools.find((name) => findTool(name) === undefined);
  if (tool !== undefined) return `${tool} is not installed`;
  const part = PARTS.find(
    ({ name, version }) => after.includes(name) && !findFinished(name, version),
  );
  return part && `it needs ${part.name}, which is missing`;
}

/** Makes a part. Returns why that failed, or undefined if it did not. */
async function makePart({ name, version, title, make }: Part): Promise<string | undefined> {
  console.log(`${title} …`);
  const began = performance.now();
  try {
    await make();
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    // An error with a code comes from the system, such as for a full disk or a folder without write
    // permission.
    if (error instanceof Error && 'code' in error) return error.message;
    throw error;
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  recordFinished(name, { version, seconds, bytes: sizeOf(CACHE, name) });
  console.log(`  done in ${seconds} s`);
  return undefined;
}

function reportParts(parts: readonly Part[], failures: ReadonlyMap<string, string>): void {
  console.log('');
  for (const { name, version, title } of parts) {
    const finished = findFinished(name, version);
    const reason = failures.get(name);
    if (reason !== undefined) console.log(`not there: ${title}: ${reason}.`);
    else if (finished) console.log(`there: ${title}, ${finished.seconds} s.`);
  }
  console.log(
    `The cache takes ${formatMegabytes(sizeOf(CACHE) / 1e6)}. Next: npm run real -- serve`,
  );
}

/**
 * Returns how many bytes the files in a folder take, including subfolders. If a word is given, only files whose
 * path within the folder contains the word count.
 */
export function sizeOf(folder: string, word = ''): number {
  let sum = 0;
  const counted = new Set<number>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.includes(word)) continue;
    const status = statSync(join(folder, file), { throwIfNoEntry: false });
    // A file with two names takes its space once, so count the file once.
    if (!status?.isFile() || counted.has(status.ino)) continue;
    counted.add(status.ino);
    sum += status.size;
  }
  return sum;
}

function formatMegabytes(megabytes: number): string {
  return megabytes < 1_000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}

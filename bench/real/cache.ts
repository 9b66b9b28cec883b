/**
 * The cache folder of the real servers and models. It lies outside of any checkout. Each part that `setup`
 * has finished leaves a record in it, so that a later `setup` skips the part.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for the real servers and models of `npm run real`: `deliberate-real` in the user's cache folder.
 */
export const CACHE: string = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'deliberate-real',
);

/** The paths of the installed servers and models in the cache of `npm run real`. */
export const PATHS = {
  models: join(CACHE, 'models'),
  llamaSource: join(CACHE, 'llama-source'),
  llamaServer: join(CACHE, 'llama-server', 'llama-server'),
  python: join(CACHE, 'llama-cpp-python', 'bin', 'python'),
  ollama: join(CACHE, 'ollama', 'bin', 'ollama'),
  ollamaModels: join(CACHE, 'ollama', 'models'),
} as const;

/** What is stored about a part of the cache (a server or a model) that has been made. */
export interface Finished {
  /** The version that was built or downloaded. If another version is wanted, the part is made again. */
  readonly version: string;
  /** How long it took to make the part. */
  readonly seconds: number;
  /** The size of all files in the cache whose path contains the part's name. */
  readonly bytes: number;
}

function recordOf(part: string): string {
  return join(CACHE, 'finished', `${part}.json`);
}

/**
 * Returns what is stored about a finished part of the cache (a server or a model). Returns undefined if the part
 * has not been made, was made in another version, or if the stored file cannot be read.
 */
export function findFinished(part: string, version: string): Finished | undefined {
  const file = recordOf(part);
  if (!existsSync(file)) return undefined;
  try {
    const finished = JSON.parse(readFileSync(file, 'utf8')) as Finished;
    return finished.version === version ? finished : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores that a part of the cache (a server or a model) has been made. The stored file appears whole or not at
 * all.
 */
export function recordFinished(part: string, finished: Finished): void {
  const file = recordOf(part);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(finished)}\n`);
  renameSync(`${file}.new`, file);
}

/**
 * Creates an empty folder in the cache and returns its path. Deletes what the folder contained before.
 * @param names the folder's path below the cache
 */
export function emptyFolder(...names: readonly string[]): string {
  const folder = join(CACHE, ...names);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

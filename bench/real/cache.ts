/**
 * The cache folder of the real servers and models. It lies outside of any checkout. Each part that `setup`
 * has finished leaves a record in it, so that a later `setup` skips the part.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of all parts: `deliberate-real` in the user's cache folder. */
export const CACHE: string = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'deliberate-real',
);

/** Paths of what the parts leave in the cache. */
export const PATHS = {
  models: join(CACHE, 'models'),
  llamaSource: join(CACHE, 'llama-source'),
  llamaServer: join(CACHE, 'llama-server', 'llama-server'),
  python: join(CACHE, 'llama-cpp-python', 'bin', 'python'),
  ollama: join(CACHE, 'ollama', 'bin', 'ollama'),
  ollamaModels: join(CACHE, 'ollama', 'models'),
} as const;

/** What a finished part records about itself. */
export interface Finished {
  /** The version that was built or downloaded. A part with another version is made again. */
  readonly version: string;
  readonly seconds: number;
  readonly bytes: number;
}

function recordOf(part: string): string {
  return join(CACHE, 'finished', `${part}.json`);
}

/** Returns the record of a part, or undefined if the part is missing, unreadable or of another version. */
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

/** Records that a part is finished. The record appears whole or not at all. */
export function recordFinished(part: string, finished: Finished): void {
  const file = recordOf(part);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(finished)}\n`);
  renameSync(`${file}.new`, file);
}

/** Empties the folder in which a part is made, and returns its path. */
export function emptyFolder(...names: readonly string[]): string {
  const folder = join(CACHE, ...names);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

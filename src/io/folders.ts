/** Makes folders. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The folder with those above it that are missing, for their owner alone. Node's own recursive form
 * never returns where the system says that the parent of a folder is missing while it is there, as it
 * does below /proc.
 *
 * @returns the folders that were missing, the outermost first
 * @throws the system's error for the first folder that cannot be made.
 */
export function makeFolder(folder: string): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  for (const one of missing)
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      // Another process was faster.
      if (!statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  return missing;
}

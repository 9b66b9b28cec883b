/** Makes folders. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, accessible only to their owner. Replaces Node's
 * recursive mkdir, which never returns below folders such as /proc.
 *
 * @returns the folders that were missing, the outermost first
 * @throws the system's error for the first folder that cannot be created
 */
export function makeFolder(folder: string): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  for (const folder of missing)
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process may have created the folder meanwhile.
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  return missing;
}

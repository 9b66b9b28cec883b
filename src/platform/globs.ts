/** Expands patterns of file names on Windows, whose shells do not. */
import { globSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * Replaces each word that is a glob by the matching files, sorted and without hidden ones. A glob
 * without a match stays. On other systems than Windows, the shell has done this already, and the
 * words are returned unchanged.
 */
export function expandGlobs(words: readonly string[], system: System = SYSTEM): string[] {
  if (system !== 'windows') return [...words];
  return words.flatMap((word) => {
    // On Windows, file names cannot contain `*` and `?`, so every word with one of them is a glob.
    if (!/[*?]/.test(word)) return [word];
    const found = globSync(word.replaceAll('\\', '/')).filter(
      (path) => !/(?:^|[\\/])\.[^.\\/]/.test(path),
    );
    return found.length === 0 ? [word] : found.sort();
  });
}

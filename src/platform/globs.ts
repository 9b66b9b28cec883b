/** Expands patterns of file names on Windows, whose shells do not. */
import { globSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * Returns the words, with each pattern replaced by the files that match, sorted and without hidden ones. A
 * pattern without a match stays as it is. On other systems the shell has expanded patterns already, and all
 * words are returned as they are.
 */
export function expandGlobs(words: readonly string[], system: System = SYSTEM): string[] {
  if (system !== 'windows') return [...words];
  return words.flatMap((word) => {
    // File names on Windows cannot contain these characters, so only such a word is a pattern.
    if (!/[*?]/.test(word)) return [word];
    const found = globSync(word.replaceAll('\\', '/')).filter(
      (path) => !/(?:^|[\\/])\.[^.\\/]/.test(path),
    );
    return found.length === 0 ? [word] : found.sort();
  });
}

/** Expands patterns of file names on Windows, whose shells do not. */
import { globSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * On Windows, replaces each word that is a glob by the matching files, sorted and without hidden
 * files. A glob that matches no file stays. On other systems, returns the words unchanged, because the
 * shell has replaced the globs already.
 */
export function expandGlobs(words: readonly string[], system: System = SYSTEM): string[] {
  if (system !== 'windows') return [...words];
  return words.flatMap((word) => {
    // On Windows, file names cannot contain `*` and `?`, so a word with one of them names no file and is taken
    // for a glob.
    if (!/[*?]/.test(word)) return [word];
    const found = globSync(word.replaceAll('\\', '/')).filter(
      (path) => !/(?:^|[\\/])\.[^.\\/]/.test(path),
    );
    return found.length === 0 ? [word] : found.sort();
  });
}

/** Patterns of file names, which shells of Unix expand and those of Windows hand on. */
import { globSync } from 'node:fs';
import { SYSTEM, type System } from './system.ts';

/**
 * The words, and in place of each that is a pattern the files that fit it, sorted, without hidden ones. One that
 * fits nothing stays as it is. On systems whose shells have expanded them already nothing is changed.
 */
export function expandGlobs(words: readonly string[], system: System = SYSTEM): string[] {
  if (system !== 'windows') return [...words];
  return words.flatMap((word) => {
    // No file of Windows has one of these in its name.
    if (!/[*?]/.test(word)) return [word];
    const found = globSync(word.replaceAll('\\', '/')).filter(
      (path) => !/(?:^|[\\/])\.[^.\\/]/.test(path),
    );
    return found.length === 0 ? [word] : found.sort();
  });
}

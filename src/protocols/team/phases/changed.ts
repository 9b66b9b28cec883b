/** Which of a commit's changes are tests. */
import type { FileChange } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';

/** Those that it has, new or changed. */
export function newTestsIn(changes: readonly FileChange[], globs: readonly string[]): string[] {
  return changes
    .filter(({ path, kind }) => kind !== 'removed' && matchesGlob(path, globs))
    .map(({ path }) => path)
    .sort();
}

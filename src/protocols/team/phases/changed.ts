/** Which of a commit's changes are tests. */
import type { FileChange } from '../../../kernel/tools/workshop.ts';
import { fits } from '../../../text/globs.ts';

/** Those that it has, new or changed. */
export function newTestsIn(changes: readonly FileChange[], globs: readonly string[]): string[] {
  return changes
    .filter(({ path, kind }) => kind !== 'removed' && fits(path, globs))
    .map(({ path }) => path)
    .sort();
}

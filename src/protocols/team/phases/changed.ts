/** Finds the tests among the files that a commit changed. */
import type { FileChange } from '../../../kernel/tools/workshop.ts';
import { matchesGlob } from '../../../text/globs.ts';

/** Returns, sorted, the paths of tests that a commit adds or changes. `globs` say which files are tests. */
export function newTestsIn(changes: readonly FileChange[], globs: readonly string[]): string[] {
  return changes
    .filter(({ path, kind }) => kind !== 'removed' && matchesGlob(path, globs))
    .map(({ path }) => path)
    .sort();
}

/** Finds files of a plan that a person has changed since a plan wrote them, so that no edit is lost unseen. */
import { sha256 } from '../../../kernel/digest.ts';
import type { Store } from '../../../store/store.ts';
import { ROOT } from '../config.ts';
import { PLAN } from '../facts.ts';
import type { ProposedFile } from './inside.ts';

const WRITTEN = 'files.written';

/**
 * Returns the paths of the files that would be replaced although somebody has changed them since a plan wrote
 * them. Only files that a plan in this database wrote into the same repository can be compared; others are left
 * out.
 */
export function findEdited(
  store: Store,
  repository: string,
  files: readonly ProposedFile[],
): string[] {
  const written = new Map<string, Set<string>>();
  for (const [run, facts] of store.factsByType([WRITTEN], WRITTEN)) {
    if (store.lookRoots(run).get(ROOT) !== repository) continue;
    for (const any of facts) {
      const fact = PLAN.own(any);
      if (fact?.type !== WRITTEN) continue;
      for (const { path, sha256: hash } of fact.files)
        written.set(path, (written.get(path) ?? new Set()).add(hash));
    }
  }
  return files.flatMap(({ path, before, text }) => {
    const hashes = written.get(path);
    if (before === undefined || before === text || hashes === undefined) return [];
    // The ends of lines do not count as edited: git may have changed them when it checked the file out.
    const asWritten = [before, before.replaceAll('\r\n', '\n')];
    return asWritten.some((text) => hashes.has(sha256(text))) ? [] : [path];
  });
}

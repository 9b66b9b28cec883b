/** What every check of these tests has in common. */
import type { Check, Provision } from '../../src/kernel/tools/workshop.ts';

export const NO_PROVISION: Provision = { folders: [], files: [] };
export const NEVER_ABORTED = new AbortController().signal;

export function checkOf(argv: readonly string[], timeoutS = 60): Check {
  return { id: 'check', argv, env: [], timeoutS };
}

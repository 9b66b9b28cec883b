/** Shared parts of the checks of these tests. */
import type { Check, Provision } from '../../src/kernel/tools/workshop.ts';

/** The `Provision` of a person who provides no folders and no files for the checks. */
export const NO_PROVISION: Provision = { folders: [], files: [] };
/** A signal that is never aborted. */
export const NEVER_ABORTED = new AbortController().signal;

/** Returns a check that runs a command, with a time limit in seconds. */
export function checkOf(argv: readonly string[], timeoutS = 60): Check {
  return { id: 'check', argv, env: [], timeoutS };
}

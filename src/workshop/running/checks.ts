/**
 * Runs a check on a fresh working tree of a commit, in a sandbox if there is one. The output is untrusted;
 * the counts are parsed from the summary of a known test runner.
 */
import type { CheckRun, CheckWish, Sandbox } from '../../kernel/tools/workshop.ts';
import { findSandbox } from '../../sandbox/sandbox.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { loadToolchains } from '../toolchains/load.ts';
import { outputOf, provideFiles, runIn } from './command.ts';
import { readCounts, readersOf } from './counts/counts.ts';
import type { RunFolders } from './place.ts';
import { putProvidedInto } from './provision.ts';
import { inWorkingTree } from './working-tree.ts';

/**
 * Runs a check in a fresh working tree of `wish.tree` and reports how its command ended.
 * @throws DeliberateError if git or the provided files fail, so that the check could not run
 */
export async function runCheck(
  place: RunFolders,
  wish: CheckWish,
  signal: AbortSignal,
): Promise<CheckRun> {
  const began = performance.now();
  const sandbox = await findSandbox(place.env);
  try {
    return await runChecked(place, wish, sandbox, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // The run was stopped while the check's working tree was prepared, before the command started. Report how
    // long the preparation took.
    const ms = performance.now() - began;
    return { exit: null, ended: 'stopped', ms, sandbox, output: '[stopped]\n', bytes: 0 };
  }
}

async function runChecked(
  place: RunFolders,
  { tree, check, over, provision }: CheckWish,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<CheckRun> {
  await provideFiles(place, provision, signal);
  return inWorkingTree(place, { tree, over }, signal, async (where) => {
    const provided = await putProvidedInto(place, where, provision, sandbox);
    const ended = await runIn(place, where, { ...check, sandbox, provided }, signal);
    const text = (place.conceal ?? ((all) => all))(ended.text);
    const counts =
      ended.exit === null
        ? undefined
        : readCounts(text, readersOf(loadToolchains(place.env).runners));
    return {
      exit: ended.exit,
      ...withoutUndefined({ ended: ended.ended, counts }),
      ms: ended.ms,
      sandbox,
      output: outputOf(text, ended),
      bytes: ended.bytes,
    };
  });
}

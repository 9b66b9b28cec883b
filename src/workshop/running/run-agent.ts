/**
 * Runs a coding agent's program in a working tree of its own. Its result is the tree of files afterwards;
 * its own report proves nothing. It has network access for its model, and copies of the keys and home files
 * that the person named for it.
 */
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeliberateError } from '../../kernel/errors.ts';
import type { AgentExecution, ExecuteWish, Sandbox } from '../../kernel/tools/workshop.ts';
import { homeOf } from '../../platform/folders.ts';
import type { ProcessEnd } from '../../sandbox/process.ts';
import { findSandbox } from '../../sandbox/sandbox.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { AgentConversation } from './acp.ts';
import { outputOf, provideFiles, runIn, treePathInSandbox } from './command.ts';
import { watchOutsideTree } from './elsewhere.ts';
import type { RunFolders } from './place.ts';
import { putProvidedInto } from './provision.ts';
import { inWorkingTree, type Snapshot, snapshotTree, type WorkingTree } from './working-tree.ts';

const BRIEF = 'brief.md';

/**
 * Runs a coding agent's program in a fresh working tree of `wish.tree`. Resolves to the tree of the
 * files afterwards and to how the program ended.
 * @throws DeliberateError if git or the provided files fail
 */
export async function runAgent(
  place: RunFolders,
  wish: ExecuteWish,
  signal: AbortSignal,
): Promise<AgentExecution> {
  const sandbox = await findSandbox(place.env);
  try {
    return await executeIn(place, wish, sandbox, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // The run was stopped before the agent began or after the agent ended, while files were written or read.
    // Return the tree as it was before the agent.
    const nothing = { ms: 0, sandbox, output: '[stopped]\n', elsewhere: [], left: 0 };
    return { tree: wish.tree, exit: null, ended: 'stopped', ...nothing };
  }
}

async function executeIn(
  place: RunFolders,
  { tree, runtime, argv, brief, timeoutS, provision }: ExecuteWish,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<AgentExecution> {
  await provideFiles(place, provision, signal);
  return inWorkingTree(place, { tree }, signal, async (where) => {
    const provided = await putProvidedInto(place, where, provision, sandbox);
    fillHome(place, where);
    // Put the file with the brief into the home folder, since the path of the temporary folder depends on
    // the sandbox.
    const file = join(where.home, BRIEF);
    writeFileSync(file, brief);
    const elsewhere = watchOutsideTree(place, where);
    const talk: AgentConversation = { said: '' };
    const acp = runtime === 'acp' ? await import('./acp.ts') : undefined;
    const matter = { brief, tree: where.tree, at: treePathInSandbox(place, where, sandbox) };
    const isNamed = argv.some((argument) => argument.includes('{brief}'));
    const ended = await runIn(
      place,
      where,
      {
        argv: argv.map((argument) => argument.replaceAll('{brief}', () => file)),
        timeoutS,
        sandbox,
        provided,
        network: true,
        pass: place.agent?.pass ?? [],
        // Unless the agent speaks ACP, a command without `{brief}` gets the task's text on its standard input.
        input: acp === undefined && !isNamed ? brief : undefined,
        talk:
          acp === undefined
            ? undefined
            : (input, output) => acp.runAgentSession(talk, matter, input, output),
      },
      signal,
    );
    const how = acp === undefined ? ended : howItWent(talk, ended);
    const after = await treeAfter(place, where, tree, provided.copied, signal);
    const conceal = place.conceal ?? ((all: string) => all);
    const note = [how.note, after.fault].filter((part) => part !== undefined).join('; ');
    return {
      tree: after.tree,
      exit: how.exit,
      ...withoutUndefined({ ended: how.ended }),
      ms: ended.ms,
      sandbox,
      output: conceal(
        outputOf(
          `${sanitiseText(talk.said)}${ended.text}`,
          note === '' ? {} : { note: sanitiseText(note) },
        ),
      ),
      elsewhere: elsewhere(),
      left: ended.left,
    };
  });
}

/** Returns the tree of the current files; if git cannot read them at all, the original tree. */
async function treeAfter(
  place: RunFolders,
  where: WorkingTree,
  tree: string,
  provided: readonly string[],
  signal: AbortSignal,
): Promise<Snapshot> {
  if (signal.aborted) return { tree };
  try {
    const taken = await snapshotTree(place, where, tree, provided, signal);
    return taken.fault === undefined
      ? taken
      : { ...taken, fault: `some of its files cannot be taken: ${taken.fault}` };
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    return { tree, fault: `its files cannot be taken: ${error.message}` };
  }
}

/**
 * Returns how a program with a conversation ended: by whether it reported success, as it is always ended
 * afterwards.
 */
function howItWent(
  { stop, fault }: AgentConversation,
  ended: ProcessEnd,
): Pick<ProcessEnd, 'exit' | 'ended' | 'note'> {
  if (stop === 'end_turn') return { exit: 0 };
  if (stop !== undefined) return { exit: 1, note: `it stopped: ${stop}` };
  const note = [ended.note, fault].filter((part) => part !== undefined).join(': ');
  return { exit: null, ended: ended.ended ?? 'signal', note: note || 'it exited' };
}

/** Fills the agent's home. @throws DeliberateError for a path that is outside the home or does not exist */
function fillHome(place: RunFolders, { home }: WorkingTree): void {
  for (const path of place.agent?.home ?? []) {
    const from = join(homeOf(place.env), path);
    if (path.split('/').includes('..') || !existsSync(from))
      throw new DeliberateError('not-provided', `${path}: not in your home`);
    mkdirSync(dirname(join(home, path)), { recursive: true });
    cpSync(from, join(home, path), { recursive: true, verbatimSymlinks: true });
  }
}

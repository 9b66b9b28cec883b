/** Assembles the part of a workshop that starts programs. */
import type { Provision, Sandbox, Workshop } from '../../kernel/tools/workshop.ts';
import { endMarked } from '../../sandbox/family.ts';
import { removeFolder } from '../../sandbox/remove-folder.ts';
import { findSandbox } from '../../sandbox/sandbox.ts';
import { takeEnd } from '../../sandbox/tail.ts';
import { runCheck } from './checks.ts';
import { runIn } from './command.ts';
import { type RunFolders, workIn } from './place.ts';
import { provideForCommands, putProvidedInto } from './provision.ts';
import { runAgent } from './run-agent.ts';
import type { WorkingTree } from './working-tree.ts';

interface Commands extends Pick<Workshop, 'check' | 'execute'> {
  readonly sandbox: () => Promise<Sandbox>;
  /** Copies the provided files, and runs the set-up once in a tree of `base`. */
  readonly provide: (base: string, provision: Provision, signal: AbortSignal) => Promise<void>;
  /**
   * Ends the processes and removes the files that a killed process left. Only while no other process works
   * on the run.
   */
  readonly clear: () => Promise<void>;
}

/** Makes the functions that run checks and coding agents in trees. */
export function openCommands(place: RunFolders): Commands {
  const provideAll = (base: string, provision: Provision, signal: AbortSignal): Promise<void> =>
    provideForCommands(
      place,
      base,
      provision,
      (where) => runSetUp(place, where, provision, signal),
      signal,
    );
  return {
    sandbox: () => findSandbox(place.env),
    provide: provideAll,
    check: (wish, signal) => runCheck(place, wish, signal),
    execute: (wish, signal) => runAgent(place, wish, signal),
    clear: async () => {
      await endMarked(place.run);
      removeFolder(workIn(place));
    },
  };
}

async function runSetUp(
  place: RunFolders,
  where: WorkingTree,
  { setUp, ...provision }: Provision,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (setUp === undefined) return undefined;
  const sandbox = await findSandbox(place.env);
  const provided = await putProvidedInto(place, where, provision, sandbox);
  const ended = await runIn(place, where, { ...setUp, sandbox, provided, network: true }, signal);
  signal.throwIfAborted();
  if (ended.exit === 0) return undefined;
  const text = (place.conceal ?? ((all) => all))(ended.text);
  return `${ended.note ?? `it ended with ${ended.exit}`}\n${takeEnd(text, 4_000)}`;
}

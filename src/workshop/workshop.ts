/**
 * A run's place of work, put together: its copy of a repository, the trees that tools make in it, the
 * commands that check them, and the way home. The copy is made when somebody first needs it, so that a
 * run that goes on in another process, or was forked from another run, finds what is on its record.
 */
import type { Env } from '../io/tools.ts';
import { shortId } from '../kernel/short-id.ts';
import type { Delivered, Provision, Sandbox, Tree, Workshop } from '../kernel/tools/workshop.ts';
import { changes, diff, textOf } from './changes.ts';
import { Checkout } from './checkout.ts';
import { commit } from './commit.ts';
import { sweep } from './copy-folders.ts';
import {
  deliverBranch,
  deliverForward,
  type Home,
  look,
  type Target,
  targetOf,
} from './deliver.ts';
import { join } from './join.ts';
import { Repository } from './repository.ts';
import { survey } from './survey.ts';
import { loadToolchains } from './toolchains/load.ts';
import { putFile, treeTools } from './trees.ts';

/** Where commands work, and on what. */
interface CommandPlace {
  /** The run's own copy of the repository, a bare one. */
  readonly gitDir: string;
  /** The run's own folder. */
  readonly folder: string;
  /** The person's checkout: what is provided is copied from there. */
  readonly repository: string;
  readonly run: string;
  readonly env: Env;
  readonly conceal: (text: string) => string;
}

/** What runs commands on trees. */
interface TreeCommands extends Pick<Workshop, 'check' | 'execute'> {
  sandbox(): Promise<Sandbox>;
  /** Makes what is provided for the trees, where it is not there yet. */
  provide(base: string, provision: Provision, signal: AbortSignal): Promise<void>;
  clear(): Promise<void>;
}

/** Pushes a commit from the run's copy as a branch, and opens a pull request for it. */
type OpenRequest = (
  place: CommandPlace,
  wish: Target & {
    readonly branch: string;
    readonly commit: string;
    readonly title: string;
    readonly body: string;
  },
  signal: AbortSignal,
) => Promise<Delivered>;

export interface WorkshopOptions {
  /** The person's checkout, or a folder in it. */
  readonly repository: string;
  /** The run's own: `workshopFolder`. */
  readonly folder: string;
  /** The run's id. */
  readonly run: string;
  /** The folder of the run that this one was forked from: its trees are on record here. */
  readonly earlier?: string | undefined;
  readonly env: Env;
  /** Takes keys that are known here out of what models are shown. */
  readonly conceal?: ((text: string) => string) | undefined;
  readonly commands: (place: CommandPlace) => TreeCommands;
  /** Absent: pull requests cannot be made. */
  readonly request?: OpenRequest | undefined;
}

/** Nothing is made, and nothing looked at, before a method is called. */
export function openWorkshop(options: WorkshopOptions): Workshop {
  const { repository: path, folder, run, earlier, env, conceal = (text) => text } = options;
  const repository = new Repository(folder, env);
  const at = beginningOf(run);
  let opened: Promise<Checkout> | undefined;
  let made: Promise<void> | undefined;

  const checkout = (signal: AbortSignal): Promise<Checkout> => {
    opened ??= Checkout.open(path, env, signal).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  // One at a time, and again where it failed: somebody may have put right what was wrong.
  const copy = async (signal: AbortSignal): Promise<Repository> => {
    made ??= make(signal).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    await made;
    return repository;
  };
  const make = async (signal: AbortSignal): Promise<void> => {
    sweep(folder);
    // The person's repository may have gone since; then the copy is all there is.
    if (!repository.exists)
      await repository.make(await checkout(signal), earlier, undefined, signal);
  };
  const placeIn = async (signal: AbortSignal): Promise<CommandPlace> => ({
    gitDir: repository.gitDir,
    folder,
    repository: (await checkout(signal)).folder,
    run,
    env,
    conceal,
  });
  let commands: TreeCommands | undefined;
  const commandsIn = async (signal: AbortSignal): Promise<TreeCommands> => {
    commands ??= options.commands(await placeIn(signal));
    return commands;
  };
  const home = async (signal: AbortSignal): Promise<Home> => ({
    repository: await copy(signal),
    checkout: await checkout(signal),
    branch: `deliberate-${shortId(run)}`,
  });

  return {
    clear: async () => {
      if (repository.exists) await (await commandsIn(new AbortController().signal)).clear();
    },
    survey: async (signal) => {
      const sandbox = await (await commandsIn(signal)).sandbox();
      const toolchains = loadToolchains(env);
      return survey(await checkout(signal), { env, sandbox, toolchains }, signal);
    },
    sandbox: async (signal) => (await commandsIn(signal)).sandbox(),
    prepare: async (base, provision, signal): Promise<Tree> => {
      const person = await checkout(signal);
      await (await copy(signal)).make(person, earlier, base, signal);
      await (await commandsIn(signal)).provide(base, provision, signal);
      return { tree: await repository.treeOf(base, signal) };
    },
    tools: treeTools(copy, conceal),
    treeOf: async (of) => {
      const { signal } = new AbortController();
      return (await copy(signal)).treeOf(of, signal);
    },
    commit: async (wish, signal) => commit(await copy(signal), wish, at, signal),
    join: async (commits, message, signal) =>
      join(await copy(signal), commits, message, at, signal),
    check: async (wish, signal) => {
      await copy(signal);
      return (await commandsIn(signal)).check(wish, signal);
    },
    execute: async (wish, signal) => {
      await copy(signal);
      return (await commandsIn(signal)).execute(wish, signal);
    },
    changes: async (from, to, signal) => changes(await copy(signal), from, to, signal),
    diff: async (from, to, paths, signal) =>
      conceal(await diff(await copy(signal), from, to, paths, signal)),
    text: async (of, file, signal) => textOf(await copy(signal), of, file, signal),
    put: async (tree, file, text, signal) => putFile(await copy(signal), tree, file, text, signal),
    look: async (base, made, signal) => look(await home(signal), base, made, signal),
    deliver: async ({ how, base, commit: made, title, body }, signal): Promise<Delivered> => {
      const where = await home(signal);
      if (how === 'forward') return deliverForward(where, base, made, signal);
      if (how === 'branch') return deliverBranch(where, made, signal);
      if (options.request === undefined)
        return { done: false, why: 'pull requests cannot be opened here' };
      const target = await targetOf(where, signal);
      if ('why' in target) return { done: false, why: target.why };
      const wish = { ...target, branch: where.branch, commit: made, title, body };
      return options.request(await placeIn(signal), wish, signal);
    },
  };
}

/** When a run began, in seconds: its id says so. Commits made in it are dated by that. */
function beginningOf(run: string): number {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(run);
  return digits === null ? 0 : Math.floor(Number.parseInt(`${digits[1]}${digits[2]}`, 16) / 1000);
}

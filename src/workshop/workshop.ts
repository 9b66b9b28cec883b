/**
 * Assembles a run's workshop: its copy of a repository, the trees that tools make in it, the commands that
 * check them, and the delivery. The copy is made when it is first needed, so that a run that continues in
 * another process, or was forked, finds what it has recorded.
 */
import type { Env } from '../io/tools.ts';
import { shortId } from '../kernel/short-id.ts';
import type {
  DeliveryResult,
  Forge,
  Provision,
  Sandbox,
  Tree,
  Workshop,
} from '../kernel/tools/workshop.ts';
import { diffTrees, listChanges, textOf } from './changes.ts';
import { Checkout } from './checkout.ts';
import { commitTree } from './commit.ts';
import { removeLeftovers } from './copy-folders.ts';
import {
  deliverBranch,
  deliverForward,
  type Home,
  readBranchState,
  type Target,
  targetOf,
} from './deliver.ts';
import { rewriteHistory } from './history.ts';
import { mergeCommits } from './join.ts';
import { Repository } from './repository.ts';
import { surveyCheckout } from './survey.ts';
import { loadToolchains } from './toolchains/load.ts';
import { putFile, treeTools } from './trees.ts';

/** The folders and settings for commands. */
interface CommandPlace {
  /** The run's own bare copy of the repository. */
  readonly gitDir: string;
  /** The run's own folder. */
  readonly folder: string;
  /** The person's checkout, from which provided files are copied. */
  readonly repository: string;
  readonly run: string;
  readonly env: Env;
  readonly conceal: (text: string) => string;
}

/** Runs commands on trees. */
interface TreeCommands extends Pick<Workshop, 'check' | 'execute'> {
  sandbox(): Promise<Sandbox>;
  /** Copies the provided files, if that was not done yet. */
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
    readonly forge?: Forge | undefined;
  },
  signal: AbortSignal,
) => Promise<DeliveryResult | { readonly done: false; readonly next: string }>;

/** Options of a workshop, the place where a run works on its own copy of a repository. */
export interface WorkshopOptions {
  /** The person's checkout, or a folder in it. */
  readonly repository: string;
  /** The run's own folder, from `workshopFolder`. */
  readonly folder: string;
  /** The id of the run. */
  readonly run: string;
  /** The folder of the parent run's copy; this run's records may refer to trees in it. */
  readonly earlier?: string | undefined;
  readonly env: Env;
  /** Masks API keys in what models are shown. */
  readonly conceal?: ((text: string) => string) | undefined;
  /** Makes the functions that run commands in trees. */
  readonly commands: (place: CommandPlace) => TreeCommands;
  /** Opens pull requests; absent: pull requests cannot be opened. */
  readonly request?: OpenRequest | undefined;
}

/** Makes a run's workshop. Nothing is created or read until one of its methods is called. */
export function openWorkshop(options: WorkshopOptions): Workshop {
  const { repository: path, folder, run, earlier, env, conceal = (text) => text } = options;
  const repository = new Repository(folder, env);
  const at = beginningOf(run);
  let opened: Promise<Checkout> | undefined;
  let made: Promise<void> | undefined;

  const openCheckout = (signal: AbortSignal): Promise<Checkout> => {
    opened ??= Checkout.open(path, env, signal).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  // If several callers need the run's copy of the repository at once, it is made once for all of them. If that
  // fails, the next caller tries again.
  const openCopy = async (signal: AbortSignal): Promise<Repository> => {
    made ??= makeCopy(signal).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    await made;
    return repository;
  };
  const makeCopy = async (signal: AbortSignal): Promise<void> => {
    removeLeftovers(folder);
    // If the copy exists already, do not open the person's checkout, which may no longer exist.
    if (!repository.exists)
      await repository.make(await openCheckout(signal), earlier, undefined, signal);
  };
  const placeIn = async (signal: AbortSignal): Promise<CommandPlace> => ({
    gitDir: repository.gitDir,
    folder,
    repository: (await openCheckout(signal)).folder,
    run,
    env,
    conceal,
  });
  let commands: TreeCommands | undefined;
  const commandsIn = async (signal: AbortSignal): Promise<TreeCommands> => {
    commands ??= options.commands(await placeIn(signal));
    return commands;
  };
  const openHome = async (signal: AbortSignal): Promise<Home> => ({
    repository: await openCopy(signal),
    checkout: await openCheckout(signal),
    branch: `deliberate-${shortId(run)}`,
  });

  return {
    clear: async () => {
      if (repository.exists) await (await commandsIn(new AbortController().signal)).clear();
    },
    survey: async (signal) => {
      const sandbox = await (await commandsIn(signal)).sandbox();
      const toolchains = loadToolchains(env);
      return surveyCheckout(await openCheckout(signal), { env, sandbox, toolchains }, signal);
    },
    sandbox: async (signal) => (await commandsIn(signal)).sandbox(),
    prepare: async (base, provision, signal): Promise<Tree> => {
      const person = await openCheckout(signal);
      await (await openCopy(signal)).make(person, earlier, base, signal);
      await (await commandsIn(signal)).provide(base, provision, signal);
      return { tree: await repository.treeOf(base, signal) };
    },
    tools: treeTools(openCopy, conceal),
    treeOf: async (of) => {
      const { signal } = new AbortController();
      return (await openCopy(signal)).treeOf(of, signal);
    },
    commit: async (wish, signal) => commitTree(await openCopy(signal), wish, at, signal),
    join: async (commits, message, signal) =>
      mergeCommits(await openCopy(signal), commits, message, at, signal),
    check: async (wish, signal) => {
      await openCopy(signal);
      return (await commandsIn(signal)).check(wish, signal);
    },
    execute: async (wish, signal) => {
      await openCopy(signal);
      return (await commandsIn(signal)).execute(wish, signal);
    },
    changes: async (from, to, signal) => listChanges(await openCopy(signal), from, to, signal),
    diff: async (from, to, paths, signal) =>
      conceal(await diffTrees(await openCopy(signal), from, to, paths, signal)),
    text: async (of, file, signal) => textOf(await openCopy(signal), of, file, signal),
    put: async (tree, file, text, signal) =>
      putFile(await openCopy(signal), tree, file, text, signal),
    look: async (base, made, signal) => readBranchState(await openHome(signal), base, made, signal),
    deliver: async ({ how, base, commit: made, title, body, forge, history, author }, signal) => {
      const where = await openHome(signal);
      const wanted =
        history === undefined
          ? made
          : await rewriteHistory(
              where.repository,
              {
                base,
                commit: made,
                history,
                at,
                author: author === 'person' ? await identityIn(where.checkout, signal) : undefined,
              },
              signal,
            );
      if (how === 'forward') return deliverForward(where, base, wanted, signal);
      if (how === 'branch') return deliverBranch(where, wanted, signal);
      if (options.request === undefined)
        return { done: false, why: 'pull requests cannot be opened here' };
      const target = await targetOf(where, signal);
      if ('why' in target) return { done: false, why: target.why };
      const wish = { ...target, branch: where.branch, commit: wanted, title, body, forge };
      const asked = await options.request(await placeIn(signal), wish, signal);
      if (!('next' in asked) || asked.done) return asked;
      // `next` is a command with which the person can open the pull request elsewhere, because the program could
      // not open it here. So deliver the branch alone, and hand on the command.
      const kept = await deliverBranch(where, wanted, signal);
      return kept.done ? { ...kept, next: asked.next } : kept;
    },
  };
}

/** Returns the person's name and address in git's settings; undefined if not set. */
async function identityIn(
  checkout: Checkout,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly email: string } | undefined> {
  const [name, email] = [
    await checkout.setting('user.name', signal),
    await checkout.setting('user.email', signal),
  ];
  return name === undefined || email === undefined ? undefined : { name, email };
}

/** Returns when a run began, in seconds, from its id. It is the date of the run's commits. */
function beginningOf(run: string): number {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(run);
  return digits === null ? 0 : Math.floor(Number.parseInt(`${digits[1]}${digits[2]}`, 16) / 1000);
}

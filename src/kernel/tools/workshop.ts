/**
 * Where a team's work is done: a copy of a repository of the run's own, in which trees are made from
 * trees, committed, joined and checked by commands. `src/workshop` implements it; protocols, models and
 * views only ever see these types.
 *
 * A tree is the hash of a git tree object. Editing makes another tree and changes none, so a step that is
 * on record has left what it says, and one that was cut off has left nothing that anybody reads. Every
 * method can be called again with the same arguments and comes to the same hashes.
 */
import type { Tools } from './tools.ts';

/**
 * A command as it is run: without a shell, in the folder that its variable `PWD` names within the tree;
 * absent: at the root.
 */
export interface Check {
  readonly id: string;
  readonly argv: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly timeoutS: number;
}

/** What the person's checkout is like. Nothing was written to find out. */
export interface Survey {
  /** The commit that the work starts from; `head` is what HEAD says: a branch, or nothing where it is detached. */
  readonly base: string;
  readonly branch?: string | undefined;
  readonly files: number;
  /** The first paths, sorted: what a plan is made from. */
  readonly paths: readonly string[];
  /** Checks that scripts and settings suggest. */
  readonly checks: readonly (Check & {
    readonly why: string;
    /** Which runner prints its summary, where that is known; `none`: it has no tests that can be counted. */
    readonly runner?: string | undefined;
    /** What it needs and this machine does not have: `mvn`. */
    readonly missing?: string | undefined;
  })[];
  /** Globs of what looks like tests. */
  readonly tests: readonly string[];
  /** Globs of files that decide what checks mean: only a person lets a task hold one. */
  readonly guarded: readonly string[];
  /** Ignored by git and needed by checks: `node_modules`. Copied beside the trees once it is approved. */
  readonly ignored: readonly { readonly path: string; readonly bytes: number }[];
  /** Of the checkout, and not in the base: the team does not see it. */
  readonly uncommitted: readonly string[];
  readonly untracked: readonly string[];
  /** Hooks, submodules, LFS pointers: said at the gate, never run or fetched. */
  readonly hooks: readonly string[];
  readonly submodules: readonly string[];
  readonly lfs: readonly string[];
  readonly sandbox: Sandbox;
}

/** What keeps a command from writing elsewhere. */
export type Sandbox = 'bwrap' | 'sandbox-exec' | 'none';

/** What the person lets the checks have beside the committed files. */
export interface Provision {
  /** Ignored folders, copied once beside the trees and linked into each. */
  readonly folders: readonly string[];
  /** Ignored or untracked files by name, copied into each tree. */
  readonly files: readonly string[];
  /** Run once in a fresh tree of the base, with network; absent: nothing is set up. */
  readonly setUp?: Check | undefined;
}

/** The tree that a commit or an edit has. */
export interface Tree {
  readonly tree: string;
}

export interface Committed extends Tree {
  readonly commit: string;
  /** Paths that differ from the first parent, sorted. */
  readonly files: readonly string[];
}

export type CommitAnswer =
  | ({ readonly done: true } & Committed)
  /** Nothing was committed: why, by path. `outside`: not among the files that the task holds. */
  | {
      readonly done: false;
      readonly refused: readonly {
        readonly path: string;
        readonly why: 'outside' | 'link' | 'submodule' | 'guarded' | 'locked' | 'empty';
      }[];
    };

export interface CommitWish extends Tree {
  /** The commits that it follows; its changes are those against the first. */
  readonly parents: readonly string[];
  readonly message: string;
  /** Globs or paths that may differ; absent: everything may. */
  readonly may?: readonly string[] | undefined;
  /** Globs that may not, whatever `may` says, and by what name they are refused. */
  readonly guarded?: readonly string[] | undefined;
  /** Those of the guarded files that may differ all the same, where `may` says so too. */
  readonly allowed?: readonly string[] | undefined;
  readonly locked?: readonly string[] | undefined;
}

export type JoinAnswer =
  | ({ readonly done: true } & Committed)
  /** Files that both sides changed. */
  | { readonly done: false; readonly conflicts: readonly string[] };

export interface CheckWish extends Tree {
  readonly check: Check;
  /** Laid over the tree before the check: these paths as they are in that commit or tree, removed where it has none. */
  readonly over?: { readonly from: string; readonly paths: readonly string[] } | undefined;
  readonly provision: Provision;
}

/** What a check came to. What it printed proves nothing by itself; the numbers are read by code. */
export interface CheckRun {
  /** Null where it was ended: by a signal, its limit, or because it could not start. */
  readonly exit: number | null;
  /** Why there is no exit code. */
  readonly ended?: 'time' | 'output' | 'signal' | 'stopped' | 'not-started' | undefined;
  /** Read off what its runner printed; absent where that is no runner known here. */
  readonly counts?:
    | {
        readonly passed: number;
        readonly failed: number;
        readonly skipped: number;
        /** Names of tests, where the runner gives them. */
        readonly failing: readonly string[];
        /** Files that ended well without a test in them, where the runner tells. */
        readonly empty?: readonly string[] | undefined;
      }
    | undefined;
  readonly ms: number;
  readonly sandbox: Sandbox;
  /** The end of what it printed, both streams in the order of arrival, without escapes; its start is left out. */
  readonly output: string;
  readonly bytes: number;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed' | 'mode';
  readonly added: number;
  readonly removed: number;
}

/** A coding agent's program, set to work in a working tree of its own. */
export interface ExecuteWish extends Tree {
  readonly runtime: 'command' | 'acp';
  /** `{brief}` stands for the path of the file that the task is written in. */
  readonly argv: readonly string[];
  readonly brief: string;
  readonly timeoutS: number;
  readonly provision: Provision;
}

export interface Executed extends Tree {
  readonly exit: number | null;
  readonly ended?: CheckRun['ended'];
  readonly ms: number;
  readonly sandbox: Sandbox;
  readonly output: string;
  /** Files outside the working tree that it wrote, as far as that can be seen. */
  readonly elsewhere: readonly string[];
  /** Processes that it left behind and that were ended. */
  readonly left: number;
}

/** How the work reaches the person's repository. `forward`: their branch is moved on, with its files. */
export type Delivery = 'branch' | 'forward' | 'request';

export type Delivered =
  | {
      readonly done: true;
      readonly how: Delivery;
      /** `deliberate-1a2b3c4d` */
      readonly branch: string;
      readonly commit: string;
      /** Of a pull request. */
      readonly url?: string | undefined;
    }
  | { readonly done: false; readonly why: string };

/** Where the person's branch is now, against the base. */
export interface Moved {
  readonly head: string;
  readonly moved: boolean;
  /** Files of the work that are changed, staged or untracked in the checkout. */
  readonly dirty: readonly string[];
}

export interface Workshop {
  /** Ends and removes what a process left that was killed at work. Only for whoever works on the run. */
  clear(): Promise<void>;
  survey(signal: AbortSignal): Promise<Survey>;
  /** What commands are kept in, as it is now. */
  sandbox(signal: AbortSignal): Promise<Sandbox>;
  /** Makes the run's own copy where there is none, and what is provided beside its trees. */
  prepare(base: string, provision: Provision, signal: AbortSignal): Promise<Tree>;
  /**
   * What a seat works with: list, grep, read, edit, write, remove. Each call's arguments carry `tree`,
   * which the protocol adds and no model writes; what was found says in `state` which tree there is now.
   */
  readonly tools: Tools;
  treeOf(commit: string): Promise<string>;
  /** The same commit for the same wish, whenever it is made. */
  commit(wish: CommitWish, signal: AbortSignal): Promise<CommitAnswer>;
  /** Merges commits in the order given; one alone is itself. */
  join(commits: readonly string[], message: string, signal: AbortSignal): Promise<JoinAnswer>;
  check(wish: CheckWish, signal: AbortSignal): Promise<CheckRun>;
  changes(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /** As `git diff` writes it, capped. */
  diff(from: string, to: string, paths: readonly string[], signal: AbortSignal): Promise<string>;
  /** Text of a file in a commit or tree; undefined where there is none, or it is no text. */
  text(of: string, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** The same tree with one file written, or removed where `text` is undefined. */
  put(tree: string, path: string, text: string | undefined, signal: AbortSignal): Promise<string>;
  execute(wish: ExecuteWish, signal: AbortSignal): Promise<Executed>;
  look(base: string, commit: string, signal: AbortSignal): Promise<Moved>;
  /** `title` and `body`: of a pull request. */
  deliver(
    wish: {
      readonly how: Delivery;
      readonly base: string;
      readonly commit: string;
      readonly title: string;
      readonly body: string;
    },
    signal: AbortSignal,
  ): Promise<Delivered>;
}

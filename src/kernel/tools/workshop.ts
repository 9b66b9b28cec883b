/**
 * The interface of the place where a team's work is done: the run's own copy of a repository, in which
 * trees are made from trees, committed, merged and checked by commands. `src/workshop` implements it;
 * protocols, models and views see only these types.
 *
 * A tree is the hash of a git tree object. Editing makes a new tree and changes no existing one, so a
 * recorded step has left the tree that it names, and an interrupted step has left nothing that is read
 * later. Every method can be called again with the same arguments and returns the same hashes.
 */
import type { Tools } from './tools.ts';

/**
 * A command that is run without a shell, in the folder within the tree that its variable `PWD` names;
 * without `PWD`, at the root.
 */
export interface Check {
  readonly id: string;
  readonly argv: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly timeoutS: number;
}

/** The state of the person's checkout. Nothing is written to find it out. */
export interface Survey {
  /** The commit that the work starts from. `branch` is the branch of HEAD, absent if HEAD is detached. */
  readonly base: string;
  readonly branch?: string | undefined;
  readonly files: number;
  /** The first paths in sorted order, for the prompt of the plan. */
  readonly paths: readonly string[];
  /** Checks that scripts and settings suggest. */
  readonly checks: readonly (Check & {
    readonly why: string;
    /** The test runner whose summary is parsed, if known; `none`: the check has no tests to count. */
    readonly runner?: string | undefined;
    /** The program that it needs and this machine lacks: `mvn`. */
    readonly missing?: string | undefined;
  })[];
  /** Globs of files that look like tests. */
  readonly tests: readonly string[];
  /** Globs of files that determine what checks do: a task may change one only if a person allows it. */
  readonly guarded: readonly string[];
  /**
   * Folders that git ignores and checks need, such as `node_modules`. They are copied beside the trees once
   * a person approves.
   */
  readonly ignored: readonly { readonly path: string; readonly bytes: number }[];
  /**
   * Changed and untracked files of the checkout that are not in the base commit: the team does not see
   * them.
   */
  readonly uncommitted: readonly string[];
  readonly untracked: readonly string[];
  /** Hooks, submodules and LFS pointers: named at the gate, never run or fetched. */
  readonly hooks: readonly string[];
  readonly submodules: readonly string[];
  readonly lfs: readonly string[];
  readonly sandbox: Sandbox;
}

/** The program that keeps a command from writing outside its folders. */
export type Sandbox = 'bwrap' | 'sandbox-exec' | 'none';

/** What a person provides to the checks beside the committed files. */
export interface Provision {
  /** Ignored folders, copied once beside the trees and linked into each. */
  readonly folders: readonly string[];
  /** Ignored or untracked files by name, copied into each tree. */
  readonly files: readonly string[];
  /**
   * A command that is run once in a fresh tree of the base, with network access; absent: nothing is run.
   */
  readonly setUp?: Check | undefined;
}

/** The hash of a git tree. */
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
  /**
   * Nothing was committed, for the reasons given by path. `outside`: the path is not among the files that
   * the task holds.
   */
  | {
      readonly done: false;
      readonly refused: readonly {
        readonly path: string;
        readonly why: 'outside' | 'link' | 'submodule' | 'guarded' | 'locked' | 'empty';
      }[];
    };

export interface CommitWish extends Tree {
  /** The parent commits; changes are computed against the first. */
  readonly parents: readonly string[];
  readonly message: string;
  /** Globs or paths that may change; absent: all may. */
  readonly may?: readonly string[] | undefined;
  /** Globs that may not change even if `may` includes them; the refusal calls them guarded or locked. */
  readonly guarded?: readonly string[] | undefined;
  /** Guarded files that may change after all, if `may` includes them too. */
  readonly allowed?: readonly string[] | undefined;
  readonly locked?: readonly string[] | undefined;
}

export type JoinAnswer =
  | ({ readonly done: true } & Committed)
  /** Not merged: these files were changed on both sides. */
  | { readonly done: false; readonly conflicts: readonly string[] };

export interface CheckWish extends Tree {
  readonly check: Check;
  /**
   * Paths that are replaced before the check by their version in another commit or tree, or removed if it
   * has none.
   */
  readonly over?: { readonly from: string; readonly paths: readonly string[] } | undefined;
  readonly provision: Provision;
}

/** The result of a check. Its output is untrusted text; the figures in `counts` are parsed by code. */
export interface CheckRun {
  /** The exit code; null if the command was ended by a signal or a limit, or could not start. */
  readonly exit: number | null;
  /** Why there is no exit code. */
  readonly ended?: 'time' | 'output' | 'signal' | 'stopped' | 'not-started' | undefined;
  /** The counts that were parsed from the output of a known test runner; absent for other runners. */
  readonly counts?:
    | {
        readonly passed: number;
        readonly failed: number;
        readonly skipped: number;
        /** Names of failing tests, if the runner prints them. */
        readonly failing: readonly string[];
        /** Test files that passed without containing a test, if the runner prints them. */
        readonly empty?: readonly string[] | undefined;
      }
    | undefined;
  readonly ms: number;
  readonly sandbox: Sandbox;
  /** The end of its output, both streams in the order of arrival, without escape sequences. */
  readonly output: string;
  readonly bytes: number;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed' | 'mode';
  readonly added: number;
  readonly removed: number;
}

/** A coding agent's program to be run in a working tree of its own. */
export interface ExecuteWish extends Tree {
  readonly runtime: 'command' | 'acp';
  /** The command. `{brief}` is replaced by the path of the file with the task's text. */
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
  /** Files that it wrote outside the working tree, as far as can be detected. */
  readonly elsewhere: readonly string[];
  /** The number of processes that it left running and that were ended. */
  readonly left: number;
}

/**
 * How the work is delivered to the person's repository: as a new branch, by moving the person's branch and
 * its files forward, or as a pull request.
 */
export type Delivery = 'branch' | 'forward' | 'request';

/** The forges on which pull requests can be opened; Forgejo counts as Gitea. */
export const FORGE_KINDS = ['github', 'gitlab', 'gitea'] as const;
export type Forge = (typeof FORGE_KINDS)[number];

/** A commit of the run, and the part and message under which it appears in the delivered history. */
export interface HistoryEntry {
  readonly commit: string;
  /** Commits of one part are combined into one, in the place of the last of them. */
  readonly part: string;
  readonly message: string;
}

export type Delivered =
  | {
      readonly done: true;
      readonly how: Delivery;
      /** The name of the new branch, such as `deliberate-1a2b3c4d`. */
      readonly branch: string;
      readonly commit: string;
      /** The address of the pull request. */
      readonly url?: string | undefined;
      /** The command that opens the pull request, if the program for it is not installed here. */
      readonly next?: string | undefined;
    }
  | { readonly done: false; readonly why: string };

/** The state of the person's branch, compared with the base commit. */
export interface Moved {
  readonly head: string;
  readonly moved: boolean;
  /** Files that the work changed and that are also changed, staged or untracked in the checkout. */
  readonly dirty: readonly string[];
}

/** The run's copy of a repository, and what can be done with it. */
export interface Workshop {
  /**
   * Ends the processes and removes the files that a killed process left. Only the owner of the run may call
   * it.
   */
  clear(): Promise<void>;
  survey(signal: AbortSignal): Promise<Survey>;
  /** Returns the sandbox that commands run in at present. */
  sandbox(signal: AbortSignal): Promise<Sandbox>;
  /** Makes the run's own copy if it does not exist, and copies the provided files beside its trees. */
  prepare(base: string, provision: Provision, signal: AbortSignal): Promise<Tree>;
  /**
   * The tools of a seat: list, grep, read, edit, write, remove. The arguments of each call contain `tree`,
   * which the protocol adds and a model cannot set. The `state` of the result is the hash of the new tree.
   */
  readonly tools: Tools;
  treeOf(commit: string): Promise<string>;
  /** Commits a tree. The same wish gives the same commit hash at any time. */
  commit(wish: CommitWish, signal: AbortSignal): Promise<CommitAnswer>;
  /** Merges commits in the given order. A single commit is returned as it is. */
  join(commits: readonly string[], message: string, signal: AbortSignal): Promise<JoinAnswer>;
  check(wish: CheckWish, signal: AbortSignal): Promise<CheckRun>;
  changes(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /** Returns the changes in the format of `git diff`, limited in length. */
  diff(from: string, to: string, paths: readonly string[], signal: AbortSignal): Promise<string>;
  /**
   * Returns the text of a file in a commit or tree; undefined if the file does not exist or is not text.
   */
  text(of: string, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Returns the tree with one file written, or removed if `text` is undefined. */
  put(tree: string, path: string, text: string | undefined, signal: AbortSignal): Promise<string>;
  execute(wish: ExecuteWish, signal: AbortSignal): Promise<Executed>;
  look(base: string, commit: string, signal: AbortSignal): Promise<Moved>;
  /** Delivers the work. `title` and `body` are those of the pull request. */
  deliver(
    wish: {
      readonly how: Delivery;
      readonly base: string;
      readonly commit: string;
      readonly title: string;
      readonly body: string;
      /** The forge that hosts the remote; absent: it is derived from the remote's host. */
      readonly forge?: Forge | undefined;
      /** Combines the commits into one per part; absent: the commits are delivered unchanged. */
      readonly history?: readonly HistoryEntry[] | undefined;
      /** The author of the commits: the person's name in git's settings, or this program's. */
      readonly author?: 'person' | 'deliberate' | undefined;
    },
    signal: AbortSignal,
  ): Promise<Delivered>;
}

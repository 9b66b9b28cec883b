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
 * A command that checks a tree. The command runs without a shell, in the folder that its variable
 * `PWD` names; without `PWD`, at the root of the tree.
 */
export interface Check {
  readonly id: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Environment variables that are set for the command. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** The time limit in seconds. */
  readonly timeoutS: number;
}

/** The state of the person's repository. Finding the state out writes nothing. */
export interface Survey {
  /** The commit that the work starts from. */
  readonly base: string;
  /** The branch that is checked out; absent if HEAD is detached. */
  readonly branch?: string | undefined;
  /** The number of files in the commit. */
  readonly files: number;
  /** The first paths in sorted order, for the prompt that asks for a plan. */
  readonly paths: readonly string[];
  /** Checks that the repository's scripts and settings suggest, each with the reason. */
  readonly checks: readonly (Check & {
    readonly why: string;
    /** The test runner whose summary is parsed, if known; `none`: the check has no tests to count. */
    readonly runner?: string | undefined;
    /** The program that the check needs and this machine lacks: `mvn`. Absent: none is missing. */
    readonly missing?: string | undefined;
  })[];
  /** Globs of files that look like tests. */
  readonly tests: readonly string[];
  /** Globs of files that determine what checks do: a task may change one only if a person allows it. */
  readonly guarded: readonly string[];
  /**
   * Folders and single files that git ignores but checks may need, such as `node_modules`. They are
   * copied for the checks once a person approves.
   */
  readonly ignored: readonly { readonly path: string; readonly bytes: number }[];
  /**
   * Changed files of the checkout. The team works on the base commit and does not see these
   * changes.
   */
  readonly uncommitted: readonly string[];
  /** Files of the checkout that git does not track; the team does not see them either. */
  readonly untracked: readonly string[];
  /** Names of the git hooks, which are shown to the person and never run. */
  readonly hooks: readonly string[];
  /** Paths of submodules, which are shown to the person and never fetched. */
  readonly submodules: readonly string[];
  /** Paths of Git LFS pointers, which are shown to the person and never fetched. */
  readonly lfs: readonly string[];
  /** The sandbox that commands will run in. */
  readonly sandbox: Sandbox;
}

/**
 * The program that prevents a command from writing outside its folders; `none` if no such program
 * works on the machine.
 */
export type Sandbox = 'bwrap' | 'sandbox-exec' | 'none';

/** What a person provides for the checks, in addition to the committed files. */
export interface Provision {
  /** Ignored folders, which are copied once and then mounted or copied into each tree. */
  readonly folders: readonly string[];
  /** Ignored or untracked files, which are copied into each tree. */
  readonly files: readonly string[];
  /**
   * A command that is run once in a fresh tree of the base commit, with network access; absent:
   * nothing is run.
   */
  readonly setUp?: Check | undefined;
}

/** A state of all files of the repository, named by the hash of its git tree. */
export interface Tree {
  /** The hash of the git tree. */
  readonly tree: string;
}

/** A commit of the run, with the paths that it changed. */
export interface RunCommit extends Tree {
  readonly commit: string;
  /** Paths that differ from the first parent, sorted. */
  readonly files: readonly string[];
}

/**
 * The result of `Workshop.commit`: the commit, or the refused paths with their reasons. `outside`: the path is
 * not among the files that the task may change. `link`, `submodule`: the path is a symbolic link or a submodule.
 * `guarded`, `locked`: the path must not change. `empty`: nothing was changed; the path is then empty, too.
 */
export type CommitAnswer =
  | ({ readonly done: true } & RunCommit)
  /**
   * Nothing was committed. `refused` has each refused path with the reason.
   */
  | {
      readonly done: false;
      readonly refused: readonly {
        readonly path: string;
        readonly why: 'outside' | 'link' | 'submodule' | 'guarded' | 'locked' | 'empty';
      }[];
    };

/** A tree to commit, with its parents and the rules on which files may change. */
export interface CommitWish extends Tree {
  /** The parent commits. Changes are computed against the first parent. */
  readonly parents: readonly string[];
  readonly message: string;
  /** Globs or paths of files that may change; absent: all files may. */
  readonly may?: readonly string[] | undefined;
  /**
   * Globs of files that must not change even if `may` includes them. The refusal names the reason
   * `guarded`.
   */
  readonly guarded?: readonly string[] | undefined;
  /** Exceptions from `guarded`: these files may change if `may` includes them. */
  readonly allowed?: readonly string[] | undefined;
  /** Globs of further files that must not change. The refusal names the reason `locked`. */
  readonly locked?: readonly string[] | undefined;
}

/**
 * The result of `Workshop.join`: the joined commit, or the paths that conflict.
 */
export type JoinAnswer =
  | ({ readonly done: true } & RunCommit)
  /** Not merged: the paths that conflict, such as files that both sides changed in different ways. */
  | { readonly done: false; readonly conflicts: readonly string[] };

/** A check to be run in a tree. */
export interface CheckWish extends Tree {
  readonly check: Check;
  /**
   * Files that are taken from another commit or tree (`from`) before the check is run, such as tests.
   * A path that `from` does not have is removed.
   */
  readonly over?: { readonly from: string; readonly paths: readonly string[] } | undefined;
  readonly provision: Provision;
}

/** The result of a check. Its output is untrusted text; the figures in `counts` are parsed by code. */
export interface CheckRun {
  /**
   * The exit code. Null if a signal or limit ended the command, or if the command could not start.
   */
  readonly exit: number | null;
  /**
   * Why there is no exit code: the time limit or the limit of output was reached, a signal ended the command,
   * the run was stopped, or the command could not start.
   */
  readonly ended?: 'time' | 'output' | 'signal' | 'stopped' | 'not-started' | undefined;
  /**
   * The counts that were parsed from the output of a known test runner; absent for other runners, and without an
   * exit code.
   */
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
  /** The duration in milliseconds. */
  readonly ms: number;
  readonly sandbox: Sandbox;
  /**
   * The end of the output: both streams in the order of arrival, without escape sequences. If the command was
   * ended or could not start, the reason follows in brackets.
   */
  readonly output: string;
  /** The length of the whole output in bytes. */
  readonly bytes: number;
}

/**
 * A changed file, with the numbers of added and removed lines, which are 0 for a binary file. `mode`:
 * only its permissions changed.
 */
export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed' | 'mode';
  readonly added: number;
  readonly removed: number;
}

/** A request to run a coding agent's program in a working tree of its own. */
export interface ExecuteWish extends Tree {
  /** How the program is driven: as a plain command, or over the Agent Client Protocol. */
  readonly runtime: 'command' | 'acp';
  /**
   * The command and its arguments. `{brief}` is replaced by the path of the file that holds the
   * task's text.
   */
  readonly argv: readonly string[];
  /** The task's text. */
  readonly brief: string;
  /** The time limit in seconds. */
  readonly timeoutS: number;
  readonly provision: Provision;
}

/** The result of a coding agent's program: the tree that it left, and how the program ended. */
export interface AgentExecution extends Tree {
  /**
   * The exit code; null if the program was ended or could not start. For `acp`, 0 if the agent reported
   * success, and 1 if it reported another end.
   */
  readonly exit: number | null;
  /** Why there is no exit code. */
  readonly ended?: CheckRun['ended'];
  /** The duration in milliseconds. */
  readonly ms: number;
  readonly sandbox: Sandbox;
  /** The end of the output. */
  readonly output: string;
  /** Files that the program wrote outside the working tree, as far as can be detected. */
  readonly elsewhere: readonly string[];
  /** The number of processes that the program left running; they were ended. */
  readonly left: number;
}

/**
 * How the work is delivered to the person's repository: `branch` makes a new branch, `forward`
 * moves the person's branch and files forward, `request` opens a pull request.
 */
export type Delivery = 'branch' | 'forward' | 'request';

/** The kinds of hosting services on which pull requests can be opened. Forgejo counts as Gitea. */
export const FORGE_KINDS = ['github', 'gitlab', 'gitea'] as const;
/** A kind of hosting service on which pull requests can be opened. */
export type Forge = (typeof FORGE_KINDS)[number];

/**
 * A commit of the run, with its message and its group (`part`) in the history that a person receives.
 */
export interface HistoryEntry {
  readonly commit: string;
  /**
   * The name of a group. All commits of a group are delivered as one commit, at the place of the last.
   */
  readonly part: string;
  readonly message: string;
}

/** The result of `Workshop.deliver`: what was delivered, or why nothing was. */
export type DeliveryResult =
  | {
      readonly done: true;
      readonly how: Delivery;
      /** The name of the new branch, such as `deliberate-1a2b3c4d`; for `forward`, of the person's branch. */
      readonly branch: string;
      readonly commit: string;
      /** The address of the pull request. */
      readonly url?: string | undefined;
      /**
       * The command that opens the pull request; set only if the program for it is not installed on
       * this machine.
       */
      readonly next?: string | undefined;
    }
  | { readonly done: false; readonly why: string };

/** The state of the person's branch, compared with the base commit. */
export interface BranchState {
  /** The commit that the branch points to now. */
  readonly head: string;
  /** Whether the branch now points to another commit than the base. */
  readonly moved: boolean;
  /** Files that the work changed and that are also changed, staged, untracked or ignored in the checkout. */
  readonly dirty: readonly string[];
}

/** The run's own copy of a repository, and the operations on it. */
export interface Workshop {
  /**
   * Ends the processes and removes the files that a killed process left. Only the owner of the run
   * may call this method.
   */
  clear(): Promise<void>;
  /** Examines the person's repository without writing to it. */
  survey(signal: AbortSignal): Promise<Survey>;
  /** Returns the sandbox that commands run in now. */
  sandbox(signal: AbortSignal): Promise<Sandbox>;
  /**
   * Makes the run's copy of the repository if there is none, and copies the provided files beside
   * its trees. Returns the tree of the commit `base`.
   */
  prepare(base: string, provision: Provision, signal: AbortSignal): Promise<Tree>;
  /**
   * The tools of a seat: list, grep, read, edit, write, remove. The protocol adds `tree` to the
   * arguments of each call; a model cannot set `tree`. The `state` of the result is the hash of the
   * new tree.
   */
  readonly tools: Tools;
  /** Returns the hash of a commit's tree. */
  treeOf(commit: string): Promise<string>;
  /**
   * Commits a tree, or refuses it with reasons. Equal wishes give the same commit hash at any time.
   */
  commit(wish: CommitWish, signal: AbortSignal): Promise<CommitAnswer>;
  /**
   * Merges commits in the given order into a commit with the message. A commit that contains all others
   * is returned unchanged.
   */
  join(commits: readonly string[], message: string, signal: AbortSignal): Promise<JoinAnswer>;
  /** Runs a check in a tree. */
  check(wish: CheckWish, signal: AbortSignal): Promise<CheckRun>;
  /** Returns the files that differ between two commits or trees. */
  changes(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /**
   * Returns the changes of the given paths in the format of `git diff`, cut at a maximal length.
   */
  diff(from: string, to: string, paths: readonly string[], signal: AbortSignal): Promise<string>;
  /**
   * Returns the text of a file in the commit or tree `of`; undefined if the file does not exist or
   * is not text.
   */
  text(of: string, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Returns the hash of the tree with one file written, or removed if `text` is undefined. */
  put(tree: string, path: string, text: string | undefined, signal: AbortSignal): Promise<string>;
  /** Runs a coding agent's program in a working tree. */
  execute(wish: ExecuteWish, signal: AbortSignal): Promise<AgentExecution>;
  /**
   * Returns whether the person's branch moved since `base`, and which of the files changed in
   * `commit` have other changes in the checkout.
   */
  look(base: string, commit: string, signal: AbortSignal): Promise<BranchState>;
  /**
   * Delivers the commit to the person's repository. `title` and `body` are those of the pull
   * request.
   */
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
      /** The author of combined commits: the person by git's settings, if these have a name, or this program. */
      readonly author?: 'person' | 'deliberate' | undefined;
    },
    signal: AbortSignal,
  ): Promise<DeliveryResult>;
}

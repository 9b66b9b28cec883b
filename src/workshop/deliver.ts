/**
 * Delivers the work. This is the only code that writes to the person's repository, after their final
 * confirmation. One fetch creates one branch; the person's branch is moved only if none of their changes
 * conflict.
 */
import { join } from 'node:path';
import { findLinkStatus, RefusedFileError } from '../io/text-file.ts';
import type { BranchState, DeliveryResult } from '../kernel/tools/workshop.ts';
import { toLine } from '../text/line.ts';
import { firstLine } from '../tools/root.ts';
import type { Answer } from './ask-git.ts';
import { type Difference, listDifferences } from './changes.ts';
import type { Checkout } from './checkout.ts';
import type { Repository } from './repository.ts';

/**
 * What a delivery needs to know: the run's copy of the repository, the person's checkout, and the
 * branch to create.
 */
export interface Home {
  readonly repository: Repository;
  readonly checkout: Checkout;
  /** The name of the new branch, such as `deliberate-0198f2a1-b2c3`. */
  readonly branch: string;
}

/**
 * Creates a new branch with the work in the person's repository. The checked-out files stay as they
 * are. Changes nothing if the branch exists with this commit already. If it exists with another
 * commit or git fails, the result says why.
 */
export async function deliverBranch(
  { repository, checkout, branch }: Home,
  commit: string,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const ref = `refs/heads/${branch}`;
  const there = await checkout.commitOf(ref, signal);
  if (there === commit) return { done: true, how: 'branch', branch, commit };
  if (there !== undefined)
    return {
      done: false,
      why: `branch ${branch} exists with another commit: ${there.slice(0, 10)}`,
    };
  await repository.keep(`delivered/${commit}`, commit, signal);
  const brought = await checkout.fetch(repository.gitDir, [
    `refs/deliberate/delivered/${commit}:${ref}`,
  ]);
  if (brought.code !== 0) return toRefusal(brought);
  return { done: true, how: 'branch', branch, commit };
}

/**
 * Fast-forwards the person's branch and its checked-out files to the commit. Changes nothing if the
 * branch is at this commit already. Refuses, with a reason, if the person has changed to another
 * branch, has committed since, or has changes to the same files.
 * @param base the commit that the work started from
 */
export async function deliverForward(
  home: Home,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const { repository, checkout } = home;
  const branch = await checkout.branch(signal);
  const wanted = await branchAtStart(repository, signal);
  if (branch === undefined) return { done: false, why: 'HEAD is detached: no branch to move' };
  if (wanted !== undefined && wanted !== branch)
    return {
      done: false,
      why: `the checkout is on ${nameOf(branch)}; the work began on ${nameOf(wanted)}`,
    };
  const done: DeliveryResult = { done: true, how: 'forward', branch: nameOf(branch), commit };
  const head = await checkout.head(signal);
  if (head === commit) return done;
  if (head !== base)
    return { done: false, why: `${nameOf(branch)} has moved on to ${head.slice(0, 10)}` };
  const dirty = await inTheWay(home, base, commit, signal);
  if (dirty.length > 0)
    return {
      done: false,
      why: `changed or untracked in the checkout: ${dirty.map(toLine).join(', ')}`,
    };
  await repository.keep(`delivered/${commit}`, commit, signal);
  const brought = await checkout.fetch(repository.gitDir, [`refs/deliberate/delivered/${commit}`]);
  if (brought.code !== 0) return toRefusal(brought);
  const moved = await checkout.forward(commit);
  return moved.code === 0 ? done : toRefusal(moved);
}

/**
 * Returns the state of the branch that was checked out when the work began (of HEAD if there is no
 * such branch): its commit, whether it has moved on, and the person's changes to files of the work.
 * New commits are fetched into the run's copy, so that they can be merged with the work.
 * @param base the commit that the work started from
 * @param commit the last commit of the work
 */
export async function readBranchState(
  home: Home,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<BranchState> {
  const { repository, checkout } = home;
  const branch = await branchAtStart(repository, signal);
  const tip = branch === undefined ? undefined : await checkout.commitOf(branch, signal);
  const head = tip ?? (await checkout.head(signal));
  if (head !== base) await repository.fetch(checkout.folder, head, signal);
  return { head, moved: head !== base, dirty: await inTheWay(home, base, commit, signal) };
}

/** The remote and branch to which a pull request goes. */
export interface Target {
  /** The person's name for the remote, such as `origin`. */
  readonly name: string;
  /** The address to push to. */
  readonly remote: string;
  /** The branch of the remote that the pull request is to be merged into. */
  readonly onto: string;
}

/**
 * Returns where a pull request goes: to the remote of the branch that the work began on, or to
 * `origin` if none is configured. Returns the reason if there is no such remote.
 */
export async function targetOf(
  { repository, checkout }: Home,
  signal: AbortSignal,
): Promise<Target | { readonly why: string }> {
  const ref = await branchAtStart(repository, signal);
  if (ref === undefined)
    return { why: 'HEAD was detached when the work began: no branch to merge into' };
  const branch = ref.replace(/^refs\/heads\//, '');
  const name = (await checkout.setting(`branch.${branch}.remote`, signal)) ?? 'origin';
  const url = await checkout.call(['remote', 'get-url', '--push', '--', name], { signal });
  if (url.code !== 0) return { why: `no remote ${toLine(name)} to push to` };
  const merge = await checkout.setting(`branch.${branch}.merge`, signal);
  return {
    name,
    remote: url.out.replace(/\n$/, ''),
    onto: (merge ?? ref).replace(/^refs\/heads\//, ''),
  };
}

/**
 * Returns files of the work that are also changed, staged, untracked or ignored in the checkout; sorted.
 */
async function inTheWay(
  { repository, checkout }: Home,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<string[]> {
  const changed = await listDifferences(repository, base, commit, signal);
  const found = new Set<string>();
  const paths = changed.map(({ path }) => path);
  // Check 200 paths at a time, since the length of a command line is limited.
  for (let at = 0; at < paths.length; at += 200)
    for (const { path } of await checkout.status(paths.slice(at, at + 200), true, signal))
      found.add(path);
  for (const difference of changed.filter(isNew)) {
    const blocked = standingAt(checkout.folder, difference.path);
    if (blocked !== undefined) found.add(blocked);
  }
  return [...found].sort();
}

function isNew({ before }: Difference): boolean {
  return before.mode === '000000';
}

/**
 * Returns what exists at the path of a new file or above it: git may ignore such a file and would overwrite
 * it.
 */
function standingAt(folder: string, path: string): string | undefined {
  const parts = path.split('/');
  for (let at = 1; at <= parts.length; at += 1) {
    const part = parts.slice(0, at).join('/');
    const stat = examineSafely(() => findLinkStatus(join(folder, part)));
    if (stat === undefined) return undefined;
    if (stat === 'hidden' || at === parts.length || !stat.isDirectory()) return part;
  }
  return undefined;
}

/** Calls `look`; returns `hidden` for a path that cannot be examined, which then counts as a conflict. */
function examineSafely<T>(look: () => T): T | 'hidden' {
  try {
    return look();
  } catch (error) {
    if (error instanceof RefusedFileError) return 'hidden';
    throw error;
  }
}

/** Returns the branch that was checked out when the copy was made, which is the copy's HEAD. */
async function branchAtStart(
  repository: Repository,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { code, out } = await repository.call(['symbolic-ref', '--quiet', 'HEAD'], { signal });
  return code === 0 ? out.trim() : undefined;
}

function nameOf(ref: string): string {
  return toLine(ref.replace(/^refs\/heads\//, ''));
}

function toRefusal({ err }: Answer): DeliveryResult {
  const why = err.split('\n').find((row) => /^(?:fatal|error): /.test(row)) ?? err;
  return { done: false, why: `git refused: ${toLine(firstLine(why))}` };
}

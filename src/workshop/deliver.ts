/**
 * Brings the work home: the only thing here that writes to the person's repository, after their last yes.
 * One fetch brings one branch; their own branch is moved on only where nothing of theirs is in the way.
 */
import { join } from 'node:path';
import { lookAtLink, Refused } from '../io/text-file.ts';
import type { Delivered, Moved } from '../kernel/tools/workshop.ts';
import { line } from '../text/line.ts';
import { firstLine } from '../tools/root.ts';
import type { Answer } from './ask-git.ts';
import { type Difference, differences } from './changes.ts';
import type { Checkout } from './checkout.ts';
import type { Repository } from './repository.ts';

export interface Home {
  readonly repository: Repository;
  readonly checkout: Checkout;
  /** `deliberate-0198f2a1-b2c3` */
  readonly branch: string;
}

/** A new branch with the work on it; the checkout stays as it is. Can be called again. */
export async function deliverBranch(
  { repository, checkout, branch }: Home,
  commit: string,
  signal: AbortSignal,
): Promise<Delivered> {
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
  if (brought.code !== 0) return refused(brought);
  return { done: true, how: 'branch', branch, commit };
}

/** Moves the person's branch on, with its files. Can be called again. */
export async function deliverForward(
  home: Home,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<Delivered> {
  const { repository, checkout } = home;
  const branch = await checkout.branch(signal);
  const wanted = await branchAtStart(repository, signal);
  if (branch === undefined) return { done: false, why: 'HEAD is detached: no branch to move' };
  if (wanted !== undefined && wanted !== branch)
    return {
      done: false,
      why: `the checkout is on ${nameOf(branch)}; the work began on ${nameOf(wanted)}`,
    };
  const done: Delivered = { done: true, how: 'forward', branch: nameOf(branch), commit };
  const head = await checkout.head(signal);
  if (head === commit) return done;
  if (head !== base)
    return { done: false, why: `${nameOf(branch)} has moved on to ${head.slice(0, 10)}` };
  const dirty = await inTheWay(home, base, commit, signal);
  if (dirty.length > 0)
    return {
      done: false,
      why: `changed or untracked in the checkout: ${dirty.map(line).join(', ')}`,
    };
  await repository.keep(`delivered/${commit}`, commit, signal);
  const brought = await checkout.fetch(repository.gitDir, [`refs/deliberate/delivered/${commit}`]);
  if (brought.code !== 0) return refused(brought);
  const moved = await checkout.forward(commit);
  return moved.code === 0 ? done : refused(moved);
}

/** Where the person's branch is now; what it has by now is brought into the run's copy, to be joined. */
export async function look(
  home: Home,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<Moved> {
  const { repository, checkout } = home;
  const branch = await branchAtStart(repository, signal);
  const tip = branch === undefined ? undefined : await checkout.commitOf(branch, signal);
  const head = tip ?? (await checkout.head(signal));
  if (head !== base) await repository.fetch(checkout.folder, head, signal);
  return { head, moved: head !== base, dirty: await inTheWay(home, base, commit, signal) };
}

/** Where a pull request goes. */
export interface Target {
  /** What the person calls the remote. */
  readonly name: string;
  /** The address that the person pushes to. */
  readonly remote: string;
  /** The branch over there that it is to be merged into. */
  readonly onto: string;
}

/** Where the branch that the work began on is pushed to; `origin` where nobody has said so. */
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
  if (url.code !== 0) return { why: `no remote ${line(name)} to push to` };
  const merge = await checkout.setting(`branch.${branch}.merge`, signal);
  return {
    name,
    remote: url.out.replace(/\n$/, ''),
    onto: (merge ?? ref).replace(/^refs\/heads\//, ''),
  };
}

/** Files of the work that are changed, staged, untracked or ignored in the checkout; sorted. */
async function inTheWay(
  { repository, checkout }: Home,
  base: string,
  commit: string,
  signal: AbortSignal,
): Promise<string[]> {
  const changed = await differences(repository, base, commit, signal);
  const found = new Set<string>();
  const paths = changed.map(({ path }) => path);
  // Some at a time: a command line has an end.
  for (let at = 0; at < paths.length; at += 200)
    for (const { path } of await checkout.status(paths.slice(at, at + 200), true, signal))
      found.add(path);
  for (const one of changed.filter(isNew)) {
    const blocked = standingAt(checkout.folder, one.path);
    if (blocked !== undefined) found.add(blocked);
  }
  return [...found].sort();
}

function isNew({ before }: Difference): boolean {
  return before.mode === '000000';
}

/** What stands where a new file goes, or above it: git may ignore it, and would write over it. */
function standingAt(folder: string, path: string): string | undefined {
  const parts = path.split('/');
  for (let at = 1; at <= parts.length; at += 1) {
    const part = parts.slice(0, at).join('/');
    const stat = safely(() => lookAtLink(join(folder, part)));
    if (stat === undefined) return undefined;
    if (stat === 'hidden' || at === parts.length || !stat.isDirectory()) return part;
  }
  return undefined;
}

/** What nobody may look at is in the way. */
function safely<T>(look: () => T): T | 'hidden' {
  try {
    return look();
  } catch (error) {
    if (error instanceof Refused) return 'hidden';
    throw error;
  }
}

/** The branch that was checked out when the copy was made: its own HEAD says so. */
async function branchAtStart(
  repository: Repository,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { code, out } = await repository.call(['symbolic-ref', '--quiet', 'HEAD'], { signal });
  return code === 0 ? out.trim() : undefined;
}

function nameOf(ref: string): string {
  return line(ref.replace(/^refs\/heads\//, ''));
}

function refused({ err }: Answer): Delivered {
  const why = err.split('\n').find((row) => /^(?:fatal|error): /.test(row)) ?? err;
  return { done: false, why: `git refused: ${line(firstLine(why))}` };
}

/**
 * What commands have beside the committed files: ignored folders such as `node_modules`, files by name,
 * and what a set-up command has made. It is copied once from the person's checkout. In `bwrap` the copy
 * of a folder is bound into each tree, read-only. Elsewhere each tree has a copy of its own, shared by
 * blocks where the file system can: a link would let one check change what all later ones run, and break
 * links that lead from the folder back into the tree.
 */
import { hash } from 'node:crypto';
import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { makeFolder } from '../../io/folders.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { Provision, Sandbox } from '../../kernel/tools/workshop.ts';
import { realPathOf } from '../../platform/real-path.ts';
import { removeFolder } from '../../sandbox/remove-folder.ts';
import type { Bound } from '../../sandbox/sandbox.ts';
import { type Place, providedIn } from './place.ts';
import { inWorkingTree, isFree, listUntracked, type WorkingTree } from './working-tree.ts';

/** Where tools of JavaScript keep what they may lose at any time. */
const SCRATCH: ReadonlyMap<string, readonly string[]> = new Map([
  ['node_modules', ['.cache', '.vite', '.vite-temp']],
]);

const COPY = {
  recursive: true,
  verbatimSymlinks: true,
  preserveTimestamps: true,
  mode: constants.COPYFILE_FICLONE,
  // A socket or a pipe is nothing that can be copied.
  filter: (source: string) => {
    const stat = lstatSync(source);
    return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  },
} as const;

/** Runs the set-up command in a fresh tree; `checks.ts` knows how. Says why it failed, if it did. */
type SetUp = (where: WorkingTree) => Promise<string | undefined>;

/**
 * Makes the copies where they are not there yet. A copy that was cut off is begun anew: it gets its name
 * when it is whole.
 *
 * @throws DeliberateError for a path that is not there or leads elsewhere, and where the set-up fails.
 */
export async function provide(
  place: Place,
  base: string,
  { folders, files, setUp }: Provision,
  runSetUp: SetUp,
  signal: AbortSignal,
): Promise<void> {
  for (const path of [...folders, ...files]) {
    signal.throwIfAborted();
    const to = copyOf(place, path);
    if (existsSync(to)) continue;
    const from = join(place.repository, checked(path));
    if (!existsSync(from))
      throw new DeliberateError('not-provided', `${path}: not in the repository's folder`);
    await whole(place, to, async (part) => {
      // The path itself may be a link; what it means was approved.
      await cp(realPathOf(from), part, COPY);
      if (lstatSync(part).isDirectory())
        for (const name of scratchOf(path)) mkdirSync(join(part, name), { recursive: true });
    });
  }
  const made = setUpIn(place);
  if (setUp === undefined || existsSync(made)) return;
  await inWorkingTree(place, { tree: base }, signal, async (where) => {
    const failed = await runSetUp(where);
    if (failed !== undefined)
      throw new DeliberateError('set-up', `the set-up command failed: ${failed}`);
    const paths = await listUntracked(place, where, signal);
    await whole(place, made, async (part) => {
      for (const path of paths) {
        const to = join(part, FILES, path);
        makeFolder(dirname(to));
        renameSync(join(where.tree, path), to);
        if (lstatSync(to).isDirectory()) addScratch(to);
      }
      makeFolder(part);
      writeFileSync(join(part, PATHS), JSON.stringify(paths));
    });
  });
}

/** Of what a set-up command has made: the list, and the folder that it speaks of. */
const PATHS = 'paths.json';
const FILES = 'files';

function setUpIn(place: Place): string {
  return join(providedIn(place), 'set-up');
}

function madeBySetUp(place: Place): { path: string; from: string }[] {
  const folder = setUpIn(place);
  if (!existsSync(folder))
    throw new DeliberateError('set-up', 'the set-up command has not been run in this copy');
  const paths: unknown = JSON.parse(readFileSync(join(folder, PATHS), 'utf8'));
  return z
    .array(z.string())
    .parse(paths)
    .map((path) => ({ path, from: join(folder, FILES, path) }));
}

/** Where the copy of a path lies: side by side, since one path may lie in another. */
function copyOf(place: Place, path: string): string {
  return join(providedIn(place), `${hash('sha256', path).slice(0, 16)}-${basename(path)}`);
}

/** @throws DeliberateError for what is no path below the repository. */
function checked(path: string): string {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part === '.git'))
    throw new DeliberateError('not-provided', `${path}: expected a path below the repository`);
  return path;
}

function scratchOf(path: string): readonly string[] {
  return SCRATCH.get(basename(path)) ?? [];
}

/** Something is laid over these: it has to be there. */
function addScratch(folder: string): void {
  for (const name of scratchOf(folder)) mkdirSync(join(folder, name), { recursive: true });
}

/** Makes a copy under another name first. */
async function whole(
  place: Place,
  to: string,
  make: (part: string) => Promise<void>,
): Promise<void> {
  makeFolder(providedIn(place));
  const folder = mkdtempSync(join(providedIn(place), 'part-'));
  const part = join(folder, 'copy');
  try {
    await make(part);
    // Another call may have been faster: what it has copied is the same.
    if (!existsSync(to)) renameSync(part, to);
  } finally {
    removeFolder(folder);
  }
}

/** What was put into a tree: to be bound over it, or lying in it. */
export interface Provided {
  readonly bound: readonly Bound[];
  readonly copied: readonly string[];
}

/** Puts what is provided into a tree. What the tree has itself goes before it: that is what is checked. */
export async function putInto(
  place: Place,
  { tree }: WorkingTree,
  { folders, files, setUp }: Provision,
  sandbox: Sandbox,
): Promise<Provided> {
  const made = setUp === undefined ? [] : madeBySetUp(place);
  const wanted = [
    ...[...folders, ...files].map((path) => ({ path, from: copyOf(place, path) })),
    ...made,
  ];
  const bound: Bound[] = [];
  const copied: string[] = [];
  for (const { path, from } of wanted) {
    if (!isFree(tree, checked(path))) continue;
    const to = join(tree, path);
    if (sandbox === 'bwrap' && lstatSync(from).isDirectory()) {
      mkdirSync(to, { recursive: true });
      bound.push({ from, to: path, scratch: scratchOf(path) });
    } else {
      mkdirSync(dirname(to), { recursive: true });
      await cp(from, to, COPY);
    }
    copied.push(path);
  }
  return { bound, copied };
}

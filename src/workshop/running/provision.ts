/**
 * Provides files to commands beside the committed ones: ignored folders such as `node_modules`, named
 * files, and what a set-up command has created. They are copied once from the person's checkout. In `bwrap`
 * the copy of a folder is mounted read-only into each tree. Elsewhere each tree gets its own copy, with
 * shared blocks if the file system supports that: a link would let one check change what later ones run,
 * and would break links from the folder into the tree.
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
import type { BoundFolder } from '../../sandbox/sandbox.ts';
import { providedIn, type RunFolders } from './place.ts';
import { inWorkingTree, isFree, listUntracked, type WorkingTree } from './working-tree.ts';

/** Cache folders of JavaScript tools, whose content may be lost. */
const SCRATCH: ReadonlyMap<string, readonly string[]> = new Map([
  ['node_modules', ['.cache', '.vite', '.vite-temp']],
]);

const COPY = {
  recursive: true,
  verbatimSymlinks: true,
  preserveTimestamps: true,
  mode: constants.COPYFILE_FICLONE,
  // Skip sockets, pipes and devices, which cannot be copied.
  filter: (source: string) => {
    const stat = lstatSync(source);
    return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  },
} as const;

/** Runs the set-up command in a fresh tree. Returns why it failed; undefined if it did not. */
type SetUp = (where: WorkingTree) => Promise<string | undefined>;

/**
 * Copies the folders and files that a person provides for commands, such as `node_modules`, and runs
 * the set-up command in a working tree of the commit `base` to keep the files that it creates. What
 * was done before is not done again. A copy gets its final name only when it is complete, so an
 * interrupted one is made again.
 * @throws DeliberateError for a path that does not exist or leads outside, and if the set-up fails
 */
export async function provideForCommands(
  place: RunFolders,
  base: string,
  { folders, files, setUp }: Provision,
  runSetUp: SetUp,
  signal: AbortSignal,
): Promise<void> {
  for (const path of [...folders, ...files]) {
    signal.throwIfAborted();
    const to = copyOf(place, path);
    if (existsSync(to)) continue;
    const from = join(place.repository, checkPath(path));
    if (!existsSync(from))
      throw new DeliberateError('not-provided', `${path}: not in the repository's folder`);
    await makeWhole(place, to, async (part) => {
      // A path that a person provides may be a link. Who approves a link approves its target, so copy the target.
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
    await makeWhole(place, made, async (part) => {
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

/** The name of the file that lists the paths which a set-up command created. */
const PATHS = 'paths.json';
/** The name of the folder with the files that a set-up command created. */
const FILES = 'files';

function setUpIn(place: RunFolders): string {
  return join(providedIn(place), 'set-up');
}

function madeBySetUp(place: RunFolders): { path: string; from: string }[] {
  const folder = setUpIn(place);
  if (!existsSync(folder))
    throw new DeliberateError('set-up', 'the set-up command has not been run in this copy');
  const paths: unknown = JSON.parse(readFileSync(join(folder, PATHS), 'utf8'));
  return z
    .array(z.string())
    .parse(paths)
    .map((path) => ({ path, from: join(folder, FILES, path) }));
}

/** Returns the path of a copy. Copies are siblings, since one path may be inside another. */
function copyOf(place: RunFolders, path: string): string {
  return join(providedIn(place), `${hash('sha256', path).slice(0, 16)}-${basename(path)}`);
}

/** Returns the path. @throws DeliberateError if it is not a path below the repository */
function checkPath(path: string): string {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part === '.git'))
    throw new DeliberateError('not-provided', `${path}: expected a path below the repository`);
  return path;
}

function scratchOf(path: string): readonly string[] {
  return SCRATCH.get(basename(path)) ?? [];
}

/** Creates the folders that are mount points. */
function addScratch(folder: string): void {
  for (const name of scratchOf(folder)) mkdirSync(join(folder, name), { recursive: true });
}

/** Makes a copy under a temporary name and then renames it. */
async function makeWhole(
  place: RunFolders,
  to: string,
  make: (part: string) => Promise<void>,
): Promise<void> {
  makeFolder(providedIn(place));
  const folder = mkdtempSync(join(providedIn(place), 'part-'));
  const part = join(folder, 'copy');
  try {
    await make(part);
    // If another call has meanwhile copied the same provided files, keep the copy of that call.
    if (!existsSync(to)) renameSync(part, to);
  } finally {
    removeFolder(folder);
  }
}

/**
 * The files that a person provides for commands and that are not in git, after they were put into a
 * working tree.
 */
export interface ProvidedFiles {
  /** The folders that the sandbox has to mount over the tree, read-only. */
  readonly bound: readonly BoundFolder[];
  /** The paths of all provided files and folders in the tree, both mounted and copied ones. */
  readonly copied: readonly string[];
}

/**
 * Puts the provided files, and those that the set-up command created, into a working tree. Files of
 * the tree itself are not replaced, because they are what is checked.
 */
export async function putProvidedInto(
  place: RunFolders,
  { tree }: WorkingTree,
  { folders, files, setUp }: Provision,
  sandbox: Sandbox,
): Promise<ProvidedFiles> {
  const made = setUp === undefined ? [] : madeBySetUp(place);
  const wanted = [
    ...[...folders, ...files].map((path) => ({ path, from: copyOf(place, path) })),
    ...made,
  ];
  const bound: BoundFolder[] = [];
  const copied: string[] = [];
  for (const { path, from } of wanted) {
    if (!isFree(tree, checkPath(path))) continue;
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

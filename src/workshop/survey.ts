/**
 * Examines the person's checkout without writing to it: tracked files, checks, parts that the team does not
 * see, and parts that are never run or fetched.
 */
import { constants } from 'node:fs';
import { access, lstat, opendir, readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { errorCode } from '../io/text-file.ts';
import type { Env } from '../io/tools.ts';
import type { Sandbox, Survey } from '../kernel/tools/workshop.ts';
import { matchesGlob } from '../text/globs.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { splitAtZeros } from './ask-git.ts';
import type { Checkout } from './checkout.ts';
import { addMissingPrograms } from './toolchains/installed.ts';
import { globsOf, neededFolders } from './toolchains/load.ts';
import type { Toolchains } from './toolchains/schema.ts';
import { suggestChecks } from './toolchains/suggest.ts';

/** The most paths for the prompt of a plan; of the rest only the number is given. */
const MOST_PATHS = 2_000;
/**
 * The most uncommitted files, and the most ignored files, that are listed. If there are more, they
 * are mostly in a folder that git should ignore.
 */
const MOST_LISTED = 500;
/** The most files that are counted for a folder's size. */
const MOST_COUNTED = 200_000;
/** The largest file in bytes that is read for checks. */
const MOST_TEXT = 1024 * 1024;

/** Ignored files that are not needed. */
const LITTER =
  /(?:\.(?:log|pyc|pyo|swp|swo|tmp|bak|orig|rej|tsbuildinfo|o|a|so|class|lcov|pid|sock)|~|(?:^|\/)(?:\.DS_Store|Thumbs\.db|\.eslintcache|\.coverage))$/i;

/** Cache folders that contain a .gitignore of their own: git lists their files one by one. */
const CACHE = /(?:^|\/)(?:\.(?:pytest|ruff|mypy)_cache|\.hypothesis|\.tox|\.nox|__pycache__)\//;

/** The machine's properties that a survey needs. */
interface Surveying {
  readonly env: Env;
  readonly sandbox: Sandbox;
  readonly toolchains: Toolchains;
}

/** Examines the person's checkout without writing to it: its commit, files and suggested checks. */
export async function surveyCheckout(
  checkout: Checkout,
  { env, sandbox, toolchains }: Surveying,
  signal: AbortSignal,
): Promise<Survey> {
  const base = await checkout.head(signal);
  const branch = (await checkout.branch(signal))?.replace(/^refs\/heads\//, '');
  const tracked = await treeOf(checkout, base, signal);
  const paths = tracked.map(({ path }) => path).sort();
  const blobs = new Set(tracked.flatMap(({ path, type }) => (type === 'blob' ? [path] : [])));
  const readTracked = (path: string): Promise<string | undefined> =>
    blobs.has(path) ? textOf(checkout, base, path, signal) : Promise.resolve(undefined);
  const suggested = await suggestChecks([...blobs].sort(), readTracked, toolchains);
  const status = await checkout.status([], false, signal);
  const isUntracked = (state: string): boolean => state === '??';
  return {
    base,
    ...withoutUndefined({ branch }),
    files: tracked.length,
    paths: paths.slice(0, MOST_PATHS),
    checks: await addMissingPrograms(suggested, checkout.folder, env, signal),
    tests: globsOf(toolchains, 'tests').filter((glob) =>
      paths.some((path) => matchesGlob(path, [glob])),
    ),
    guarded: [...globsOf(toolchains, 'guarded')],
    ignored: await ignoredIn(checkout, neededFolders(toolchains), signal),
    uncommitted: pathsOf(status.filter(({ state }) => !isUntracked(state))),
    untracked: pathsOf(status.filter(({ state }) => isUntracked(state))),
    hooks: await hooksOf(checkout, signal),
    submodules: tracked.filter(({ type }) => type === 'commit').map(({ path }) => path),
    lfs: await lfsIn(checkout, paths, signal),
    sandbox,
  };
}

function pathsOf(rows: readonly { readonly path: string }[]): string[] {
  return rows
    .map(({ path }) => path)
    .sort()
    .slice(0, MOST_LISTED);
}

async function treeOf(
  checkout: Checkout,
  base: string,
  signal: AbortSignal,
): Promise<{ readonly type: string; readonly path: string }[]> {
  const { out } = await checkout.ask(['ls-tree', '-r', '-z', '--full-tree', base], { signal });
  return splitAtZeros(out).map((row) => ({
    type: row.split(' ', 2)[1] ?? '',
    path: row.slice(row.indexOf('\t') + 1),
  }));
}

/** Returns a file of the base commit; uncommitted changes have no influence. */
async function textOf(
  checkout: Checkout,
  base: string,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { code, out } = await checkout.call(['cat-file', 'blob', `${base}:${name}`], { signal });
  return code === 0 && out.length <= MOST_TEXT ? out : undefined;
}

/**
 * Returns ignored folders that checks need, and single ignored files that may be settings, with their
 * sizes.
 */
async function ignoredIn(
  checkout: Checkout,
  needed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Survey['ignored']> {
  const { out } = await checkout.ask(
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
    { signal },
  );
  const wanted = splitAtZeros(out)
    .filter((path) =>
      path.endsWith('/') ? needed.has(basename(path)) : !LITTER.test(path) && !CACHE.test(path),
    )
    .slice(0, MOST_LISTED)
    .map((path) => path.replace(/\/$/, ''));
  const found: { path: string; bytes: number }[] = [];
  for (const path of wanted.sort()) {
    signal.throwIfAborted();
    found.push({ path, bytes: await sizeOf(join(checkout.folder, path)) });
  }
  return found;
}

/** Returns the size of a path's files without following links; unreadable ones count as 0. */
async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  let files = 0;
  const open = [path];
  for (let folder = open.pop(); folder !== undefined && files < MOST_COUNTED; folder = open.pop())
    try {
      const stat = await lstat(folder);
      files += 1;
      bytes += stat.isFile() ? stat.size : 0;
      if (stat.isDirectory())
        for await (const entry of await opendir(folder)) open.push(join(folder, entry.name));
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
    }
  return bytes;
}

/** Returns the hooks that git would run. */
async function hooksOf(checkout: Checkout, signal: AbortSignal): Promise<string[]> {
  const folder = await checkout.hooksFolder(signal);
  const setting = await checkout.setting('core.hooksPath', signal);
  const inside = relative(checkout.folder, folder).split(sep).join('/');
  const where = setting === undefined ? '' : `${inside.startsWith('..') ? folder : inside}/`;
  const found: string[] = [];
  for (const name of await namesIn(folder))
    if (!name.endsWith('.sample') && (await isProgram(join(folder, name))))
      found.push(`${where}${name}`);
  return found.sort();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // An error with a code means that the folder does not exist or cannot be read.
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return !(await lstat(file)).isDirectory();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Returns files that are LFS pointers: the team sees the pointers, not the content. */
async function lfsIn(
  checkout: Checkout,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { out } = await checkout.ask(['check-attr', '-z', '--stdin', 'filter'], {
    signal,
    input: paths.map((path) => `${path}\0`).join(''),
  });
  const fields = out.split('\0');
  const found: string[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (fields[at + 2] === 'lfs') found.push(fields[at] ?? '');
  return found;
}

/**
 * Finds and reads presets, which are files that people copy and edit. A kind of preset has a folder, a file
 * extension, and a reader; a preset's slug is its file's name. Of several files with one slug the nearest
 * wins: the project's, then the person's, then the one that comes with the program. A file that cannot be
 * read is not replaced by the next one, so that nobody gets another preset than the one they wrote.
 */

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { homeOf } from '../platform/folders.ts';
import { toPortablePath } from '../platform/names.ts';
import { toLine } from '../text/line.ts';
import { formatSuggestion } from '../text/nearest.ts';
import { BUILT_IN, configFolder, workingFolder } from './files.ts';
import type { Env, Streams } from './surroundings.ts';
import {
  errorCode,
  explainCode,
  findLinkStatus,
  RefusedFileError,
  readTextFile,
} from './text-file.ts';
import { findUnseenLines } from './unseen-lines.ts';
import { BadFile } from './yaml-file.ts';

/** The largest preset in bytes. */
const LARGEST = 256 * 1024;

type Origin = 'project' | 'user' | 'built-in';

/** The content of a preset file, and where the file was found. */
export interface Source {
  readonly file: string;
  readonly text: string;
  /** The file's name without its extension. */
  readonly slug: string;
  /** Whether the preset comes with the program, is the person's own, or belongs to the project. */
  readonly origin: Origin;
  readonly env: Env;
}

/** A kind of presets, such as roles: where its files are and how they are read. */
export interface PresetKind<T> {
  /** The name of the kind in messages: "preset board". */
  readonly noun: string;
  /** The folder's name within each folder of presets. */
  readonly folder: string;
  /** The extension of the files, with its dot. */
  readonly ending: string;
  /**
   * Parses a file.
   *
   * @throws BadFile if the content is wrong
   */
  readonly read: (source: Source) => T;
}

/** A preset, and where it was found. */
export interface FoundPreset<T> {
  /** The file's name without its extension. */
  readonly slug: string;
  /** Whether the preset comes with the program, is the person's own, or belongs to the project. */
  readonly origin: Origin;
  readonly file: string;
  readonly value: T;
}

/** All presets of a kind, and the problems of those that cannot be read. */
interface PresetCatalog<T> {
  readonly presets: readonly FoundPreset<T>[];
  readonly problems: readonly string[];
}

/** Returns the nearest file of each slug. Files whose names are no slugs are listed as problems. */
function filesOf<T>(
  kind: PresetKind<T>,
  env: Env,
  project?: string,
): { files: Map<string, { origin: Origin; file: string }>; problems: string[] } {
  const files = new Map<string, { origin: Origin; file: string }>();
  const problems: string[] = [];
  for (const { origin, folder } of presetFolders(kind, env, project)) {
    let names: string[] = [];
    try {
      refuseLinks(origin, folder);
      names = readdirSync(folder).sort();
    } catch (error) {
      if (error instanceof RefusedFileError) problems.push(error.message);
      else if (errorCode(error) !== 'ENOENT')
        problems.push(`${folder}: ${explainCode(errorCode(error))}`);
    }
    for (const name of names) {
      const file = join(folder, name);
      if (name.startsWith('.')) continue;
      if (kind.ending === '.yaml' && name.endsWith('.yml'))
        problems.push(`${file}: expected a name ending in .yaml`);
      if (!name.endsWith(kind.ending)) continue;
      const slug = name.slice(0, -kind.ending.length);
      if (!isSlug(slug))
        problems.push(`${file}: expected a name of letters, digits, - and _ before ${kind.ending}`);
      else if (!files.has(slug)) files.set(slug, { origin, file });
    }
  }
  return { files, problems };
}

/**
 * Returns every preset of a kind, sorted by slug, and the problems of files that are misnamed or cannot be
 * read. Of several presets with one slug, only the project's, else the person's own, is returned.
 *
 * @param project a folder of the project whose presets are listed; default: the current folder
 */
export function listPresets<T>(kind: PresetKind<T>, env: Env, project?: string): PresetCatalog<T> {
  const { files, problems } = filesOf(kind, env, project);
  const presets: FoundPreset<T>[] = [];
  for (const [slug, { origin, file }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    try {
      presets.push({ slug, origin, file, value: readFound(kind, { slug, origin, file }, env) });
    } catch (error) {
      if (!(error instanceof DeliberateError)) throw error;
      problems.push(...(error instanceof BadFile ? error.problems : [error.message]));
    }
  return { presets, problems };
}

/**
 * Returns a warning, as `file:line: …`, for each line with invisible characters which the sanitiser
 * removes, in the presets of a kind; at most five for each file. Files that cannot be read are skipped.
 */
export function findUnseenInPresets<T>(kind: PresetKind<T>, env: Env): string[] {
  return [...filesOf(kind, env).files.values()].flatMap(({ file }) => {
    try {
      const text = readTextFile(file, { most: LARGEST, links: false }) ?? '';
      return findUnseenLines(text).map(
        (warning) => `${file}:${warning.line}: warning: ${warning.words}`,
      );
    } catch (error) {
      if (!(error instanceof RefusedFileError)) throw error;
      return [];
    }
  });
}

/** Lists the slugs of all presets of a kind, sorted. Does not read the files. */
export function listSlugs<T>(kind: PresetKind<T>, env: Env): string[] {
  return [...filesOf(kind, env).files.keys()].sort();
}

/**
 * Reads a preset. If several files have the slug, the project's comes before the person's own, and the
 * program's comes last.
 *
 * @throws UsageError that lists the existing presets if there is none with the slug; BadFile, with file, line
 * and what was expected, if the content is wrong; RefusedFileError if the file must not or cannot be read
 */
export function readPreset<T>(kind: PresetKind<T>, slug: string, env: Env): T {
  return findPreset(kind, slug, env).value;
}

/** The caller of `loadPreset`, to whose standard error the notice is written. */
interface Caller extends Pick<Streams, 'err'> {
  readonly env: Env;
  readonly flags: { readonly quiet: boolean };
}

/**
 * Reads a preset for a run. Without `--quiet`, writes a notice to standard error if the preset comes
 * from the project, because its author may be a stranger.
 *
 * @throws as `readPreset` does
 */
export function loadPreset<T>(kind: PresetKind<T>, slug: string, call: Caller): T {
  const { origin, file, value } = findPreset(kind, slug, call.env);
  if (origin === 'project' && !call.flags.quiet)
    call.err.write(`${toLine(`the ${kind.noun} ${slug} comes from this project: ${file}`)}\n`);
  return value;
}

/**
 * Reads a preset, and returns also where its file was found.
 *
 * @param from the only place to search: presets of the `project`, the `user` or the program (`built-in`);
 *   default: all three, in this order
 * @throws as `readPreset` does
 */
export function findPreset<T>(
  kind: PresetKind<T>,
  slug: string,
  env: Env,
  from?: Origin,
): FoundPreset<T> {
  for (const { origin, folder } of isSlug(slug) ? presetFolders(kind, env) : []) {
    if (from !== undefined && origin !== from) continue;
    const file = join(folder, `${slug}${kind.ending}`);
    if (!isThere(file)) continue;
    refuseLinks(origin, folder);
    return { slug, origin, file, value: readFound(kind, { slug, origin, file }, env) };
  }
  const slugs = listSlugs(kind, env);
  throw new UsageError(
    `there is no ${kind.noun} "${slug}"`,
    `${formatSuggestion(slug, slugs)}Available: ${slugs.join(', ')}.`,
  );
}

/** Returns whether a preset with this slug exists, even if its file cannot be read. */
export function hasPreset<T>(kind: PresetKind<T>, slug: string, env: Env): boolean {
  return (
    isSlug(slug) &&
    presetFolders(kind, env).some(({ folder }) => isThere(join(folder, `${slug}${kind.ending}`)))
  );
}

function readFound<T>(kind: PresetKind<T>, found: Omit<FoundPreset<T>, 'value'>, env: Env): T {
  const text = readTextFile(found.file, { most: LARGEST, links: false });
  if (text === undefined) throw new RefusedFileError(found.file, 'no such file');
  return kind.read({ ...found, text, env });
}

/** Returns the folders of a kind, the nearest first. */
function presetFolders<T>(
  { folder }: PresetKind<T>,
  env: Env,
  from?: string,
): { origin: Origin; folder: string }[] {
  const project = projectFolder(env, from);
  return [
    ...(project === undefined
      ? []
      : [{ origin: 'project' as const, folder: join(project, folder) }]),
    { origin: 'user', folder: join(configFolder(env), folder) },
    { origin: 'built-in', folder: join(BUILT_IN, folder) },
  ];
}

/**
 * Refuses a folder of a project's presets if the folder itself or the folder above it is a symbolic link,
 * because the project may come from a stranger. Folders of other origins are accepted.
 *
 * @throws RefusedFileError that names the link
 */
export function refuseLinks(origin: Origin, folder: string): void {
  if (origin !== 'project') return;
  for (const path of [dirname(folder), folder])
    if (findLinkStatus(path)?.isSymbolicLink())
      throw new RefusedFileError(
        path,
        'is a link; files of a project must be in the folder itself',
      );
}

/**
 * Returns the path of the project's `.deliberate` folder, or undefined if there is none. The folder
 * is looked for in `from` and then in the folders above, up to the root of the repository, but at most
 * to the last folder below the home folder. If `from` is neither in a repository nor below the home
 * folder, only `from` itself is searched.
 */
export function projectFolder(env: Env, from: string = workingFolder()): string | undefined {
  return parentFolders(env, from)
    .map((folder) => join(folder, '.deliberate'))
    .find(isThere);
}

/**
 * Returns the path at which a project's `.deliberate` folder, which holds its presets, is to be created: at
 * the root of the repository, or outside of repositories in `from`. For a folder below the home folder, a
 * repository in the home folder or above does not count. Creates nothing.
 *
 * @param from the folder to start from; default: the current folder
 */
export function newProjectFolder(env: Env, from: string = workingFolder()): string {
  const root = parentFolders(env, from).find((folder) => existsSync(join(folder, '.git')));
  return join(root ?? from, '.deliberate');
}

function parentFolders(env: Env, from: string): string[] {
  const home = homeOf(env);
  const found: string[] = [];
  for (let folder = from; folder !== home || found.length === 0; folder = dirname(folder)) {
    found.push(folder);
    if (existsSync(join(folder, '.git'))) return found;
    if (dirname(folder) === folder) return [from];
  }
  return found;
}

function isThere(file: string): boolean {
  return findLinkStatus(file) !== undefined;
}

/**
 * Converts a preset's name to a slug: `senior-editor` for "Senior Éditor". Returns undefined if the
 * name, without accents, has none of the characters a to z, A to Z and 0 to 9.
 */
export function toSlug(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : toPortablePath(slug);
}

/** Returns the path at which a person's own preset with this slug is stored. */
export function ownPresetFile<T>(
  { folder, ending }: PresetKind<T>,
  slug: string,
  env: Env,
): string {
  return join(configFolder(env), folder, `${slug}${ending}`);
}

/**
 * Returns where the preset with this slug was found, even if its file cannot be read. Undefined if
 * there is none.
 */
export function locatePreset<T>(
  kind: PresetKind<T>,
  slug: string,
  env: Env,
): { readonly origin: Origin; readonly file: string } | undefined {
  return presetFolders(kind, env)
    .map(({ origin, folder }) => ({ origin, file: join(folder, `${slug}${kind.ending}`) }))
    .find(({ file }) => isThere(file));
}

/** Returns whether a text can be a preset's slug: 1 to 100 Latin letters, digits, hyphens and underscores. */
export function isSlug(slug: string): boolean {
  return /^[\w-]{1,100}$/.test(slug);
}

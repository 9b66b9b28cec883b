/**
 * Presets are files that people copy and edit. A kind of preset is a folder, an ending, and a reader;
 * a preset's slug is its file's name. The nearest file of a slug wins: the project's, then the
 * person's, then the one that comes with the program. One that cannot be read keeps its place, so that
 * nobody is served another than the one they wrote.
 */

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { homeOf } from '../platform/folders.ts';
import { portable } from '../platform/names.ts';
import { line } from '../text/line.ts';
import { meant } from '../text/nearest.ts';
import { BUILT_IN, configFolder, workingFolder } from './files.ts';
import type { Env, Streams } from './surroundings.ts';
import { codeOf, lookAtLink, Refused, textOf, whyNot } from './text-file.ts';
import { unseenLines } from './unseen-lines.ts';
import { BadFile } from './yaml-file.ts';

/** No preset is as long as this: what is, is something else. */
const LARGEST = 256 * 1024;

type Origin = 'project' | 'user' | 'built-in';

/** A file as its kind's reader gets it. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly slug: string;
  readonly origin: Origin;
  readonly env: Env;
}

export interface PresetKind<T> {
  /** As errors call it: "preset board". */
  readonly noun: string;
  readonly folder: string;
  readonly ending: string;
  /** @throws BadFile */
  readonly read: (source: Source) => T;
}

/** A preset, and where it comes from. */
export interface FoundPreset<T> {
  readonly slug: string;
  readonly origin: Origin;
  readonly file: string;
  readonly value: T;
}

/** All there is of a kind, by slug, and what is wrong with those that cannot be read. */
interface PresetCatalog<T> {
  readonly presets: readonly FoundPreset<T>[];
  readonly problems: readonly string[];
}

/** The preset files of a kind: of every slug the nearest. Files that no slug can name are problems. */
function filesOf<T>(
  kind: PresetKind<T>,
  env: Env,
  project?: string,
): { files: Map<string, { origin: Origin; file: string }>; problems: string[] } {
  const files = new Map<string, { origin: Origin; file: string }>();
  const problems: string[] = [];
  for (const { origin, folder } of places(kind, env, project)) {
    let names: string[] = [];
    try {
      refuseLinks(origin, folder);
      names = readdirSync(folder).sort();
    } catch (error) {
      if (error instanceof Refused) problems.push(error.message);
      else if (codeOf(error) !== 'ENOENT') problems.push(`${folder}: ${whyNot(codeOf(error))}`);
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

/** Every preset of a kind, in the order of their slugs. `project`: a folder of it, if not the current one. */
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

/** Where the files of a kind have characters that nobody sees; those that cannot be read are told of elsewhere. */
export function unseenInPresets<T>(kind: PresetKind<T>, env: Env): string[] {
  return [...filesOf(kind, env).files.values()].flatMap(({ file }) => {
    try {
      const text = textOf(file, { most: LARGEST, links: false }) ?? '';
      return unseenLines(text).map((one) => `${file}:${one.line}: warning: ${one.words}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [];
    }
  });
}

/** The slugs there are of a kind, without reading any file. */
export function slugsOf<T>(kind: PresetKind<T>, env: Env): string[] {
  return [...filesOf(kind, env).files.keys()].sort();
}

/**
 * The nearest preset of that slug.
 *
 * @throws UsageError listing those there are; BadFile with file, line and expectation.
 */
export function readPreset<T>(kind: PresetKind<T>, slug: string, env: Env): T {
  return findPreset(kind, slug, env).value;
}

/**
 * The same for a run. What a project brings along may name models and says what seats are told: that
 * it was the project's is said on standard error.
 */
/** Who takes a preset, and is told where it comes from. */
interface Caller extends Pick<Streams, 'err'> {
  readonly env: Env;
  readonly flags: { readonly quiet: boolean };
}

export function loadPreset<T>(kind: PresetKind<T>, slug: string, call: Caller): T {
  const { origin, file, value } = findPreset(kind, slug, call.env);
  if (origin === 'project' && !call.flags.quiet)
    call.err.write(`${line(`the ${kind.noun} ${slug} comes from this project: ${file}`)}\n`);
  return value;
}

/** The same, with where it comes from. `from`: only from there. */
export function findPreset<T>(
  kind: PresetKind<T>,
  slug: string,
  env: Env,
  from?: Origin,
): FoundPreset<T> {
  for (const { origin, folder } of isSlug(slug) ? places(kind, env) : []) {
    if (from !== undefined && origin !== from) continue;
    const file = join(folder, `${slug}${kind.ending}`);
    if (!isThere(file)) continue;
    refuseLinks(origin, folder);
    return { slug, origin, file, value: readFound(kind, { slug, origin, file }, env) };
  }
  const slugs = slugsOf(kind, env);
  throw new UsageError(
    `there is no ${kind.noun} "${slug}"`,
    `${meant(slug, slugs)}Available: ${slugs.join(', ')}.`,
  );
}

/** Whether a slug names a file, readable or not. */
export function hasPreset<T>(kind: PresetKind<T>, slug: string, env: Env): boolean {
  return (
    isSlug(slug) &&
    places(kind, env).some(({ folder }) => isThere(join(folder, `${slug}${kind.ending}`)))
  );
}

function readFound<T>(kind: PresetKind<T>, found: Omit<FoundPreset<T>, 'value'>, env: Env): T {
  const text = textOf(found.file, { most: LARGEST, links: false });
  if (text === undefined) throw new Refused(found.file, 'no such file');
  return kind.read({ ...found, text, env });
}

/** Where presets of a kind lie, the nearest first. */
function places<T>(
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
 * A person may link their own folders to wherever they keep them; a project's files are somebody else's.
 *
 * @throws Refused
 */
export function refuseLinks(origin: Origin, folder: string): void {
  if (origin !== 'project') return;
  for (const one of [dirname(folder), folder])
    if (lookAtLink(one)?.isSymbolicLink())
      throw new Refused(one, 'is a link; files of a project must be in the folder itself');
}

/**
 * The project's own folder: the nearest `.deliberate`, from the current folder up to the root of its
 * repository, or to below the home folder. Where there is neither, only the current folder counts: what
 * lies further up could be anybody's.
 */
export function projectFolder(env: Env, from: string = workingFolder()): string | undefined {
  return ways(env, from)
    .map((folder) => join(folder, '.deliberate'))
    .find(isThere);
}

/** Where a project that has no such folder yet gets one: at the root of its repository, else here. */
export function newProjectFolder(env: Env, from: string = workingFolder()): string {
  const root = ways(env, from).find((folder) => existsSync(join(folder, '.git')));
  return join(root ?? from, '.deliberate');
}

function ways(env: Env, from: string): string[] {
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
  return lookAtLink(file) !== undefined;
}

/**
 * Returns the slug for a preset of this name, such as `senior-editor` for "Senior Éditor"; undefined where
 * the name has no Latin letter and no digit to make one of.
 */
export function slugFor(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : portable(slug);
}

/** Returns where a preset of the person's own has its file. */
export function ownPresetFile<T>(
  { folder, ending }: PresetKind<T>,
  slug: string,
  env: Env,
): string {
  return join(configFolder(env), folder, `${slug}${ending}`);
}

/** Returns the origin and file of the nearest preset of that slug, readable or not. */
export function locatePreset<T>(
  kind: PresetKind<T>,
  slug: string,
  env: Env,
): { readonly origin: Origin; readonly file: string } | undefined {
  return places(kind, env)
    .map(({ origin, folder }) => ({ origin, file: join(folder, `${slug}${kind.ending}`) }))
    .find(({ file }) => isThere(file));
}

/** Returns whether a preset can be called this. No slug is a path: it cannot lead out of its folder. */
export function isSlug(slug: string): boolean {
  return /^[\w-]{1,100}$/.test(slug);
}

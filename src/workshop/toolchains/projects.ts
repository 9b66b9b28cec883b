/** Finds the projects of a repository: folders that a toolchain recognizes by their files. Pure. */
import { matchesGlob } from '../../text/globs.ts';
import type { Toolchain } from './schema.ts';

/** The most projects of one toolchain; for more, a person must name the checks. */
const MOST_PROJECTS = 12;

/** Folders whose projects are third-party or examples. */
const FOREIGN = new Set([
  ...['node_modules', 'vendor', 'third_party', 'testdata', 'fixtures', '__fixtures__', 'templates'],
  ...['test', 'tests', 'spec', '__tests__', 'example', 'examples'],
]);
/** Folders of tests within a project. */
const TESTS = new Set(['test', 'tests', 'spec', '__tests__']);

/** A project of one toolchain within a repository. */
export interface Project {
  /** The folder; empty for the root. */
  readonly folder: string;
  /** The paths of its files, relative to the folder. Files of nested projects are left out. */
  readonly paths: readonly string[];
}

/** Finds the projects of a toolchain among the paths of a repository: at most 12, the least nested first. */
export function findProjects(toolchain: Toolchain, paths: readonly string[]): Project[] {
  const marked = [
    ...new Set(
      paths
        .filter((path) => matchesGlob(nameOf(path), toolchain.marks))
        .map((path) => folderOf(path)),
    ),
  ].filter((folder) => !folder.split('/').some(isForeign));
  const folders =
    marked.length > 0
      ? marked.sort((left, right) => depthOf(left) - depthOf(right) || (left < right ? -1 : 1))
      : findUnmarked(toolchain, paths);
  const own =
    toolchain.nested === 'own'
      ? folders
      : folders.filter((folder) => !folders.some((other) => isWithin(folder, other)));
  return own.slice(0, MOST_PROJECTS).map((folder) => ({
    folder,
    paths: paths
      .filter((path) => folder === '' || path.startsWith(`${folder}/`))
      .filter(
        (path) => !own.some((other) => isWithin(other, folder) && path.startsWith(`${other}/`)),
      )
      .map((path) => (folder === '' ? path : path.slice(folder.length + 1))),
  }));
}

/** Returns the common folder of files that make a project without a marker file, above its test folders. */
function findUnmarked({ unmarked: globs }: Toolchain, paths: readonly string[]): string[] {
  const found = paths
    .filter((path) => matchesGlob(path, globs))
    .map((path) => folderOf(path).split('/'));
  const [first, ...more] = found;
  if (first === undefined) return [];
  const same = first.findIndex((name, index) => more.some((names) => names[index] !== name));
  const shared = same < 0 ? first : first.slice(0, same);
  while (TESTS.has(shared.at(-1) ?? '')) shared.pop();
  return shared.some(isForeign) ? [''] : [shared.join('/')];
}

function isForeign(name: string): boolean {
  return FOREIGN.has(name) || (name.startsWith('.') && name !== '');
}

/** Returns whether a folder is strictly inside another. */
function isWithin(folder: string, other: string): boolean {
  return folder !== other && (other === '' || folder.startsWith(`${other}/`));
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

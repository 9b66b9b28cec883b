/**
 * Lists the documents in a folder: without ignored files, links, hidden files, and files that are no
 * documents by name.
 */
import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { listByGit, listIgnoredByGit } from '../io/git-files.ts';
import { errorCode, explainCode, findStatus } from '../io/text-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { isDocument } from './document.ts';

/**
 * The largest text or Markdown file in bytes that is indexed. A larger one is likely a dump of data.
 * PDF and office files have a limit of their own, `MOST_DOCUMENT_BYTES`.
 */
export const LARGEST_DOCUMENT = 2 * 1024 * 1024;
/** The most files that are listed, in case a home folder is named by mistake. */
const MOST_FILES = 50_000;

/** A file or folder that was not indexed, and the reason: a clause that follows the path in a message. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/**
 * A file with the time of its last change, in milliseconds since the epoch, and its size in bytes.
 */
export interface FoundFile {
  readonly path: string;
  readonly mtime: number;
  readonly size: number;
}

interface Listing {
  readonly files: readonly FoundFile[];
  readonly leftOut: readonly LeftOut[];
  /** The number of files that are no documents by name. */
  readonly others: number;
  /** True if there is a .gitignore but git cannot apply it, so that everything was listed. */
  readonly unignored?: true;
}

/**
 * Returns a path in the form that the index uses: relative to the project's folder, or absolute if
 * it is outside.
 */
export function pathIn(project: string, file: string): string {
  const path = relative(project, resolve(project, file));
  const isOutside = path.split(sep)[0] === '..' || isAbsolute(path);
  return isOutside ? resolve(project, file) : path.split(sep).join('/') || '.';
}

/**
 * Returns whether `path` is `root` itself or is below `root`, both in the form of `pathIn`. The root
 * `.` is the project's folder, which contains every relative path.
 */
export function isBelow(path: string, root: string): boolean {
  return root === '.' ? !isAbsolute(path) : path === root || path.startsWith(`${root}/`);
}

/**
 * Lists the documents (files that `isDocument` accepts) below the folder `root`, or the file `root`
 * itself. In a folder, skips links, hidden files, `node_modules` and what git ignores. If git cannot
 * answer, or ignores the folder itself, files that git ignores are listed too. Returns undefined if
 * `root` does not exist.
 * @throws DeliberateError if there are more than 50,000 documents
 */
export function listDocuments(project: string, root: string): Listing | undefined {
  const top = resolve(project, root);
  const stat = findStatus(top);
  if (stat === undefined) return undefined;
  const files: FoundFile[] = [];
  const leftOut: LeftOut[] = [];
  let others = 0;
  let unignored = existsSync(resolve(project, '.gitignore'));
  const addFile = (path: string, found: Stats): void => {
    if (files.length >= MOST_FILES)
      throw new DeliberateError(
        'too-many-documents',
        `${root} has more than ${MOST_FILES} documents`,
        'Name the folders that matter.',
      );
    if (found.isSymbolicLink()) leftOut.push({ path, why: 'it is a link' });
    else if (!found.isFile()) leftOut.push({ path, why: explainCode('ENXIO') });
    else files.push({ path, mtime: found.mtimeMs, size: found.size });
  };
  const walkFolder = (folder: string): void => {
    for (const entry of entriesOf(project, folder, leftOut)) {
      if (entry.name === '.gitignore') unignored = true;
      if (isHidden(entry.name)) continue;
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walkFolder(path);
      else if (!isDocument(entry.name)) others += 1;
      else {
        const found = lstatSync(resolve(project, path), { throwIfNoEntry: false });
        if (found !== undefined) addFile(path, found);
      }
    }
  };
  const listed = stat.isDirectory() ? listedIn(top) : undefined;
  for (const name of listed ?? []) {
    const path = root === '.' ? name : `${root}/${name}`;
    if (name.split('/').some(isHidden)) continue;
    const found = lstatSync(resolve(project, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) leftOut.push({ path, why: 'it is a repository of its own' });
    else if (!isDocument(name)) others += 1;
    else if (found !== undefined) addFile(path, found);
  }
  if (listed !== undefined) unignored = false;
  else if (stat.isDirectory()) walkFolder(root);
  else if (isDocument(root)) addFile(root, stat);
  else
    leftOut.push({
      path: root,
      why: 'it is neither Markdown nor text nor a document (PDF, Word, …)',
    });
  return {
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut,
    others,
    ...(unignored && stat.isDirectory() ? { unignored } : {}),
  };
}

/** Lists files by git; undefined if it cannot tell, or ignores the whole folder. */
function listedIn(folder: string): string[] | undefined {
  const listed = listByGit(folder);
  const name = basename(folder);
  const isIgnored = listed?.length === 0 && listIgnoredByGit(dirname(folder), [name]).has(name);
  return isIgnored ? undefined : listed;
}

/**
 * Returns which of the documents `paths`, all below the folder `root`, git ignores now. The documents
 * need not exist. The result is empty if `root` is not a folder, if git cannot list its files, or if
 * git ignores `root` itself.
 */
export function findIgnoredByGit(
  project: string,
  root: string,
  paths: readonly string[],
): Set<string> {
  const top = resolve(project, root);
  if (findStatus(top)?.isDirectory() !== true || listedIn(top) === undefined) return new Set();
  const inside = new Map(paths.map((path) => [relative(top, resolve(project, path)), path]));
  const ignored = listIgnoredByGit(top, [...inside.keys()]);
  return new Set([...inside].flatMap(([name, path]) => (ignored.has(name) ? [path] : [])));
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function entriesOf(
  project: string,
  folder: string,
  leftOut: LeftOut[],
): import('node:fs').Dirent[] {
  try {
    return readdirSync(resolve(project, folder), { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    leftOut.push({ path: folder, why: explainCode(code) });
    return [];
  }
}

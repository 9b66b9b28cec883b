/** The documents that lie in a folder: no links, nothing hidden, nothing that is not text by its name. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { codeOf, lookAt, whyNot } from '../io/text-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { isDocument } from './document.ts';

/** Of a document, in bytes: a larger one is a dump, not something somebody wrote. */
export const LARGEST_DOCUMENT = 2 * 1024 * 1024;
/** A home folder by mistake is not walked to its end. */
const MOST_FILES = 50_000;

/** A file that was left out, and why: a sentence that goes after its name. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

export interface Found {
  readonly path: string;
  readonly mtime: number;
  readonly size: number;
}

export interface Listing {
  readonly files: readonly Found[];
  readonly leftOut: readonly LeftOut[];
  /** Files that are no documents by their names. */
  readonly others: number;
}

/** A path as the index knows it: from the project's folder, or whole where it lies outside. */
export function pathIn(project: string, file: string): string {
  const path = relative(project, resolve(project, file));
  const isOutside = path.split(sep)[0] === '..' || isAbsolute(path);
  return isOutside ? resolve(project, file) : path.split(sep).join('/') || '.';
}

/** Whether a path is that of a folder or file, or lies below it. */
export function isBelow(path: string, root: string): boolean {
  return root === '.' ? !isAbsolute(path) : path === root || path.startsWith(`${root}/`);
}

/** What lies below a folder, or the file itself; undefined where there is nothing any more. */
export function listDocuments(project: string, root: string): Listing | undefined {
  const top = resolve(project, root);
  const stat = lookAt(top);
  if (stat === undefined) return undefined;
  const files: Found[] = [];
  const leftOut: LeftOut[] = [];
  let others = 0;
  const add = (path: string, found: Stats): void => {
    if (files.length >= MOST_FILES)
      throw new DeliberateError(
        'too-many-documents',
        `${root} has more than ${MOST_FILES} documents`,
        'Name the folders that matter.',
      );
    if (found.isSymbolicLink()) leftOut.push({ path, why: 'it is a link' });
    else if (!found.isFile()) leftOut.push({ path, why: whyNot('ENXIO') });
    else files.push({ path, mtime: found.mtimeMs, size: found.size });
  };
  const walk = (folder: string): void => {
    for (const entry of entriesOf(project, folder, leftOut)) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (!isDocument(entry.name)) others += 1;
      else {
        const found = lstatSync(resolve(project, path), { throwIfNoEntry: false });
        if (found !== undefined) add(path, found);
      }
    }
  };
  if (stat.isDirectory()) walk(root);
  else if (isDocument(root)) add(root, stat);
  else leftOut.push({ path: root, why: 'it is neither Markdown nor text' });
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut, others };
}

function entriesOf(
  project: string,
  folder: string,
  leftOut: LeftOut[],
): import('node:fs').Dirent[] {
  try {
    return readdirSync(resolve(project, folder), { withFileTypes: true });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    leftOut.push({ path: folder, why: whyNot(code) });
    return [];
  }
}

/** Lists the files of a folder that is attached. */
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { listByGit } from '../../io/git-files.ts';
import { errorCode, explainCode, findLinkStatus, RefusedFileError } from '../../io/text-file.ts';

/** The most files that can be attached to a question. */
export const MOST_FILES = 200;

/** The files of a folder to attach, and the paths that are skipped, each with the reason. */
interface Inside {
  readonly paths: readonly string[];
  readonly left: readonly string[];
}

/**
 * Lists the files below a folder, sorted. Left out are hidden files, `node_modules` and, in a git
 * repository, files that git ignores. Links and special files are in `left` with the reason.
 *
 * @throws RefusedFileError if a folder cannot be read or there are too many files to search
 */
export function filesIn(folder: string): Inside {
  const paths: string[] = [];
  const left: string[] = [];
  for (const path of (listByGit(folder) ?? walkFolder(folder, '')).filter(isShown).sort()) {
    const stat = findLinkStatus(join(folder, path));
    if (stat?.isFile()) paths.push(path);
    // Skip a file that was deleted since the files were listed, and a nested repository, which nobody expects to
    // be attached.
    else if (stat !== undefined && !stat.isDirectory())
      left.push(`${path} (${stat.isSymbolicLink() ? 'is a link' : explainCode('ENXIO')})`);
  }
  return { paths, left };
}

/** Returns whether no part of a path begins with a dot or is `node_modules`. */
export function isShown(path: string): boolean {
  return !path.split(sep === '/' ? '/' : /[\\/]/).some(isHidden);
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function walkFolder(folder: string, below: string): string[] {
  const found: string[] = [];
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(join(folder, below), { withFileTypes: true });
  } catch (error) {
    throw new RefusedFileError(join(folder, below), explainCode(errorCode(error)));
  }
  for (const entry of entries) {
    if (isHidden(entry.name)) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...walkFolder(folder, path));
    else found.push(path);
    // Stop early if a large folder, such as a home folder, was named by mistake.
    if (found.length > 50 * MOST_FILES)
      throw new RefusedFileError(
        folder,
        `too many files to search; at most ${MOST_FILES} can be attached`,
      );
  }
  return found;
}

/** Lists and reads the files of a folder of agents, with limits on what somebody else's folder can contain. */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  errorCode,
  explainCode,
  MisplacedFileError,
  RefusedFileError,
  readTextFile,
} from '../../../io/text-file.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { Problem } from './agent-file.ts';

/** The most bytes that an agent's file may have. */
export const LARGEST = 256 * 1024;

/** The most files in a folder of agents, and the most entries that are examined. */
const MOST_FILES = 1_000;
const MOST_ENTRIES = 20_000;

/** The deepest subfolder that is searched. */
const MOST_DEEP = 8;

/**
 * Lists the Markdown files in a folder, at most a thousand, without `node_modules` and names that begin with a dot.
 * A missing folder has none. Adds a problem to `problems` for each folder that cannot be read, each Markdown name
 * of a special file such as a pipe, and if there are too many files.
 * @param deep whether to list the files of subfolders, too
 */
export function filesBelow(top: string, deep: boolean, problems: Problem[]): string[] {
  const found: string[] = [];
  let entries = 0;
  const addProblem = (severity: Problem['severity'], file: string, text: string): void =>
    void problems.push({ severity, file, line: 1, text });
  const walkFolder = (folder: string, depth: number): void => {
    if (depth > MOST_DEEP || !isFolder(folder)) return;
    let names: Dirent[];
    try {
      names = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      addProblem('warning', folder, `cannot be read: ${explainCode(errorCode(error))}`);
      return;
    }
    for (const entry of names.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      entries += 1;
      if (entries > MOST_ENTRIES || found.length >= MOST_FILES) return;
      const real = entry.isSymbolicLink() ? lookAt(path) : entry;
      if (real?.isDirectory() && deep) walkFolder(path, depth + 1);
      if (real === undefined || real.isDirectory() || !/\.md$/i.test(entry.name)) continue;
      if (real.isFile()) found.push(path);
      else addProblem('error', path, `not read: ${explainCode('ENXIO')}`);
    }
  };
  walkFolder(top, 0);
  if (entries > MOST_ENTRIES || found.length >= MOST_FILES)
    addProblem(
      'error',
      top,
      `too many files: only the first ${found.length} are read (at most ${MOST_FILES}, of ${MOST_ENTRIES} entries)`,
    );
  return found;
}

/**
 * Reads an agent's file. If this fails, adds the reason to `problems` and returns undefined. A file of the project
 * is refused if it is a link to a file outside the project.
 * @param folder the folder of agents in which the file was found
 * @param fromProject whether that folder belongs to the project
 */
export function textBelow(
  folder: string,
  file: string,
  fromProject: boolean,
  problems: Problem[],
): string | undefined {
  const addProblem = (severity: Problem['severity'], text: string): undefined =>
    void problems.push({ severity, file, line: 1, text });
  try {
    const within = fromProject ? realPathOf(dirname(dirname(resolve(folder)))) : undefined;
    return readTextFile(file, {
      most: LARGEST,
      links: true,
      ...withoutUndefined({ within }),
    });
  } catch (error) {
    if (error instanceof MisplacedFileError)
      return addProblem('warning', 'is a link out of the project; not read');
    if (error instanceof RefusedFileError) return addProblem('error', `not read: ${error.why}`);
    if (errorCode(error) === undefined) throw error;
    return addProblem('warning', `cannot be read: ${explainCode(errorCode(error))}`);
  }
}

/**
 * Returns the status of a file or of the target of a link. Returns undefined if the link leads
 * nowhere or in a circle.
 */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns whether a path is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

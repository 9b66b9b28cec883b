/**
 * The tools of a team: those that read a git tree, and those that make a new tree from it. Nothing is on
 * disk, so no path of a model can lead out of the tree.
 */
import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { formatSize } from '../io/text-file.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { ToolOutput, Tools } from '../kernel/tools/tools.ts';
import { textLines } from '../text/lines.ts';
import {
  formatMatches,
  type GrepArguments,
  listFiles,
  parseGitGrep,
  readLines,
} from '../tools/files.ts';
import { runGit } from '../tools/git.ts';
import { makeReadingTools } from '../tools/reading.ts';
import { pathBelow, ToolRefusal } from '../tools/refusal.ts';
import { callTool, defineTool, describeTools, path, type Toolbox } from '../tools/toolbox.ts';
import { isHash } from './ask-git.ts';
import { replaceOnce, withEndsOf } from './edit.ts';
import type { Repository } from './repository.ts';
import { bytesAt, filePath, MOST_BYTES, TreeFiles, textIn } from './tree.ts';

/** The time limit of a search in milliseconds. */
const GREP_MS = 5_000;
const GREP_BYTES = 512 * 1024;
/** Lines of context that are shown around a change. */
const AROUND = 2;

const FILE = '100644';

const TOOLS: Toolbox<TreeFiles> = new Map([
  ...makeReadingTools({ list: listFiles, grep: grepTree, read: readLines }),
  [
    'edit',
    defineTool({
      about:
        'Replaces a piece of a text file. The old text has to stand in the file exactly once, letter for letter, without the line numbers that read shows: take as many lines as make it the only such place.',
      takes: {
        path,
        old: z.string().min(1).describe('what stands there now'),
        new: z.string().describe('what is to stand there instead; empty takes it out'),
      },
      use: editEntry,
    }),
  ],
  [
    'write',
    defineTool({
      about:
        'Writes a whole text file: a new one, with the folders that are missing, or in place of what is there. To change a part of a file, use edit.',
      takes: { path, text: z.string().describe('all that the file is to hold') },
      use: writeEntry,
    }),
  ],
  ['remove', defineTool({ about: 'Removes a file.', takes: { path }, use: removeEntry })],
]);

/**
 * Makes the tools that read and change git trees. This program, not the model, adds the argument
 * `tree` to each call, the hash of a tree; a result with a change has the hash of the new tree as
 * `state`. `open` returns the repository of the trees and creates it if needed; `conceal` masks API
 * keys in results.
 */
export function treeTools(
  open: (signal: AbortSignal) => Promise<Repository>,
  conceal: (text: string) => string,
): Tools {
  const tree = z.string().refine(isHash, 'not the hash of a tree');
  return {
    offered: describeTools(TOOLS),
    use: (call, signal) =>
      callTool(TOOLS, call, { tree }, conceal, async (run, given) =>
        run(new TreeFiles(await open(signal), String(given.tree)), signal),
      ),
  };
}

async function grepTree(
  { repository, tree }: TreeFiles,
  given: GrepArguments,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { pattern, path: where = '', regex = false, ignore_case: anyCase = false } = given;
  const below = pathBelow(where);
  const output = await runGit(
    repository.gitDir,
    [
      ...['grep', '-n', '-z', '-I', '--no-color', '--no-textconv', regex ? '-E' : '-F'],
      ...[...(anyCase ? ['-i'] : []), '-e', pattern, tree],
      ...['--', ...(below === '' ? [] : [below])],
    ],
    { ...repository.options({ signal }), ms: GREP_MS, most: GREP_BYTES },
  );
  if (output.state === 'late')
    throw new ToolRefusal(`it took longer than ${GREP_MS / 1000} s and was stopped; ask for less`);
  if (output.state === 'missing') throw new ToolRefusal('git is not installed here');
  const { matches, cut } = parseGitGrep(output);
  const named = matches.map((match) => ({ ...match, path: match.path.slice(tree.length + 1) }));
  return formatMatches({ pattern, regex, below }, named, cut);
}

async function editEntry(
  files: TreeFiles,
  given: { readonly path: string; readonly old: string; readonly new: string },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { path: name, mode, text } = await files.file(given.path, signal);
  refuseNoText(name, given.new);
  const edited = replaceOnce(text, given.old, given.new);
  if (!edited.done) throw new ToolRefusal(whyNotOnce(name, edited));
  if (edited.text === text) throw new ToolRefusal(`${name}: the old and the new text are the same`);
  const state = await putText(files, name, mode, edited.text, signal);
  const lines = textLines(edited.text.replace(/^\uFEFF/, ''));
  const from = Math.max(1, edited.from - AROUND);
  const shown = lines.slice(from - 1, edited.to + AROUND);
  const last = from + shown.length - 1;
  return {
    about: `${name} changed; lines ${from}-${last} of ${lines.length}`,
    text: shown.join('\n'),
    from,
    state,
  };
}

async function writeEntry(
  files: TreeFiles,
  given: { readonly path: string; readonly text: string },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const name = filePath(given.path);
  refuseNoText(name, given.text);
  const entry = await files.entry(name, signal);
  const before =
    entry === undefined ? undefined : textIn(name, await bytesAt(files.repository, entry, signal));
  const text = before === undefined ? given.text : asBefore(before, given.text);
  if (text === before) throw new ToolRefusal(`${name}: that is what it holds already`);
  const state = await putText(files, name, entry?.mode ?? FILE, text, signal);
  const count = textLines(text).length;
  return {
    about: `${name} ${before === undefined ? 'made' : 'written'}: ${count} ${count === 1 ? 'line' : 'lines'}`,
    text: '',
    from: 1,
    state,
  };
}

/** Returns the text with the line ends and the byte order mark of the existing file. */
function asBefore(before: string, text: string): string {
  const mark = before.startsWith('\uFEFF') && !text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${mark}${withEndsOf(before, text)}`;
}

async function removeEntry(
  files: TreeFiles,
  given: { readonly path: string },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const name = filePath(given.path);
  if ((await files.entry(name, signal)) === undefined)
    throw new ToolRefusal(`${name}: no such file`);
  const state = await removeFile(files, name, signal);
  return { about: `${name} removed`, text: '', from: 1, state };
}

/**
 * Returns the hash of a tree with one file written, or removed if `text` is undefined. If a file to
 * remove does not exist, the hash is that of `tree`.
 * @throws DeliberateError if the path is invalid or git fails
 */
export async function putFile(
  repository: Repository,
  tree: string,
  written: string,
  text: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const files = new TreeFiles(repository, tree);
  try {
    const name = filePath(written);
    if (text !== undefined) refuseNoText(name, text);
    const entry = await files.entry(name, signal);
    if (text !== undefined) return await putText(files, name, entry?.mode ?? FILE, text, signal);
    return entry === undefined ? tree : await removeFile(files, name, signal);
  } catch (error) {
    if (error instanceof ToolRefusal) throw new DeliberateError('not-put', error.message);
    throw error;
  }
}

async function putText(
  { repository, tree }: TreeFiles,
  name: string,
  mode: string,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  const blob = await repository.writeBlob(Buffer.from(text, 'utf8'), signal);
  return changeTree(repository, tree, { path: name, mode, blob }, signal);
}

function removeFile(
  { repository, tree }: TreeFiles,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  // The mode 0 removes a path from git's index.
  return changeTree(
    repository,
    tree,
    { path: name, mode: '0', blob: '0'.repeat(tree.length) },
    signal,
  );
}

async function changeTree(
  repository: Repository,
  tree: string,
  entry: { readonly path: string; readonly mode: string; readonly blob: string },
  signal: AbortSignal,
): Promise<string> {
  try {
    return await repository.change(tree, [entry], signal);
  } catch (error) {
    // Git refuses a path that some system takes for `.git`, for example because that system ignores invisible
    // characters in it.
    if (error instanceof DeliberateError && error.code === 'git-path')
      throw new ToolRefusal(`${entry.path}: ${error.message}`);
    throw error;
  }
}

function whyNotOnce(
  name: string,
  { places, loosely }: { readonly places: number; readonly loosely: boolean },
): string {
  if (places > 1)
    return `${name}: the old text stands there ${places} times; take more lines, so that it is one place`;
  return loosely
    ? `${name}: the old text stands there with other spaces or line ends; copy it letter for letter`
    : `${name}: the old text does not stand there; read the file and copy it letter for letter`;
}

/** Checks new text. @throws ToolRefusal if it would be no text file, or too large to be read again */
function refuseNoText(name: string, text: string): void {
  if (text.includes('\0')) throw new ToolRefusal(`${name}: binary, not text`);
  if (!text.isWellFormed()) throw new ToolRefusal(`${name}: not UTF-8 text`);
  const size = Buffer.byteLength(text);
  if (size > MOST_BYTES)
    throw new ToolRefusal(
      `${name}: too large: ${formatSize(size)}, at most ${formatSize(MOST_BYTES)} are written`,
    );
}

/** The tools that read current files: list, grep and read. */
import type { ToolOutput } from '../kernel/tools/tools.ts';
import { formatPartName, type Part, partOf, partsWithin } from '../text/documents/parts.ts';
import { textLines } from '../text/lines.ts';
import type { GitOutput } from './git.ts';
import { pathBelow, ToolRefusal, whyHidden } from './refusal.ts';
import { firstLine, type Root } from './root.ts';

/** The most characters of one result, about 4,000 tokens. */
const MOST_CHARACTERS = 16_000;
const MOST_LINES = 400;
const MOST_ENTRIES = 300;
const MOST_MATCHES = 150;
/** The most characters of a line; a longer line is data, not prose or source text. */
const LONGEST_LINE = 1_000;
const LONGEST_MATCH = 240;
/** The time limit in milliseconds for a search without git, which reads the files one by one. */
const SEARCH_MS = 5_000;

/** A source of files to look things up in: a folder, or a git tree. */
export interface Readable {
  /**
   * Returns the sorted paths of the visible files, below a folder or matching a glob.
   * @throws ToolRefusal if the folder or glob is not allowed
   */
  list(
    which: { readonly below?: string; readonly pattern?: string | undefined },
    signal: AbortSignal,
  ): Promise<string[]>;
  /**
   * Returns a file's text.
   * @throws ToolRefusal if the file is hidden, missing or no text
   */
  read(path: string, signal: AbortSignal): Promise<string>;
}

/** The text of a file, the pages or sheets of a document, and notes on what the text lacks. */
interface ReadFile {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
}

/** The arguments of the tool that lists files. */
export interface ListArguments {
  /** The folder to list; absent: the root. */
  readonly path?: string | undefined;
  /** A glob that the paths must match; absent: the folder's own entries are listed. */
  readonly pattern?: string | undefined;
}

/**
 * Lists the entries of a folder, or all files that match a glob.
 * @throws ToolRefusal if `path` names a file, or a folder that does not exist or has no visible file
 */
export async function listFiles(
  root: Readable,
  { path = '', pattern }: ListArguments,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const below = pathBelow(path);
  if (pattern !== undefined) {
    const where = below === '' ? pattern : `${below}/${pattern}`;
    const paths = await root.list({ pattern: where }, signal);
    return joinFittingRows(`files like ${where}`, paths, MOST_ENTRIES, 'name a folder');
  }
  const paths = await root.list({ below }, signal);
  if (below !== '' && paths.length === 0)
    throw new ToolRefusal(`${below}: there is no such folder, or nothing in it that may be seen`);
  if (paths.length === 1 && paths[0] === below)
    throw new ToolRefusal(`${below} is a file; read it`);
  const folders = new Map<string, number>();
  const files: string[] = [];
  for (const path of paths) {
    const [name = '', ...rest] = path.slice(below === '' ? 0 : below.length + 1).split('/');
    if (rest.length === 0) files.push(name);
    else folders.set(name, (folders.get(name) ?? 0) + 1);
  }
  const entries = [
    ...[...folders].map(([name, count]) => `${name}/ (${count} ${count === 1 ? 'file' : 'files'})`),
    ...files,
  ];
  return joinFittingRows(
    below === '' ? 'the root' : `${below}/`,
    entries,
    MOST_ENTRIES,
    'use a pattern',
  );
}

/** The arguments of the tool that reads a file. */
export interface ReadArguments {
  readonly path: string;
  /** The first line, from 1; absent: the first line of the file. */
  readonly from?: number | undefined;
  /** The last line; absent: as many lines as one result may have. */
  readonly to?: number | undefined;
}

/**
 * Returns lines of a text file.
 * @throws ToolRefusal if the file is hidden, missing or no text, or does not have the lines
 */
export async function readLines(
  root: Readable,
  given: ReadArguments,
  signal: AbortSignal,
): Promise<ToolOutput> {
  return showLines({ text: await root.read(given.path, signal), parts: [], notes: [] }, given);
}

/**
 * Returns lines of a text file or of a document, such as a PDF.
 * @throws ToolRefusal if the file is hidden, missing or of an unknown format, or does not have the
 * lines
 */
export async function readDocument(
  root: Root,
  given: ReadArguments,
  signal: AbortSignal,
): Promise<ToolOutput> {
  return showLines(await root.readDocument(given.path, signal), given);
}

function showLines(
  { text, parts, notes }: ReadFile,
  { path, from = 1, to = Number.MAX_SAFE_INTEGER }: ReadArguments,
): ToolOutput {
  const lines = textLines(text);
  const name = pathBelow(path);
  if (lines.length === 0) return { about: `${name}: it is empty`, text: '', from: 1 };
  if (from > lines.length)
    throw new ToolRefusal(`${name} has ${lines.length} lines: there is none from ${from} on`);
  if (to < from) throw new ToolRefusal(`the range ends before it begins: ${from} to ${to}`);
  const wanted = lines.slice(from - 1, Math.min(to, from - 1 + MOST_LINES));
  const shown = takeFitting(wanted.map((line) => clipLine(line, LONGEST_LINE)));
  const last = from + shown.length - 1;
  const left = Math.min(to, lines.length) - last;
  return {
    about: `${name}, ${partsWords(from, last, parts)}lines ${from}-${last} of ${lines.length}`,
    text: shown.join('\n'),
    from,
    ...(parts.length === 0 ? {} : { parts: partsWithin(from, last, parts) }),
    ...moreWords([
      ...(left > 0 ? [`${left} more lines; go on with from: ${last + 1}`] : []),
      ...notes,
    ]),
  };
}

/**
 * Returns the pages of a range of lines, `page 3, ` or `page 3 to page 5, `; empty for a file without pages.
 */
function partsWords(from: number, to: number, parts: readonly Part[]): string {
  const first = partOf(from, parts);
  const last = partOf(to, parts);
  if (first === undefined || last === undefined) return '';
  const words = formatPartName(first.name);
  return first === last ? `${words}, ` : `${words} to ${formatPartName(last.name)}, `;
}

function moreWords(sentences: readonly string[]): { more?: string } {
  return sentences.length === 0 ? {} : { more: sentences.join('; ') };
}

/** The arguments of the tool that searches files. */
export interface GrepArguments {
  /** The text or regular expression to search for. */
  readonly pattern: string;
  /** The file or folder to search; absent: all files. */
  readonly path?: string | undefined;
  /** Whether `pattern` is a regular expression; absent: it is a literal text. */
  readonly regex?: boolean | undefined;
  /** Whether upper and lower case are the same; absent: they differ. */
  readonly ignore_case?: boolean | undefined;
}

interface Match {
  readonly path: string;
  readonly line: string;
  readonly text: string;
}

/**
 * Searches for lines that contain a text or match a regular expression. The search runs as `git
 * grep` in a process of its own with a time limit, since a pattern of a model could take forever in
 * this process. Without git, this process searches for literal texts only.
 * @throws ToolRefusal for a regular expression without git, and if git fails
 */
export async function searchLines(
  root: Root,
  { pattern, path = '', regex = false, ignore_case: anyCase = false }: GrepArguments,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const below = pathBelow(path);
  const isRepository = await root.isRepository(signal);
  if (!root.hasGit && regex)
    throw new ToolRefusal(
      'regular expressions need git, which is not installed here; use plain text',
    );
  const { matches, cut } = root.hasGit
    ? await searchWithGit(root, { pattern, below, regex, anyCase, isRepository }, signal)
    : await searchWithoutGit(root, pattern, below, anyCase, signal);
  const inside = new Map<string, boolean>();
  const shown = matches.filter(({ path: file }) => {
    const known = inside.get(file);
    if (known !== undefined) return known;
    const is = root.isInside(file);
    inside.set(file, is);
    return is;
  });
  return formatMatches({ pattern, regex, below }, shown, cut);
}

/**
 * Formats the matches of a search as the result that a model reads. `below` is the searched path, ''
 * for the root; `cut` is whether there are more matches than `matches`. Matches in hidden files are
 * left out.
 */
export function formatMatches(
  { pattern, regex, below }: { pattern: string; regex: boolean; below: string },
  matches: readonly Match[],
  cut: boolean,
): ToolOutput {
  const rows = matches
    .filter(({ path }) => whyHidden(path) === undefined)
    .map(({ path, line, text }) => `${path}:${line}: ${clipLine(text.trim(), LONGEST_MATCH)}`);
  const what = `${regex ? `/${pattern}/` : `"${pattern}"`} in ${below === '' ? 'the root' : below}`;
  const found = joinFittingRows(
    rows.length === 0 ? `nothing matches ${what}` : what,
    rows,
    MOST_MATCHES,
    'narrow it by path, or look for more',
  );
  return cut && found.more === undefined
    ? { ...found, more: 'more lines match; narrow it by path, or look for more' }
    : found;
}

async function searchWithGit(
  root: Root,
  how: {
    readonly pattern: string;
    readonly below: string;
    readonly regex: boolean;
    readonly anyCase: boolean;
    readonly isRepository: boolean;
  },
  signal: AbortSignal,
): Promise<{ matches: Match[]; cut: boolean }> {
  const output = await root.git(
    [
      ...['grep', how.isRepository ? '--untracked' : '--no-index', '--exclude-standard'],
      ...['-n', '-z', '-I', '--no-color', how.regex ? '-E' : '-F', ...(how.anyCase ? ['-i'] : [])],
      ...['-e', how.pattern, '--', ...(how.below === '' ? [] : [how.below])],
    ],
    signal,
  );
  return parseGitGrep(output);
}

/**
 * Parses the output of `git grep -n -z`. `cut` is true if the output ended at its limit, so that
 * there may be more matches.
 * @throws ToolRefusal if git failed
 */
export function parseGitGrep(output: Extract<GitOutput, { out: string }>): {
  matches: Match[];
  cut: boolean;
} {
  if (output.state === 'ended' && output.code > 1)
    throw new ToolRefusal(`git could not search: ${firstLine(output.err)}`);
  const matches = output.out.split('\n').flatMap((row): Match[] => {
    const [path, line, ...text] = row.split('\0');
    return path === undefined || line === undefined ? [] : [{ path, line, text: text.join('') }];
  });
  // If git's output was cut at its limit, the last row may be incomplete, so drop this row.
  return output.state === 'cut'
    ? { matches: matches.slice(0, -1), cut: true }
    : { matches, cut: false };
}

async function searchWithoutGit(
  root: Root,
  pattern: string,
  below: string,
  anyCase: boolean,
  signal: AbortSignal,
): Promise<{ matches: Match[]; cut: boolean }> {
  const until = performance.now() + SEARCH_MS;
  const foldCase = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const matches: Match[] = [];
  for (const path of await root.list({ below }, signal)) {
    if (performance.now() > until || matches.length > MOST_MATCHES) return { matches, cut: true };
    let text: string;
    try {
      text = await root.read(path, signal);
    } catch (error) {
      // Skip files that are not text or cannot be read.
      if (error instanceof ToolRefusal) continue;
      throw error;
    }
    for (const [at, line] of textLines(text).entries())
      if (foldCase(line).includes(foldCase(pattern)))
        matches.push({ path, line: `${at + 1}`, text: line });
  }
  return { matches, cut: false };
}

/**
 * Makes a tool's result from as many of the rows as fit, at most `most`, and notes how many were left out.
 * @param about the tool call in one line
 * @param how how a model can see the rows that were left out, as part of a sentence
 */
export function joinFittingRows(
  about: string,
  rows: readonly string[],
  most: number,
  how: string,
): ToolOutput {
  const shown = takeFitting(rows.slice(0, most));
  const left = rows.length - shown.length;
  return {
    about,
    text: shown.join('\n'),
    from: 1,
    ...(left > 0 ? { more: `${left} more; ${how}` } : {}),
  };
}

/** Returns as many lines as fit into a result; at least one. */
function takeFitting(lines: readonly string[]): string[] {
  let size = 0;
  const end = lines.findIndex((line, at) => {
    size += line.length + 1;
    return at > 0 && size > MOST_CHARACTERS;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}

function clipLine(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

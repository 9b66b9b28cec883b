/**
 * A folder that a person named for seats to read, and its visible files: those that git would list, without
 * those that look secret. Every opened file must be inside the folder by its real path.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { MOST_DOCUMENT_BYTES } from '../documents/given.ts';
import { decodeDocument } from '../io/decoding/decode.ts';
import {
  errorCode,
  explainCode,
  findStatus,
  formatSize,
  RefusedFileError,
  readBytes,
} from '../io/text-file.ts';
import { type Env, findOnPath } from '../io/tools.ts';
import { realPathOf } from '../platform/real-path.ts';
import type { Part } from '../text/documents/parts.ts';
import { GIT_MS, type GitOptions, type GitOutput, runGit } from './git.ts';
import { pathBelow, ToolRefusal, whyHidden } from './refusal.ts';

/** The largest file in bytes; a larger one is no source text. */
const MOST_BYTES = 2 * 1024 * 1024;
/** The most bytes of a listing. */
const MOST_LISTED = 32 * 1024 * 1024;
/** The most files without git, where nothing is ignored and a home folder would be endless. */
const MOST_WALKED = 20_000;

/** A folder that tools may read. Every path is checked to be inside the folder and not hidden. */
export class Root {
  /** The name by which models call the folder. */
  readonly name: string;
  readonly #path: string | undefined;
  readonly #env: Env;
  /** The encoding of files that are not UTF-8, if a person named one. */
  readonly #encoding: string | undefined;
  #repository: Promise<boolean> | undefined;

  /**
   * `path` is undefined if nobody named the folder on this machine. `encoding` is the encoding of
   * those files that are not UTF-8.
   */
  constructor(name: string, path: string | undefined, env: Env, encoding?: string) {
    this.name = name;
    this.#path = path;
    this.#env = env;
    this.#encoding = encoding;
  }

  /**
   * Runs git in the folder.
   * @throws ToolRefusal if git is missing, took too long or was stopped by `signal`
   */
  async git(
    args: readonly string[],
    signal: AbortSignal,
    more: Pick<GitOptions, 'paths' | 'most'> = {},
  ): Promise<Extract<GitOutput, { out: string }>> {
    const output = await runGit(this.folder(), args, { env: this.#env, signal, ...more });
    switch (output.state) {
      case 'missing':
        throw new ToolRefusal('git is not installed here');
      case 'late':
        throw new ToolRefusal(
          `it took longer than ${GIT_MS / 1000} s and was stopped; ask for less`,
        );
      default:
        return output;
    }
  }

  /** Whether git is installed. */
  get hasGit(): boolean {
    return findOnPath('git', this.#env) !== undefined;
  }

  /**
   * Returns whether the folder is in a git repository.
   * @throws ToolRefusal if the folder seems to be in one and git is missing
   */
  isRepository(signal: AbortSignal): Promise<boolean> {
    this.#repository ??= this.#askRepository(signal).catch((error: unknown) => {
      // Forget a failed lookup, so that the next call tries again: this call may have been stopped, or git may be
      // installed later.
      this.#repository = undefined;
      throw error;
    });
    return this.#repository;
  }

  async #askRepository(signal: AbortSignal): Promise<boolean> {
    if (!this.hasGit) {
      if (this.#hasRules())
        throw new ToolRefusal(
          'git is not installed here, and only git can say which files are ignored',
        );
      return false;
    }
    const asked = await this.git(['rev-parse', '--is-inside-work-tree'], signal);
    if (asked.state === 'ended' && asked.code === 0) return asked.out.trim() === 'true';
    const words = asked.state === 'ended' ? asked.err : '';
    if (/not a git repository/.test(words)) return false;
    throw new ToolRefusal(`git does not read this folder: ${firstLine(words)}`);
  }

  /**
   * Returns the folder's real path.
   * @throws ToolRefusal if nobody named the folder on this machine, or it no longer exists
   */
  folder(): string {
    if (this.#path === undefined)
      throw new ToolRefusal(`nobody has named a folder ${this.name} on this machine`);
    try {
      return realPathOf(this.#path);
    } catch (error) {
      throw new ToolRefusal(
        `the root ${this.name} is not there any more: ${explainCode(errorCode(error))}`,
      );
    }
  }

  /**
   * Returns the sorted paths that may be seen: below a folder, matching a glob, or all.
   * @throws ToolRefusal if the files cannot be listed, also for a glob if git is missing
   */
  async list(
    { below = '', pattern }: { readonly below?: string; readonly pattern?: string | undefined },
    signal: AbortSignal,
  ): Promise<string[]> {
    const listed = await this.#listed(below, pattern, signal);
    return [...new Set(listed)]
      .filter((path) => path !== '' && whyHidden(path) === undefined)
      .sort();
  }

  async #listed(
    below: string,
    pattern: string | undefined,
    signal: AbortSignal,
  ): Promise<string[]> {
    const isRepository = await this.isRepository(signal);
    if (!this.hasGit) {
      if (pattern !== undefined)
        throw new ToolRefusal('patterns need git, which is not installed here');
      return walkFolder(this.folder(), below);
    }
    const which = pattern ?? below;
    const output = await this.git(
      [
        ...(isRepository
          ? ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
          : ['grep', '--no-index', '--exclude-standard', '-l', '-z', '-e', '']),
        '--',
        ...(which === '' ? [] : [which]),
      ],
      signal,
      { most: MOST_LISTED, paths: pattern === undefined ? 'literal' : 'glob' },
    );
    if (output.state === 'cut')
      throw new ToolRefusal('there are too many files to list; name a folder');
    // Outside of repositories, `git grep` lists the files. It exits with 1 if it finds none, which is no error.
    if (output.code > 1 || (output.code === 1 && isRepository))
      throw new ToolRefusal(`git could not list the files: ${firstLine(output.err)}`);
    return output.out.split('\0');
  }

  /**
   * Returns a file's text.
   * @throws ToolRefusal if the file cannot be read as text; a document such as a PDF is for
   * `readDocument`
   */
  async read(written: string, signal: AbortSignal): Promise<string> {
    const { path, file, bytes } = await this.#bytesOf(written, MOST_BYTES, signal);
    try {
      return decodeDocument(file, bytes, this.#encoding).text;
    } catch (error) {
      if (error instanceof RefusedFileError) throw new ToolRefusal(`${path}: ${error.why}`);
      throw error;
    }
  }

  /**
   * Returns the text of a file or document, with its pages or sheets. HTML keeps its tags.
   * @throws ToolRefusal if the file is hidden, missing or of an unknown format
   */
  async readDocument(
    written: string,
    signal: AbortSignal,
  ): Promise<{
    readonly text: string;
    readonly parts: readonly Part[];
    readonly notes: readonly string[];
  }> {
    const { path, file, bytes } = await this.#bytesOf(written, MOST_DOCUMENT_BYTES, signal);
    try {
      const { extractDocument } = await import('../documents/documents.ts');
      const given = { name: file, bytes, encoding: this.#encoding, source: true };
      const { text, parts, notes, extractor } = await extractDocument(given);
      if (extractor === undefined && bytes.length > MOST_BYTES)
        throw new ToolRefusal(
          `${path}: too large: ${formatSize(bytes.length)}, at most ${formatSize(MOST_BYTES)} are read`,
        );
      return { text, parts, notes };
    } catch (error) {
      if (error instanceof RefusedFileError) throw new ToolRefusal(`${path}: ${error.why}`);
      throw error;
    }
  }

  async #bytesOf(
    written: string,
    most: number,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly file: string; readonly bytes: Buffer }> {
    const path = pathBelow(written);
    if (path === '') throw new ToolRefusal('name a file; list shows what is there');
    const folder = this.folder();
    const real = this.#realPath(folder, path);
    if (findStatus(join(folder, real))?.isDirectory())
      throw new ToolRefusal(`${path} is a folder; list shows what is in it`);
    const isListed = (path: string): Promise<boolean> =>
      this.list({ below: path }, signal).then((all) => all.includes(path));
    // An empty file may be read even if it is not listed: outside of repositories, `git grep` never lists empty
    // files, and they contain nothing to hide.
    const isEmpty = findStatus(join(folder, real))?.size === 0;
    if (!isEmpty && !(await isListed(real)))
      throw new ToolRefusal(`${path}: git ignores it, and so do these tools`);
    try {
      const file = join(folder, real);
      const bytes = readBytes(file, { most, links: false, within: folder });
      if (bytes === undefined) throw new RefusedFileError(path, explainCode('ENOENT'));
      return { path, file, bytes };
    } catch (error) {
      if (error instanceof RefusedFileError) throw new ToolRefusal(`${path}: ${error.why}`);
      throw error;
    }
  }

  /** Returns the real path relative to the root. @throws ToolRefusal if it is outside the root or hidden */
  #realPath(folder: string, path: string): string {
    let real: string;
    try {
      real = relative(folder, realPathOf(join(folder, path)))
        .split(sep)
        .join('/');
    } catch (error) {
      const code = errorCode(error);
      const next = code === 'ENOENT' ? '; list shows what is there' : '';
      throw new ToolRefusal(`${path}: ${explainCode(code)}${next}`);
    }
    if (real === path) return path;
    if (real.split('/')[0] === '..' || isAbsolute(real))
      throw new ToolRefusal(`${path}: a link leads out of the root`);
    const why = whyHidden(real);
    if (why !== undefined) throw new ToolRefusal(`${path} is a link to what is hidden: ${why}`);
    return real;
  }

  /**
   * Returns whether a path that git listed is really in the folder. A folder on the way to the file
   * may have been replaced by a link that leads elsewhere.
   */
  isInside(path: string): boolean {
    try {
      return this.#realPath(this.folder(), path) === path;
    } catch (error) {
      if (error instanceof ToolRefusal) return false;
      throw error;
    }
  }

  /** Returns whether a repository or ignore file may apply to the folder. */
  #hasRules(): boolean {
    const folder = this.folder();
    for (let at = folder; ; at = dirname(at)) {
      if (existsSync(join(at, '.git'))) return true;
      if (dirname(at) === at) return existsSync(join(folder, '.gitignore'));
    }
  }
}

/** Lists a folder's files as `--attach` does: everything that is not hidden. */
function walkFolder(folder: string, below: string, found: string[] = []): string[] {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(join(folder, below), { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') return [below];
    throw new ToolRefusal(`${below || 'the root'}: ${explainCode(code)}`);
  }
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) walkFolder(folder, path, found);
    else found.push(path);
    if (found.length > MOST_WALKED) throw new ToolRefusal('there are too many files to list');
  }
  return found;
}

/** Returns the first line of git's error message, shortened. */
export function firstLine(words: string): string {
  const [line = ''] = words.replace(/^(?:fatal|error): /, '').split('\n');
  return line.slice(0, 200) || 'it did not say why';
}

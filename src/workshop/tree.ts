/** Reads git trees: their paths, the types of entries, and their text. */
import type { Buffer } from 'node:buffer';
import { decodeUtf8 } from '../io/decoding/decode.ts';
import { formatSize, RefusedFileError } from '../io/text-file.ts';
import { matchesGlob } from '../text/globs.ts';
import type { Readable } from '../tools/files.ts';
import { pathBelow, ToolRefusal, whyHidden } from '../tools/refusal.ts';
import type { Repository } from './repository.ts';

/** The largest file, in bytes, that tools read. A larger file is no source text. */
export const MOST_BYTES = 2 * 1024 * 1024;

interface Entry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly hash: string;
  readonly path: string;
}

/** The mode of symbolic links in git's trees. */
export const LINK = '120000';
/** The mode of submodules in git's trees. */
export const SUBMODULE = '160000';
const ROW = /^(\d{6}) (blob|tree|commit) ([0-9a-f]+)\t([\s\S]*)$/;

/** Returns the entries of a tree, or those at one path. */
async function entriesOf(
  repository: Repository,
  tree: string,
  how: { readonly below?: string; readonly deep?: boolean },
  signal: AbortSignal,
): Promise<Entry[]> {
  const { below = '', deep = true } = how;
  const { out } = await repository.ask(
    ['ls-tree', '-z', ...(deep ? ['-r'] : []), tree, ...(below === '' ? [] : ['--', below])],
    { signal },
  );
  return out.split('\0').flatMap((row): Entry[] => {
    const [, mode = '', type, hash = '', path = ''] = ROW.exec(row) ?? [];
    return type === 'blob' || type === 'tree' || type === 'commit'
      ? [{ mode, type, hash, path }]
      : [];
  });
}

/** Returns the entry of a tree at a path; undefined if there is none. */
export async function entryAt(
  repository: Repository,
  tree: string,
  path: string,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  const found = await entriesOf(repository, tree, { below: path, deep: false }, signal);
  return found.find((entry) => entry.path === path);
}

/**
 * Returns the bytes of a file in a tree.
 * @throws ToolRefusal if the file is too large
 */
export async function bytesAt(
  repository: Repository,
  { hash, path }: Pick<Entry, 'hash' | 'path'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const size = Number((await repository.ask(['cat-file', '-s', hash], { signal })).out);
  if (!(size <= MOST_BYTES))
    throw new ToolRefusal(
      `${path}: too large: ${formatSize(size)}, at most ${formatSize(MOST_BYTES)} are read`,
    );
  return (await repository.ask(['cat-file', 'blob', hash], { signal })).bytes;
}

/**
 * Decodes a file's text, with its byte order mark and line ends unchanged.
 * @throws ToolRefusal if the file is not text
 */
export function textIn(path: string, bytes: Buffer): string {
  try {
    decodeUtf8(path, bytes);
  } catch (error) {
    if (error instanceof RefusedFileError) throw new ToolRefusal(`${path}: ${error.why}`);
    throw error;
  }
  return bytes.toString('utf8');
}

interface FileIn {
  readonly path: string;
  readonly mode: string;
  readonly text: string;
}

/** The files of a git tree, for tools that read and change them. */
export class TreeFiles implements Readable {
  readonly repository: Repository;
  /** The hash of the tree. */
  readonly tree: string;

  constructor(repository: Repository, tree: string) {
    this.repository = repository;
    this.tree = tree;
  }

  /** Returns the sorted paths of the visible files, below a folder or matching a glob. */
  async list(
    { below = '', pattern }: { readonly below?: string; readonly pattern?: string | undefined },
    signal: AbortSignal,
  ): Promise<string[]> {
    const entries = await entriesOf(this.repository, this.tree, { below }, signal);
    return entries
      .filter(({ type, path }) => type === 'blob' && whyHidden(path) === undefined)
      .map(({ path }) => path)
      .filter((path) => pattern === undefined || matchesGlob(path, [pattern]))
      .map(formatPath)
      .sort();
  }

  /**
   * Returns a file's text without a byte order mark.
   * @throws ToolRefusal if the file does not exist or may not be read
   */
  async read(written: string, signal: AbortSignal): Promise<string> {
    const { text } = await this.file(written, signal);
    return text.replace(/^\uFEFF/, '');
  }

  /**
   * Returns a file with its text. `written` is the path as the model wrote it.
   * @throws ToolRefusal if the file does not exist or may not be read
   */
  async file(written: string, signal: AbortSignal): Promise<FileIn> {
    const path = filePath(written);
    const entry = await this.entry(path, signal);
    if (entry === undefined) throw new ToolRefusal(`${path}: no such file`);
    const bytes = await bytesAt(this.repository, entry, signal);
    return { path, mode: entry.mode, text: textIn(path, bytes) };
  }

  /**
   * Returns the file at a path; undefined if no file exists there but one could be created.
   *
   * @throws ToolRefusal if the path is no file, or a folder above it is no folder
   */
  async entry(path: string, signal: AbortSignal): Promise<Entry | undefined> {
    const found = await entryAt(this.repository, this.tree, path, signal);
    if (found !== undefined) {
      refuseOthers(found);
      return found;
    }
    const parts = path.split('/');
    for (let at = 1; at < parts.length; at += 1) {
      const above = parts.slice(0, at).join('/');
      const part = await entryAt(this.repository, this.tree, above, signal);
      if (part === undefined) return undefined;
      if (part.type === 'tree') continue;
      if (part.mode === LINK || part.type === 'commit') refuseOthers(part);
      throw new ToolRefusal(`${path}: ${above} is a file`);
    }
    return undefined;
  }
}

/**
 * Normalises the path of a file as a model wrote it.
 * @throws ToolRefusal if the path is invalid, hidden or the root
 */
export function filePath(written: string): string {
  const path = pathBelow(written);
  if (path === '') throw new ToolRefusal('name a file; list shows what is there');
  return path;
}

function refuseOthers({ type, mode, path }: Entry): void {
  if (type === 'tree') throw new ToolRefusal(`${path} is a folder; list shows what is in it`);
  if (type === 'commit') throw new ToolRefusal(`${path} is a submodule: another repository`);
  if (mode === LINK) throw new ToolRefusal(`${path} is a link; name the file that it leads to`);
}

/** Returns a path as one line; a path with control characters is quoted. */
function formatPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path may hold them
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}

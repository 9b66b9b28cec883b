/**
 * Updates the index from its folders. A file with unchanged time and size is not opened; others are parsed
 * only if their bytes differ. Documents are added in batches, each in one transaction: an interrupted
 * update leaves complete documents and is finished the next time.
 */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { extractDocumentSync } from '../documents/documents.ts';
import { MOST_DOCUMENT_BYTES } from '../documents/given.ts';
import type { Card } from '../io/cards.ts';
import { decodeDocument } from '../io/decoding/decode.ts';
import { listIgnoredByGit } from '../io/git-files.ts';
import { findLinkStatus, RefusedFileError, readBytes } from '../io/text-file.ts';
import { UsageError } from '../kernel/errors.ts';
import { realPathOf } from '../platform/real-path.ts';
import { readCards } from './cards.ts';
import { isBinary, parseDocument } from './document.ts';
import {
  type FoundFile,
  findIgnoredByGit,
  isBelow,
  LARGEST_DOCUMENT,
  type LeftOut,
  listDocuments,
} from './files.ts';
import { forgetVectors, type StoredIndex } from './place.ts';
import { Members, type ReadDocument, Writer } from './write.ts';

/** The default file of a project's cards. */
const CARDS_FILE: string = join('.deliberate', 'clusters.yaml');

/** Documents per transaction, few enough that another process does not time out while waiting. */
const BATCH = 100;
/** Milliseconds within which a file may change twice without a new time, on some file systems. */
const COARSE_MS = 2_000;

/** Options of an update of an index. */
export interface UpdateOptions {
  /**
   * Folders and files to add and read, relative to the project's folder. Empty: all that were added
   * before are read again.
   */
  readonly paths?: readonly string[];
  /** Reads all files again, also unchanged ones. */
  readonly rebuild?: boolean;
  /** Removes added folders and files that no longer exist, with their documents. */
  readonly prune?: boolean;
  /** Cards (descriptions of clusters) to use if the project has no file of cards. */
  readonly otherCards?: readonly Card[];
  /** A file of cards that a person named, relative to the project. Later updates use this file too. */
  readonly cards?: string;
  /** Paths of files that must not be indexed, such as the topic of a plan. */
  readonly except?: readonly string[];
  /**
   * The encoding of text that is neither UTF-8 nor UTF-16 with a byte order mark; absent: such documents are
   * not indexed.
   */
  readonly encoding?: string | undefined;
  /** Called after every batch with the number of documents that were read, and of all to be read. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * The documents that an update added, changed or removed, by their paths. With `rebuild`, all earlier documents
 * that were read again count as changed.
 */
export interface Update {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The number of unchanged documents. */
  readonly unchanged: number;
  /** Files and folders that were not indexed, with reasons. */
  readonly leftOut: readonly LeftOut[];
  /** The number of files that are not indexed because of their name, for example pictures. */
  readonly others: number;
  /** Added folders and files that no longer exist. Their documents stay in the index without `prune`. */
  readonly vanished: readonly string[];
  /** Folders whose .gitignore git cannot apply, so that ignored files were indexed too. */
  readonly unignored: readonly string[];
  /**
   * Problems of the documents that were read, such as an invalid frontmatter or an unknown cluster,
   * and of a missing file of cards, as sentences.
   */
  readonly problems: readonly string[];
}

interface KnownDocument {
  readonly id: number;
  readonly path: string;
  readonly mtime: number | null;
  readonly size: number;
  readonly hash: string;
  readonly given: 0 | 1;
}

/**
 * Adds the folders and files `paths` to an index, and reads their new and changed documents. Removes
 * documents whose file is gone, is refused now or is now ignored by git. If `paths` is empty, does so for
 * all folders and files that were added before. Does not check claims.
 */
export function updateIndex(place: StoredIndex, options: UpdateOptions = {}): Update {
  const { paths = [], rebuild = false, prune = false, except = [], onProgress } = options;
  const problems = updateCards(place, options);
  for (const path of paths) addRoot(place, path);
  const wanted = paths.length > 0 ? paths : place.roots();
  const known = knownDocuments(place);
  const listings = wanted.map((root) => ({ root, listing: listDocuments(place.project, root) }));
  const vanished = listings.flatMap(({ root, listing }) => (listing === undefined ? [root] : []));
  if (prune) for (const root of vanished) removeRoot(place, root);

  const isTopic = ({ path }: FoundFile): boolean => except.includes(path) || isTopicFile(path);
  const listed = listings.flatMap(({ listing }) => listing?.files ?? []);
  const files = listed.filter((file) => !isTopic(file));
  const leftOut = [
    ...listings.flatMap(({ listing }) => listing?.leftOut ?? []),
    ...listed.filter(isTopic).map(({ path }) => ({ path, why: 'it is the topic of a plan' })),
  ];
  const candidates = files.filter(({ path, mtime, size }) => {
    const there = known.get(path);
    return rebuild || there === undefined || there.mtime !== mtime || there.size !== size;
  });
  const added: string[] = [];
  const changed: string[] = [];
  const real = realPathOf(place.project);
  for (let at = 0; at < candidates.length; at += BATCH) {
    const batch = candidates.slice(at, at + BATCH).flatMap((file) => {
      const read = readDocument(
        place.project,
        real,
        file,
        rebuild ? undefined : known.get(file.path),
        options.encoding,
      );
      if ('why' in read) leftOut.push(read);
      return 'why' in read ? [] : [read];
    });
    const members = new Members(place);
    place.write(() => {
      const writer = new Writer(place, members);
      for (const document of batch) {
        const there = known.get(document.path);
        if (!writer.put(document, rebuild)) continue;
        (there === undefined ? added : changed).push(document.path);
        problems.push(...problemsOf(document, members));
      }
    });
    onProgress?.(Math.min(at + BATCH, candidates.length), candidates.length);
  }
  const refused = new Set(leftOut.map(({ path }) => path));
  const taken = new Set(files.map(({ path }) => path).filter((path) => !refused.has(path)));
  const ignored = new Set(
    wanted.flatMap((root) => {
      const unlisted = [...known.values()].filter(
        ({ path, given }) => given === 0 && !taken.has(path) && isBelow(path, root),
      );
      const paths = unlisted.map(({ path }) => path);
      return paths.length === 0 ? [] : [...findIgnoredByGit(place.project, root, paths)];
    }),
  );
  const gone = [...known.values()].filter(
    ({ path, given }) =>
      given === 0 &&
      !taken.has(path) &&
      wanted.some((root) => isBelow(path, root) && (prune || !vanished.includes(root))) &&
      // Drop a document that was refused, that Git ignores, or whose file is missing. Keep a file that exists
      // but was not listed: another process may have indexed the file after the folder was listed.
      (refused.has(path) || ignored.has(path) || !isThere(resolve(place.project, path))),
  );
  if (gone.length > 0)
    place.write(() => {
      const writer = new Writer(place);
      for (const { id } of gone) writer.drop(id);
    });
  if (prune) place.write(() => forgetVectors(place.db));
  return {
    added,
    changed,
    removed: gone.map(({ path }) => path),
    unchanged: taken.size - added.length - changed.length,
    leftOut,
    others: listings.reduce((sum, { listing }) => sum + (listing?.others ?? 0), 0),
    vanished,
    unignored: listings.flatMap(({ root, listing }) => (listing?.unignored ? [root] : [])),
    problems,
  };
}

/**
 * Returns whether a path is the topic of a plan, such as `docs/planning/clock/topic.md`, which describes
 * what is wanted and not what exists.
 */
function isTopicFile(path: string): boolean {
  return /^docs\/planning\/(?:.+\/)?topic\.md$/.test(path);
}

/**
 * Adds a document with the given text under `path`, where no file has to exist, or replaces the
 * document with this path. Returns the problems of its frontmatter as sentences.
 */
export function addDocument(place: StoredIndex, path: string, text: string): readonly string[] {
  const parsed = parseDocument(path, text);
  const members = new Members(place);
  const size = Buffer.byteLength(text);
  const document = {
    path,
    mtime: null,
    size,
    hash: hashOf(Buffer.from(text)),
    given: true,
    parsed,
  };
  place.write(() => new Writer(place, members).put(document, true));
  return problemsOf(document, members);
}

/** Removes an added folder or file with its documents. Returns false if it was never added. */
export function removeRoot(place: StoredIndex, path: string): boolean {
  return place.write(() => {
    const { changes } = place
      .sql('DELETE FROM context_root WHERE index_id = ? AND path = ?')
      .run(place.id, path);
    if (changes === 0) return false;
    const writer = new Writer(place);
    for (const document of knownDocuments(place).values())
      if (document.given === 0 && isBelow(document.path, path)) writer.drop(document.id);
    return true;
  });
}

/**
 * Adds a folder or file to those that the index covers (its roots). A path inside a root is not added
 * again, and a folder replaces the roots inside it. A path that git ignores stays a root of its own,
 * since the listing of a folder above does not contain it.
 */
function addRoot(place: StoredIndex, path: string): void {
  const known = place.roots();
  if (known.includes(path)) return;
  const ignored = listIgnoredByGit(place.project, [path, ...known]);
  place.write(() => {
    const roots = place.roots();
    if (roots.includes(path)) return;
    if (!ignored.has(path) && roots.some((root) => isBelow(path, root))) return;
    for (const root of roots)
      if (isBelow(root, path) && !ignored.has(root))
        place.sql('DELETE FROM context_root WHERE index_id = ? AND path = ?').run(place.id, root);
    place.sql('INSERT INTO context_root (index_id, path) VALUES (?, ?)').run(place.id, path);
  });
}

function knownDocuments(place: StoredIndex): Map<string, KnownDocument> {
  const rows = place
    .sql('SELECT id, path, mtime, size, hash, given FROM context_document WHERE index_id = ?')
    .all(place.id) as KnownDocument[];
  return new Map(rows.map((row) => [row.path, row]));
}

function isThere(file: string): boolean {
  try {
    return findLinkStatus(file) !== undefined;
  } catch (error) {
    // If the file system refuses to examine a path, the file may still exist. It counts as existing, so that its
    // document stays in the index.
    if (error instanceof RefusedFileError) return true;
    throw error;
  }
}

/**
 * Updates the cards of an index, which describe its clusters, from the project's file of cards. If
 * there is no such file, `otherCards` are used. If `otherCards` is empty too, the existing cards stay; if
 * there are any, a sentence that says so is returned. Otherwise the result is empty.
 *
 * @throws UsageError if `cards` names a file that does not exist
 */
export function updateCards(
  place: StoredIndex,
  { cards: named, otherCards = [] }: Pick<UpdateOptions, 'cards' | 'otherCards'>,
): string[] {
  const file = named ?? place.row.cardsFile ?? CARDS_FILE;
  const listed = readCards(resolve(place.project, file));
  const cards = listed ?? (otherCards.length > 0 ? otherCards : undefined);
  if (listed === undefined && named !== undefined)
    throw new UsageError(`${file}: no such file`, 'It lists the clusters: see docs/context.md.');
  if (named !== undefined) place.set('cards_file', named);
  const old = place.cards();
  if (cards === undefined && old.length > 0)
    return [`there is no ${file}; the clusters that were listed last are still in use`];
  if (cards === undefined || sameCards(cards, old)) return [];
  place.write(() => {
    new Writer(place).putCards(cards);
    new Writer(place).assign();
  });
  return [];
}

function sameCards(cards: readonly Card[], old: readonly Card[]): boolean {
  const toTexts = (all: readonly Card[]): string[] =>
    all.map(({ name, line, words = [] }) => JSON.stringify([name, line, words])).sort();
  return JSON.stringify(toTexts(cards)) === JSON.stringify(toTexts(old));
}

function problemsOf({ path, parsed }: ReadDocument, { clusters }: Members): string[] {
  if (parsed === undefined) return [];
  const unknown = parsed.clusters.filter((name) => clusters.named(name) === undefined);
  return [...parsed.problems, ...unknown.map((name) => `${path}: ${clusters.whyNot(name)}`)];
}

/** Reads a file; if its bytes are unchanged, it is not parsed. */
function readDocument(
  project: string,
  real: string,
  { path, mtime, size }: FoundFile,
  known: KnownDocument | undefined,
  encoding: string | undefined,
): ReadDocument | LeftOut {
  const file = resolve(project, path);
  // A link in the project must not lead out of the project.
  const isOfProject = isBelow(path, '.');
  const within = isOfProject ? { within: real } : {};
  try {
    const most = isBinary(path) ? MOST_DOCUMENT_BYTES : LARGEST_DOCUMENT;
    const bytes = readBytes(file, { most, links: false, ...within });
    if (bytes === undefined) return { path, why: 'it is gone' };
    const hash = hashOf(bytes);
    const trusted = Date.now() - mtime > COARSE_MS ? mtime : null;
    const document = { path, mtime: trusted, size, hash, given: false };
    if (known?.hash === hash) return document;
    if (!isBinary(path))
      return {
        ...document,
        parsed: parseDocument(path, decodeDocument(path, bytes, encoding).text),
      };
    const { text, parts } = extractDocumentSync({ name: path, bytes, encoding });
    return { ...document, parsed: parseDocument(path, text, parts) };
  } catch (error) {
    if (!(error instanceof RefusedFileError)) throw error;
    return { path, why: error.why };
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

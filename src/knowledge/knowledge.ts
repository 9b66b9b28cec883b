/**
 * The index of a project's documents; other rooms import this file alone. An index belongs to a project's
 * folder and a name, and is stored in the database of runs, in tables of its own. The index knows no protocol
 * and calls no model.
 *
 * Each index has its own full-text table, so that other projects do not change the ranks. Words are stemmed.
 * Words of a query that are in too many chunks are ignored. What is too many is a number of chunks and not a
 * share of them, so that unrelated documents change nothing. A chunk is identified by the hash of its
 * headings and text; its vector and its cluster are stored under that hash. Documents are added in batches,
 * each batch in one transaction. With more than 1,500 vectors, the 1,500 whose signs fit best are compared in
 * full. A claim in a document's frontmatter is a chunk of its own, so that a stale claim alone can be
 * withheld.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Card } from '../io/cards.ts';
import { digest } from '../kernel/digest.ts';
import type { Embedder } from '../kernel/embedding.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { ModelSpec, Models } from '../kernel/model.ts';
import { realPathOf } from '../platform/real-path.ts';
import { explainErrors, openDatabase } from '../store/database.ts';
import { type Assigned, assignSections } from './assign.ts';
import { listSections, type SectionRow, setClusters } from './choices.ts';
import { type CheckedClaim, checkIndex } from './claims.ts';
import { isBelow, pathIn } from './files.ts';
import { clusterSizes, findGaps, type Gaps } from './gaps.ts';
import { addPage, type IndexedPage, pagesIn, removePage } from './pages.ts';
import { Place } from './place.ts';
import { createWords, prepareTables } from './schema.ts';
import { type Found, type IndexedChunk, Searcher, type SearchOptions } from './search.ts';
import {
  addDocument,
  removeRoot,
  type Update,
  type UpdateOptions,
  updateCards,
  updateIndex,
} from './update.ts';
import { type Embedded, type EmbedOptions, embedMissing } from './vectors.ts';

/** The name of a project's index where nobody gives it another. */
export const MAIN = 'main';

export interface KnowledgeOptions {
  /** Which of the project's indexes. */
  readonly name?: string | undefined;
  /** Makes the query comparable with the vectors of the index; absent: it is searched by words. */
  readonly embedder?: Embedder | undefined;
  /** Returns the model that made the index's vectors, ready to make more; used where `embedder` is absent. */
  readonly remembered?: ((model: ModelSpec) => Embedder | undefined) | undefined;
  /** Begins an index where there is none; otherwise that is an error. */
  readonly create?: boolean | undefined;
  /** Throws an index of another version away. */
  readonly rebuild?: boolean | undefined;
}

/** What the index was when chunks were taken out of it: plain data, to be kept with a run. */
interface Snapshot {
  readonly index: string;
  /** Equal for equal documents, cards and checks: whether anything has changed since. */
  readonly state: string;
  /** Whole, with their text: what was taken reads the same whatever becomes of the index. */
  readonly chunks: readonly IndexedChunk[];
}

interface IndexSummary {
  readonly project: string;
  readonly name: string;
  readonly roots: readonly {
    readonly path: string;
    readonly documents: number;
    readonly isThere: boolean;
  }[];
  /** The web pages that were added, by name. */
  readonly pages: readonly IndexedPage[];
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly cards: number;
  readonly stale: number;
  readonly embeddings: ModelSpec | null;
}

/**
 * Opens the index of a project: `project` is its folder, the root of its repository where it has one.
 *
 * @throws DeliberateError `no-index` where there is none and none is to be made, `index-version` where it
 * is of another version; StoreError where the database cannot serve.
 */
export function openKnowledge(
  database: string,
  project: string,
  options: KnowledgeOptions = {},
): Knowledge {
  const { name = MAIN, create = false, rebuild = false } = options;
  const db = openDatabase(database);
  try {
    return explainErrors(database, () => {
      const folder = realPathOf(project);
      prepareTables(db, rebuild);
      const find = db
        .prepare('SELECT id FROM context_index WHERE project = ? AND name = ?')
        .pluck();
      const id = db
        .transaction(() => {
          const known = find.get(folder, name) as number | undefined;
          if (known !== undefined || !create) return known;
          const { lastInsertRowid } = db
            .prepare('INSERT INTO context_index (project, name) VALUES (?, ?)')
            .run(folder, name);
          createWords(db, Number(lastInsertRowid));
          return Number(lastInsertRowid);
        })
        .immediate();
      if (id === undefined) throw noIndex(folder, name);
      return new Knowledge(new Place(db, database, folder, name, id), options);
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

function noIndex(project: string, name: string): DeliberateError {
  return new DeliberateError(
    'no-index',
    `${project} has no index${name === MAIN ? '' : ` "${name}"`}`,
    'Index its documents: deliberate context add docs',
  );
}

export class Knowledge {
  readonly #place: Place;
  readonly #searcher: Searcher;
  /** Makes vectors: whoever was named, else whoever made those of the index. */
  readonly embedder: Embedder | undefined;
  readonly #isNamed: boolean;

  /** Use `openKnowledge`. */
  constructor(
    place: Place,
    { embedder, remembered }: Pick<KnowledgeOptions, 'embedder' | 'remembered'>,
  ) {
    const { embeddings } = place.row;
    this.#place = place;
    this.embedder = embedder ?? (embeddings === null ? undefined : remembered?.(embeddings));
    this.#isNamed = embedder !== undefined;
    this.#searcher = new Searcher(place, this.embedder, this.#isNamed);
  }

  close(): void {
    this.#place.db.close();
  }

  /** The best first. Cards are found too, so that a cluster without documents can be. */
  search(query: string, options?: SearchOptions): Promise<Found> {
    return this.#searcher.search(query, options);
  }

  /** All that a cluster has, without its card and without stale claims, by path and line. */
  chunksOf(cluster: string): readonly IndexedChunk[] {
    return this.#searcher.chunksOf(cluster);
  }

  /** As `estimateTokens` counts what `chunksOf` gives. */
  clusterTokens(cluster: string): number {
    return clusterSizes(this.#place).get(cluster)?.tokens ?? 0;
  }

  cards(): readonly Card[] {
    return this.#place.cards();
  }

  /** Takes the project's list of clusters as it is now: it may have changed since documents were added. */
  readCards(): void {
    updateCards(this.#place, {});
  }

  /** Looks every claim up in the project's files: corrects lines that moved, withholds what is stale. */
  check(): readonly CheckedClaim[] {
    return checkIndex(this.#place);
  }

  /** Which clusters a topic touches, and what of the questions no document has. */
  gaps(topic: string, questions: readonly string[] = [], signal?: AbortSignal): Promise<Gaps> {
    return findGaps(this.#place, this.#searcher, topic, questions, signal);
  }

  /**
   * Puts a document in that need not lie in any folder, in place of one of the same path. Updates leave it
   * alone until a file of that path is there. Returns what is wrong with it, each with path and line.
   */
  add(document: { readonly path: string; readonly text: string }): readonly string[] {
    return addDocument(this.#place, document.path, document.text);
  }

  /** Adds a web page, or replaces the page of that name. Returns whether the text is new or has changed. */
  addPage(page: IndexedPage, text: string): boolean {
    return addPage(this.#place, page, text);
  }

  /** Lists the web pages that were added, by name. */
  pages(): readonly IndexedPage[] {
    return pagesIn(this.#place);
  }

  /** Removes a web page, and the index if nothing else is in it. Returns false if there is no such page. */
  removePage(name: string): boolean {
    const removed = removePage(this.#place, name);
    if (removed) this.#removeIfEmpty();
    return removed;
  }

  #removeIfEmpty(): void {
    if (this.#place.roots().length === 0 && this.pages().length === 0) this.#place.remove();
  }

  /** Reads what has changed in the folders, and checks the claims. */
  update({ paths = [], ...options }: UpdateOptions = {}): Update {
    const named = paths.map((path) => pathIn(this.#place.project, path));
    const update = updateIndex(this.#place, { ...options, paths: named });
    this.check();
    return update;
  }

  /** Gives chunks the vectors that they lack. @throws DeliberateError in the provider's words */
  embed(embedder: Embedder, { paths = [], ...options }: EmbedOptions): Promise<Embedded> {
    const named = paths.map((path) => pathIn(this.#place.project, path));
    return embedMissing(this.#place, embedder, { ...options, paths: named });
  }

  /**
   * The same with the index's embedder; undefined where it has none.
   *
   * @returns why there are no vectors, where nobody named the model and it cannot be asked: words are left
   * @throws DeliberateError in the provider's words, where the model was named
   */
  async embedNew(options: EmbedOptions): Promise<Embedded | string | undefined> {
    if (this.embedder === undefined) return undefined;
    try {
      return await this.embed(this.embedder, options);
    } catch (error) {
      if (this.#isNamed || !(error instanceof DeliberateError)) throw error;
      return error.message;
    }
  }

  /** Has a model assign sections to clusters where nobody has: a call for each changed document. */
  assign(
    models: Pick<Models, 'call'>,
    model: ModelSpec,
    options: { signal: AbortSignal; onProgress?: (done: number, of: number) => void },
  ): Promise<Assigned> {
    return assignSections(this.#place, models, model, options);
  }

  sections(): readonly SectionRow[] {
    return listSections(this.#place);
  }

  /**
   * `docs/clock.md#Increment=clock`. Of a whole Markdown document without frontmatter, that is written into the
   * file: told by its path in `front`.
   * @throws UsageError naming what is not there
   */
  setClusters(change: string): { rows: readonly SectionRow[]; front?: string } {
    const { front, ...set } = setClusters(this.#place, change);
    // What stands in the file now is indexed.
    if (front !== undefined) updateIndex(this.#place, {});
    return { ...set, ...(front === undefined ? {} : { front }) };
  }

  /** Whether a folder or a file was added by itself. */
  has(path: string): boolean {
    return this.#place.roots().includes(pathIn(this.#place.project, path));
  }

  /** Forgets a folder; the index as well where that was the last. False where it was never added. */
  remove(path: string): boolean {
    const removed = removeRoot(this.#place, pathIn(this.#place.project, path));
    if (removed) this.#removeIfEmpty();
    return removed;
  }

  /** True the first time: that the index has no embedding model is said once. */
  tellOnce(): boolean {
    if (this.#place.row.told === 1) return false;
    this.#place.set('told', 1);
    return true;
  }

  /** These chunks, and the state that the index was in. */
  snapshot(chunks: readonly IndexedChunk[]): Snapshot {
    const { id, name } = this.#place;
    const documents = this.#place
      .sql('SELECT path, hash, clusters FROM context_document WHERE index_id = ? ORDER BY path')
      .all(id);
    const withheld = this.#place
      .sql('SELECT hash FROM context_chunk WHERE index_id = ? AND withheld ORDER BY hash')
      .all(id);
    return { index: name, state: digest([documents, this.cards(), withheld]), chunks };
  }

  summary(): IndexSummary {
    const { id, project, name, row } = this.#place;
    const documents = this.#place
      .sql('SELECT path FROM context_document WHERE index_id = ?')
      .pluck()
      .all(id) as string[];
    const count = this.#place
      .sql(
        `SELECT count(*) AS chunks, coalesce(sum(tokens), 0) AS tokens, coalesce(sum(withheld), 0) AS stale
          FROM context_chunk WHERE index_id = ? AND kind <> 'card'`,
      )
      .get(id) as { chunks: number; tokens: number; stale: number };
    const roots = this.#place.roots().map((path) => ({
      path,
      documents: documents.filter((one) => isBelow(one, path)).length,
      isThere: existsSync(resolve(project, path)),
    }));
    const cards = this.cards().length;
    const { embeddings } = row;
    const pages = this.pages();
    return {
      project,
      name,
      roots,
      pages,
      documents: documents.length,
      ...count,
      cards,
      embeddings,
    };
  }
}

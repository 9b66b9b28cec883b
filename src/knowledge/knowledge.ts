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
import { computeDigest } from '../kernel/digest.ts';
import type { Embedder } from '../kernel/embedding.ts';
import { DeliberateError } from '../kernel/errors.ts';
import type { ModelSpec, Models } from '../kernel/model.ts';
import { realPathOf } from '../platform/real-path.ts';
import { explainErrors, openDatabase } from '../store/database.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import { type AssignmentResult, assignSections } from './assign.ts';
import { listSections, type SectionRow, setClusters } from './choices.ts';
import { type CheckedClaim, checkIndex } from './claims.ts';
import { isBelow, pathIn } from './files.ts';
import { clusterSizes, findGaps, type Gaps } from './gaps.ts';
import { addPage, type IndexedPage, pagesIn, removePage } from './pages.ts';
import { StoredIndex } from './place.ts';
import { createWords, prepareTables } from './schema.ts';
import { type IndexedChunk, Searcher, type SearchOptions, type SearchResult } from './search.ts';
import {
  addDocument,
  removeRoot,
  type Update,
  type UpdateOptions,
  updateCards,
  updateIndex,
} from './update.ts';
import { type Embedded, type EmbedOptions, embedMissing } from './vectors.ts';

/** The default name of a project's index. */
export const MAIN = 'main';

/** Options for opening an index. */
export interface KnowledgeOptions {
  /** The name of the index; absent: `main`. */
  readonly name?: string | undefined;
  /**
   * Computes the vectors of queries. If another model computed the index's vectors, searches use
   * words only and say so. Absent: `remembered` is asked for an embedder.
   */
  readonly embedder?: Embedder | undefined;
  /**
   * Returns an embedder for the model that computed the index's vectors; called if `embedder` is
   * absent. Without any embedder, the search uses words only.
   */
  readonly remembered?: ((model: ModelSpec) => Embedder | undefined) | undefined;
  /** Creates the index if there is none. Absent: a missing index is an error. */
  readonly create?: boolean | undefined;
  /**
   * If another version of the program made the indexes of the database, deletes all of them with
   * their content. Absent: such indexes are an error.
   */
  readonly rebuild?: boolean | undefined;
}

/** The state of the index when chunks were taken from it: plain data, to be stored with a run. */
interface Snapshot {
  readonly index: string;
  /** A digest that is equal for equal documents, cards and checks. */
  readonly state: string;
  /** The chunks with their whole text, so that later changes of the index do not matter. */
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
 * Opens the index of a project's documents. `database` is the path of the database file. `project`
 * is the project's folder, which is the root of its repository if it has one.
 *
 * @throws DeliberateError `no-index` if there is no index and `create` is not set, `index-version`
 * if the index has another version and `rebuild` is not set; StoreError if the database cannot be
 * used
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
      return new Knowledge(new StoredIndex(db, database, folder, name, id), options);
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

/** An open index of a project's documents, with everything that can be done with it. */
export class Knowledge {
  readonly #place: StoredIndex;
  readonly #searcher: Searcher;
  /**
   * The embedder that was given, otherwise one for the model of the index's vectors; undefined if
   * there is none.
   */
  readonly embedder: Embedder | undefined;
  readonly #isNamed: boolean;

  /** Called by `openKnowledge`. */
  constructor(
    place: StoredIndex,
    { embedder, remembered }: Pick<KnowledgeOptions, 'embedder' | 'remembered'>,
  ) {
    const { embeddings } = place.row;
    this.#place = place;
    this.embedder = embedder ?? (embeddings === null ? undefined : remembered?.(embeddings));
    this.#isNamed = embedder !== undefined;
    this.#searcher = new Searcher(place, this.embedder, this.#isNamed);
  }

  /** Closes the database. */
  close(): void {
    this.#place.db.close();
  }

  /**
   * Searches the index, and returns the best matches first. Cards are included, so that a cluster
   * without documents can be found.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult> {
    return this.#searcher.search(query, options);
  }

  /**
   * Returns the chunks of a cluster, sorted by path; in each document, sections come before claims. The
   * cluster's card and withheld claims are left out.
   */
  chunksOf(cluster: string): readonly IndexedChunk[] {
    return this.#searcher.chunksOf(cluster);
  }

  /** Returns the estimated tokens of all chunks that `chunksOf` returns for the cluster. */
  clusterTokens(cluster: string): number {
    return clusterSizes(this.#place).get(cluster)?.tokens ?? 0;
  }

  /** Returns the cards that describe the clusters. */
  cards(): readonly Card[] {
    return this.#place.cards();
  }

  /** Reads the project's file of cards again, which may have changed since documents were added. */
  readCards(): void {
    updateCards(this.#place, {});
  }

  /**
   * Checks every claim against the project's files. Corrects the line numbers of quotations that
   * moved, and withholds claims whose quotation is no longer in its file: searches do not find them.
   */
  check(): readonly CheckedClaim[] {
    return checkIndex(this.#place);
  }

  /**
   * Returns the clusters that a topic touches, and the words of the questions that occur in no
   * document.
   */
  gaps(topic: string, questions: readonly string[] = [], signal?: AbortSignal): Promise<Gaps> {
    return findGaps(this.#place, this.#searcher, topic, questions, signal);
  }

  /**
   * Adds a document that has no file, or replaces the document with the same path. An update keeps
   * such a document until a file with its path exists. Returns the problems of the document's
   * frontmatter as sentences that begin with the path.
   */
  add(document: { readonly path: string; readonly text: string }): readonly string[] {
    return addDocument(this.#place, document.path, document.text);
  }

  /**
   * Adds a web page, or replaces the page with the same name. Returns whether the text is new or
   * has changed.
   */
  addPage(page: IndexedPage, text: string): boolean {
    return addPage(this.#place, page, text);
  }

  /** Lists the added web pages by name. */
  pages(): readonly IndexedPage[] {
    return pagesIn(this.#place);
  }

  /**
   * Removes a web page, and the whole index if it then has neither a document nor an added folder or
   * file. Returns false if there is no such page.
   */
  removePage(name: string): boolean {
    const removed = removePage(this.#place, name);
    if (removed) this.#removeIfEmpty();
    return removed;
  }

  #removeIfEmpty(): void {
    if (this.#place.roots().length === 0 && this.summary().documents === 0) this.#place.remove();
  }

  /**
   * Adds the folders and files `paths`, reads their new and changed documents, and checks all
   * claims. Without `paths`, reads the documents of all folders and files that were added before.
   */
  update({ paths = [], ...options }: UpdateOptions = {}): Update {
    const named = paths.map((path) => pathIn(this.#place.project, path));
    const update = updateIndex(this.#place, { ...options, paths: named });
    this.check();
    return update;
  }

  /**
   * Computes the missing vectors of chunks with the given embedder. From then on the index has the
   * vectors of the embedder's model.
   * @throws DeliberateError with the provider's message if the model cannot be asked
   */
  embed(embedder: Embedder, { paths = [], ...options }: EmbedOptions): Promise<Embedded> {
    const named = paths.map((path) => pathIn(this.#place.project, path));
    return embedMissing(this.#place, embedder, { ...options, paths: named });
  }

  /**
   * Computes the missing vectors of chunks with the index's embedder. Resolves to undefined if
   * there is no embedder. If its model cannot be asked, resolves to a text with the reason, and the
   * search uses words only.
   * @throws DeliberateError with the provider's message, if the model cannot be asked and the
   * embedder is the one of the options, which a person named
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

  /**
   * Asks a model which clusters the undecided sections belong to, with a call for each document that
   * has such sections, or several for a long document.
   */
  assign(
    models: Pick<Models, 'call'>,
    model: ModelSpec,
    options: { signal: AbortSignal; onProgress?: (done: number, of: number) => void },
  ): Promise<AssignmentResult> {
    return assignSections(this.#place, models, model, options);
  }

  /** Returns all sections with their clusters, sorted by path and position in the document. */
  sections(): readonly SectionRow[] {
    return listSections(this.#place);
  }

  /**
   * Sets a section's clusters as a person wishes: `docs/clock.md#Increment=clock`. For a whole
   * `.md` file in UTF-8 without frontmatter, the clusters are written into the file, whose path is
   * returned in `front`.
   * @throws UsageError if the document, the section or a cluster does not exist
   */
  setClusters(change: string): { rows: readonly SectionRow[]; front?: string } {
    const { front, ...set } = setClusters(this.#place, change);
    // If the clusters were written into the document's file, update the index, since the file has changed.
    if (front !== undefined) updateIndex(this.#place, {});
    return { ...set, ...withoutUndefined({ front }) };
  }

  /** Returns whether this folder or file itself was added to the index. */
  has(path: string): boolean {
    return this.#place.roots().includes(pathIn(this.#place.project, path));
  }

  /**
   * Removes an added folder or file with its documents, and the whole index if it then has neither a
   * document, such as a web page, nor an added folder or file. Returns false if `path` itself was never
   * added.
   */
  remove(path: string): boolean {
    const removed = removeRoot(this.#place, pathIn(this.#place.project, path));
    if (removed) this.#removeIfEmpty();
    return removed;
  }

  /**
   * Returns true the first time it is called for an index, and false later. By this, the notice
   * about the missing embedding model is shown only once.
   */
  tellOnce(): boolean {
    if (this.#place.row.told === 1) return false;
    this.#place.set('told', 1);
    return true;
  }

  /** Returns the given chunks together with the state of the index, to be stored with a run. */
  snapshot(chunks: readonly IndexedChunk[]): Snapshot {
    const { id, name } = this.#place;
    const documents = this.#place
      .sql('SELECT path, hash, clusters FROM context_document WHERE index_id = ? ORDER BY path')
      .all(id);
    const withheld = this.#place
      .sql('SELECT hash FROM context_chunk WHERE index_id = ? AND withheld ORDER BY hash')
      .all(id);
    return { index: name, state: computeDigest([documents, this.cards(), withheld]), chunks };
  }

  /** Returns the folders, pages and sizes of the index. */
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
      documents: documents.filter((document) => isBelow(document, path)).length,
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

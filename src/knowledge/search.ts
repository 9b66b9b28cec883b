/**
 * Searches by words (bm25) and, if there are vectors, by meaning. The rankings are merged by rank, since
 * the two kinds of scores cannot be compared and bm25 has no scale.
 */
import type { Embedder } from '../kernel/embedding.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { lineLabel, type Part as Page, rangeLabel } from '../text/documents/parts.ts';
import { withoutUndefined } from '../text/without-undefined.ts';
import type { StoredIndex } from './place.ts';
import { Matrix } from './vectors.ts';
import { type Term, termsOf } from './words.ts';

/** The constant of reciprocal rank fusion, from Cormack, Clarke, Büttcher, SIGIR 2009. */
const RRF_K = 60;
/** How many places of each ranking count. */
const DEPTH = 200;
/** The weight of a word in a heading, compared with one in the text. */
const HEADING_WEIGHT = 2;
/** The most chunks that a query's words score together, which takes a few milliseconds. */
const MOST_SCORED = 2_000;

/** A chunk of the index as plain data, so that a run can store a copy. */
export interface IndexedChunk {
  readonly kind: 'section' | 'claim' | 'card';
  /** The document's path; empty for a card. */
  readonly path: string;
  /** The headings above the chunk, the topmost first. */
  readonly heading: readonly string[];
  /** The first line in the document, from 1. */
  readonly from: number;
  /** The last line in the document. */
  readonly to: number;
  readonly text: string;
  /** The hash of heading and text. */
  readonly hash: string;
  /** The estimated number of tokens. */
  readonly tokens: number;
  readonly clusters: readonly string[];
  /** The page, slide or sheet that contains the chunk; absent in a document without pages. */
  readonly page?: Page;
}

/** A chunk that a search found, with its positions in the rankings that were combined. */
export interface Hit {
  readonly chunk: IndexedChunk;
  /** The position in the ranking by words, from 1; absent if not among the first 200. */
  readonly words?: number;
  /** The position in the ranking by vectors, from 1; absent if not among the first 200. */
  readonly vectors?: number;
}

/** Options of a search. */
export interface SearchOptions {
  /** Returns only chunks of these clusters; absent: of all clusters and of none. */
  readonly clusters?: readonly string[] | undefined;
  /** Returns only chunks of these kinds; absent: of all kinds. */
  readonly kinds?: readonly IndexedChunk['kind'][] | undefined;
  /** The most hits; default 10. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a search, the best matches first. */
export interface SearchResult {
  readonly hits: readonly Hit[];
  /**
   * A sentence for a person on why the search used words only, such as that the index has vectors of
   * another model or that the model did not answer. Absent if vectors were used, or if the searcher
   * has no embedder.
   */
  readonly note?: string;
}

const COLUMNS = `chunk.id, chunk.kind, coalesce(document.path, '') AS path, chunk.heading,
  chunk.from_line AS "from", chunk.to_line AS "to", chunk.text, chunk.hash, chunk.tokens,
  chunk.page, chunk.page_from AS pageFrom,
  (SELECT json_group_array(cluster) FROM context_member WHERE chunk_id = chunk.id) AS clusters
  FROM context_chunk chunk LEFT JOIN context_document document ON document.id = chunk.document_id`;

type ChunkRow = Omit<IndexedChunk, 'heading' | 'clusters' | 'page'> & {
  readonly page: string | null;
  readonly pageFrom: number | null;
  readonly id: number;
  readonly heading: string;
  readonly clusters: string;
};

/** Searches an index by words and, if there are vectors, by meaning. */
export class Searcher {
  readonly #place: StoredIndex;
  readonly #embedder: Embedder | undefined;
  /**
   * Whether a person named the embedder, so that a failure is an error and not replaced by a search by
   * words.
   */
  readonly #isNamed: boolean;
  #matrix: { readonly state: string; readonly matrix: Matrix } | undefined;

  /** `isNamed`: whether a person named the embedder, so that its failure is an error. */
  constructor(place: StoredIndex, embedder: Embedder | undefined, isNamed: boolean) {
    this.#place = place;
    this.#embedder = embedder;
    this.#isNamed = isNamed;
  }

  /** Searches the index, and returns the best matches first. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    const { limit = 10, signal = new AbortController().signal } = options;
    const { vector, note } = await this.#embedded(query, signal);
    return this.#place.read(() => {
      const allowed = this.#allowed(options);
      const byWords = this.#rankWords(termsOf(query), allowed);
      const byVectors = vector === undefined ? [] : this.#rankVectors(vector, allowed);
      const ranks = new Map<number, { words?: number; vectors?: number }>();
      for (const [index, id] of byWords.entries()) ranks.set(id, { words: index + 1 });
      for (const [index, id] of byVectors.entries())
        ranks.set(id, { ...ranks.get(id), vectors: index + 1 });
      const scoreRank = (rank: number | undefined): number =>
        rank === undefined ? 0 : 1 / (RRF_K + rank);
      const scored = [...ranks].map(([id, rank]) => ({
        id,
        rank,
        score: scoreRank(rank.words) + scoreRank(rank.vectors),
      }));
      // If several chunks have the same score as the last hit (`edge`), keep them all until they are sorted by
      // path and line. So the same index gives the same hits on every computer.
      const edge = scored.map(({ score }) => score).sort((a, b) => b - a)[limit - 1] ?? 0;
      const best = scored.filter(({ score }) => score >= edge);
      const chunks = new Map(this.#rows(best.map(({ id }) => id)).map((row) => [row.id, row]));
      const hits = best
        .flatMap(({ id, rank, score }) => {
          const row = chunks.get(id);
          return row === undefined ? [] : [{ row, rank, score }];
        })
        .sort((a, b) => b.score - a.score || byPlace(a.row, b.row))
        .slice(0, limit)
        .map(({ row, rank }) => ({ chunk: chunkFrom(row), ...rank }));
      return { hits, ...withoutUndefined({ note }) };
    });
  }

  /**
   * Returns those words of a text (see `termsOf`) that no document of the index contains, in lower
   * case. Withheld claims do not count.
   */
  missingWords(text: string): string[] {
    const { words } = this.#place;
    const has = this.#place.sql(
      `SELECT 1 FROM ${words} JOIN context_chunk chunk ON chunk.id = ${words}.rowid
        WHERE ${words} MATCH ? AND chunk.kind <> 'card' AND NOT chunk.withheld LIMIT 1`,
    );
    return termsOf(text)
      .filter(({ match }) => has.get(match) === undefined)
      .map(({ word }) => word);
  }

  /**
   * Returns all chunks of a cluster except its card and withheld claims, sorted by path; in each document,
   * sections come before claims.
   */
  chunksOf(cluster: string): IndexedChunk[] {
    return (
      this.#place
        .sql(
          `SELECT ${COLUMNS} WHERE chunk.index_id = ? AND chunk.kind <> 'card' AND NOT chunk.withheld
            AND EXISTS (SELECT 1 FROM context_member WHERE chunk_id = chunk.id AND cluster = ?)
            ORDER BY document.path, chunk.place`,
        )
        .all(this.#place.id, cluster) as ChunkRow[]
    ).map(chunkFrom);
  }

  /** Embeds the query, or returns a note on why that is impossible. */
  async #embedded(
    query: string,
    signal: AbortSignal,
  ): Promise<{ vector?: Float32Array; note?: string }> {
    const { embeddings, dimensions } = this.#place.row;
    const embedder = this.#embedder;
    if (embedder === undefined || query.trim() === '') return {};
    if (embeddings !== embedder.model)
      return {
        note: `the index has ${embeddings === null ? 'no vectors' : `vectors of ${embeddings}`}, not of ${embedder.model}: keyword search only. Embed it: deliberate context add --embed ${embedder.model}`,
      };
    let vector: Float32Array | undefined;
    try {
      [vector] = await embedder.embed([query], 'query', signal);
    } catch (error) {
      if (this.#isNamed || !(error instanceof DeliberateError)) throw error;
      return { note: `${error.message}: keyword search only` };
    }
    if (vector?.length === dimensions) return { vector };
    return {
      note: `${embedder.model} now returns ${vector?.length ?? 0} dimensions, the index has ${dimensions}: keyword search only. Rebuild it: deliberate context add --rebuild`,
    };
  }

  /** Returns the chunks that the search is limited to; undefined: all that are not withheld. */
  #allowed({ clusters, kinds }: SearchOptions): ReadonlySet<number> | undefined {
    if (clusters === undefined && kinds === undefined) return undefined;
    const ids = this.#place
      .sql(
        `SELECT id FROM context_chunk chunk WHERE index_id = @index AND NOT withheld
          AND (@kinds IS NULL OR kind IN (SELECT value FROM json_each(@kinds)))
          AND (@clusters IS NULL OR EXISTS (SELECT 1 FROM context_member
            WHERE chunk_id = chunk.id AND cluster IN (SELECT value FROM json_each(@clusters))))`,
      )
      .pluck()
      .all({
        index: this.#place.id,
        kinds: kinds === undefined ? null : JSON.stringify(kinds),
        clusters: clusters === undefined ? null : JSON.stringify(clusters),
      }) as number[];
    return new Set(ids);
  }

  #rankWords(terms: readonly Term[], allowed: ReadonlySet<number> | undefined): number[] {
    const { words } = this.#place;
    const telling = this.#telling(terms);
    if (telling.length === 0) return [];
    const withheld = this.#withheld();
    const ranked = this.#place
      .sql(
        `SELECT rowid AS id, rank FROM ${words}
          WHERE ${words} MATCH ? AND rank MATCH 'bm25(${HEADING_WEIGHT}.0, 1.0)'
            AND (? IS NULL OR +rowid IN (SELECT value FROM json_each(?)))
          ORDER BY rank LIMIT ?`,
      )
      .all(
        telling.map(({ match }) => match).join(' OR '),
        allowed === undefined ? null : 1,
        JSON.stringify([...(allowed ?? [])]),
        DEPTH + withheld.size,
      ) as { id: number; rank: number }[];
    const hits = ranked.filter(({ id }) => !withheld.has(id)).slice(0, DEPTH);
    const places = this.#places(hits.map(({ id }) => id));
    return hits
      .toSorted((a, b) => a.rank - b.rank || (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
      .map(({ id }) => id);
  }

  /** Returns the order of chunks by path and line; cards come first. */
  #places(ids: readonly number[]): Map<number, number> {
    const sorted = this.#place
      .sql(
        `SELECT chunk.id FROM context_chunk chunk
          LEFT JOIN context_document document ON document.id = chunk.document_id
          WHERE chunk.id IN (SELECT value FROM json_each(?)) ORDER BY document.path, chunk.place`,
      )
      .pluck()
      .all(JSON.stringify(ids)) as number[];
    return new Map(sorted.map((id, index) => [id, index]));
  }

  /**
   * Returns the words that rank: the rarest, as long as they occur in few enough chunks together. A very
   * frequent word tells little, and would have every chunk scored. The limit does not depend on the number
   * of other chunks.
   */
  #telling(terms: readonly Term[]): Term[] {
    const { words } = this.#place;
    const count = this.#place
      .sql(
        `SELECT count(*) FROM (SELECT 1 FROM ${words} WHERE ${words} MATCH ? LIMIT ${MOST_SCORED})`,
      )
      .pluck();
    const counted = terms
      .map((term) => ({ term, chunks: count.get(term.match) as number }))
      .filter(({ chunks }) => chunks > 0)
      .sort((a, b) => a.chunks - b.chunks);
    let sum = 0;
    return counted
      .filter(({ chunks }, index) => {
        sum += chunks;
        return index === 0 || sum < MOST_SCORED;
      })
      .map(({ term }) => term);
  }

  #rankVectors(vector: Float32Array, allowed: ReadonlySet<number> | undefined): number[] {
    const matrix = this.#load();
    const withheld = this.#withheld();
    if (allowed === undefined && withheld.size === 0) return matrix.nearest(vector, DEPTH);
    const isAllowed = (id: number): boolean => (allowed?.has(id) ?? true) && !withheld.has(id);
    return matrix.nearest(vector, DEPTH, isAllowed);
  }

  #withheld(): ReadonlySet<number> {
    const ids = this.#place
      .sql('SELECT id FROM context_chunk WHERE index_id = ? AND withheld')
      .pluck()
      .all(this.#place.id) as number[];
    return new Set(ids);
  }

  /** Loads the vectors; cached until any process writes. */
  #load(): Matrix {
    const { db, row } = this.#place;
    const version = db.pragma('data_version', { simple: true });
    const own = this.#place.sql('SELECT total_changes()').pluck().get();
    const state = `${version} ${own} ${row.embeddings} ${row.dimensions}`;
    if (this.#matrix?.state !== state) {
      const matrix = new Matrix(this.#place, row.embeddings ?? '', row.dimensions ?? 0);
      this.#matrix = { state, matrix };
    }
    return this.#matrix.matrix;
  }

  #rows(ids: readonly number[]): ChunkRow[] {
    return this.#place
      .sql(`SELECT ${COLUMNS} WHERE chunk.id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids)) as ChunkRow[];
  }
}

function byPlace(a: ChunkRow, b: ChunkRow): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.from - b.from || a.id - b.id;
}

/**
 * Formats the lines of a chunk as a citation: `docs/plan.md#L10-L20`, or
 * `docs/report.pdf#p3L10-L12`.
 */
export function chunkPlace({
  path,
  from,
  to,
  page,
}: Pick<IndexedChunk, 'path' | 'from' | 'to' | 'page'>): string {
  return `${path}#${page === undefined ? `L${from}-L${to}` : rangeLabel(from, to, [page])}`;
}

/**
 * Formats the first line of a chunk as a citation: `docs/plan.md#L10`, or `docs/report.pdf#p3L10`.
 */
export function chunkStart({
  path,
  from,
  page,
}: Pick<IndexedChunk, 'path' | 'from' | 'page'>): string {
  return `${path}#${lineLabel(from, page === undefined ? [] : [page])}`;
}

function chunkFrom({
  id: _id,
  heading,
  clusters,
  page,
  pageFrom,
  ...rest
}: ChunkRow): IndexedChunk {
  return {
    ...rest,
    ...(page === null || pageFrom === null ? {} : { page: { name: page, from: pageFrom } }),
    heading: JSON.parse(heading) as string[],
    clusters: (JSON.parse(clusters) as string[]).sort(),
  };
}

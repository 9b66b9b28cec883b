/**
 * Adds missing vectors of chunks, and finds the nearest ones. A scan over one array is fast enough for
 * 50,000.
 */
import type { Embedder } from '../kernel/embedding.ts';
import type { ModelSpec } from '../kernel/model.ts';
import { isBelow } from './files.ts';
import type { StoredIndex } from './place.ts';

/** Texts per request. */
const BATCH = 64;

/** The result of computing vectors. */
export interface Embedded {
  /** The number of texts that were sent to the model: without `again`, only texts that had no vector. */
  readonly texts: number;
  /**
   * The number of chunks that have no vector of this model and dimension, such as those of documents
   * that are not below `paths`.
   */
  readonly without: number;
  /** The model and dimension that the index used before; absent if they are the same, or if there were none. */
  readonly before?: { readonly model: ModelSpec; readonly dimensions: number } | undefined;
  /** The dimension of the model's vectors in the index; 0 if there are none. */
  readonly dimensions: number;
}

/** Options for computing vectors. */
export interface EmbedOptions {
  /**
   * Computes vectors only for documents below these paths, and always for cards. Empty: for all
   * documents.
   */
  readonly paths?: readonly string[];
  /** Computes vectors also for chunks that already have a vector of the embedder's model. */
  readonly again?: boolean;
  readonly signal: AbortSignal;
  /** Called after every batch with the numbers of texts that are done, and of all. */
  readonly onProgress?: (done: number, of: number) => void;
}

interface Wanted {
  readonly hash: string;
  readonly heading: string;
  readonly text: string;
  readonly path: string | null;
}

/**
 * Computes the missing vectors of an index with the embedder's model. From then on the index uses the
 * vectors of this model.
 */
export async function embedMissing(
  place: StoredIndex,
  embedder: Embedder,
  { paths = [], again = false, signal, onProgress }: EmbedOptions,
): Promise<Embedded> {
  const { model } = embedder;
  const { embeddings, dimensions: known } = place.row;
  const wanted = listMissing(place, model, again).filter(
    ({ path }) => path === null || paths.length === 0 || paths.some((root) => isBelow(path, root)),
  );
  let dimensions = embeddings === model ? (known ?? 0) : 0;
  for (let at = 0; at < wanted.length; at += BATCH) {
    const batch = wanted.slice(at, at + BATCH);
    const vectors = await embedder.embed(batch.map(embeddedText), 'document', signal);
    dimensions = vectors[0]?.length ?? dimensions;
    // Store each batch before the next is sent, so that an interruption loses no vectors that were
    // paid for.
    place.write(() => {
      for (const [index, { hash }] of batch.entries()) {
        const vector = vectors[index];
        if (vector !== undefined)
          place
            .sql('INSERT OR REPLACE INTO context_vector (hash, model, vector) VALUES (?, ?, ?)')
            .run(hash, model, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
      }
    });
    onProgress?.(Math.min(at + BATCH, wanted.length), wanted.length);
  }
  if (dimensions === 0) dimensions = commonDimensions(place, model);
  place.set('embeddings', model);
  place.set('dimensions', dimensions);
  const isOther = embeddings !== null && (embeddings !== model || (known ?? 0) !== dimensions);
  return {
    texts: wanted.length,
    without: countWithout(place, model, dimensions),
    dimensions,
    ...(isOther ? { before: { model: embeddings, dimensions: known ?? 0 } } : {}),
  };
}

/** Returns the text that is embedded: the headings and the text of a chunk. */
function embeddedText({ heading, text }: Pick<Wanted, 'heading' | 'text'>): string {
  return [...(JSON.parse(heading) as string[]), text].join('\n');
}

function listMissing(place: StoredIndex, model: ModelSpec, again: boolean): Wanted[] {
  return place
    .sql(
      `SELECT chunk.hash, chunk.heading, chunk.text, min(document.path) AS path
        FROM context_chunk chunk LEFT JOIN context_document document ON document.id = chunk.document_id
        WHERE chunk.index_id = ? AND (? OR NOT EXISTS (
          SELECT 1 FROM context_vector vector WHERE vector.hash = chunk.hash AND vector.model = ?))
        GROUP BY chunk.hash ORDER BY min(chunk.id)`,
    )
    .all(place.id, again ? 1 : 0, model) as Wanted[];
}

/** Returns the dimension of this index's vectors of a model; 0 if there are none. */
function commonDimensions(place: StoredIndex, model: ModelSpec): number {
  return (
    (place
      .sql(
        `SELECT length(vector) / 4 AS dimensions FROM context_vector
          JOIN context_chunk chunk USING (hash) WHERE chunk.index_id = ? AND model = ?
          GROUP BY dimensions ORDER BY count(*) DESC LIMIT 1`,
      )
      .pluck()
      .get(place.id, model) as number | undefined) ?? 0
  );
}

function countWithout(place: StoredIndex, model: ModelSpec, dimensions: number): number {
  return place
    .sql(
      `SELECT count(*) FROM context_chunk chunk WHERE index_id = ? AND NOT EXISTS (
        SELECT 1 FROM context_vector vector
          WHERE vector.hash = chunk.hash AND model = ? AND length(vector) = 4 * ?)`,
    )
    .pluck()
    .get(place.id, model, dimensions) as number;
}

/**
 * The number of vectors that are compared in full: of more, those whose signs agree best with the query's.
 */
const CANDIDATES = 1_500;

/** The vectors of an index in one array, in the order of its chunks, to find those nearest to a query. */
export class Matrix {
  readonly #ids: Int32Array;
  /** 0, 1, 2, … */
  readonly #all: Int32Array;
  readonly #values: Float32Array;
  /** The signs of all numbers, 32 per integer. */
  readonly #signs: Int32Array;
  readonly #dimensions: number;

  constructor(place: StoredIndex, model: ModelSpec, dimensions: number) {
    const rows = place.sql(
      `SELECT chunk.id, vector FROM context_chunk chunk JOIN context_vector USING (hash)
        WHERE chunk.index_id = ? AND model = ? AND length(vector) = 4 * ? ORDER BY chunk.id`,
    );
    const count = countOf(place);
    const ids = new Int32Array(count);
    const values = new Float32Array(count * dimensions);
    const bytes = Buffer.from(values.buffer);
    let at = 0;
    for (const row of rows.iterate(place.id, model, dimensions)) {
      const { id, vector } = row as { id: number; vector: Buffer };
      ids[at] = id;
      vector.copy(bytes, at * dimensions * 4);
      at += 1;
    }
    this.#ids = ids.subarray(0, at);
    this.#all = this.#ids.map((_id, row) => row);
    this.#values = values.subarray(0, at * dimensions);
    this.#signs = signsOf(this.#values, dimensions);
    this.#dimensions = dimensions;
  }

  /**
   * Returns the ids of at most `limit` chunks, those nearest to the vector first. `takes` selects
   * the chunks that count; absent: all do. With more than 1,500 of them, a near one may be missed.
   */
  nearest(vector: Float32Array, limit: number, takes?: (id: number) => boolean): number[] {
    const ids = this.#ids;
    const all = this.#all;
    const rows = takes === undefined ? all : all.filter((row) => takes(ids[row] as number));
    const near = this.#agreeing(rows, vector);
    const scores = this.#products(near, vector);
    return Array.from(near, (row, index) => ({
      id: ids[row] as number,
      score: scores[index] as number,
    }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  /** Returns the rows that agree with a vector in most signs: at least `CANDIDATES`, with all ties. */
  #agreeing(rows: Int32Array, vector: Float32Array): Int32Array {
    if (rows.length <= CANDIDATES) return rows;
    const signs = this.#signs;
    const wanted = signsOf(vector, this.#dimensions);
    const words = wanted.length;
    const apart = new Uint16Array(rows.length);
    const often = new Uint32Array(this.#dimensions + 1);
    for (let index = 0; index < rows.length; index += 1) {
      const from = (rows[index] as number) * words;
      let bits = 0;
      for (let word = 0; word < words; word += 1)
        bits += bitsIn((signs[from + word] as number) ^ (wanted[word] as number));
      apart[index] = bits;
      often[bits] = (often[bits] as number) + 1;
    }
    let most = 0;
    for (let sum = often[0] as number; sum < CANDIDATES; sum += often[most] as number) most += 1;
    return rows.filter((_row, index) => (apart[index] as number) <= most);
  }

  #products(rows: Int32Array, vector: Float32Array): Float64Array {
    const values = this.#values;
    const dimensions = this.#dimensions;
    const scores = new Float64Array(rows.length);
    for (let index = 0; index < rows.length; index += 1) {
      const from = (rows[index] as number) * dimensions;
      // Add up two independent sums instead of one, since the processor can compute them in parallel.
      let even = 0;
      let odd = 0;
      for (let at = 0; at + 1 < dimensions; at += 2) {
        even += (values[from + at] as number) * (vector[at] as number);
        odd += (values[from + at + 1] as number) * (vector[at + 1] as number);
      }
      if (dimensions % 2 === 1)
        even += (values[from + dimensions - 1] as number) * (vector[dimensions - 1] as number);
      scores[index] = even + odd;
    }
    return scores;
  }
}

function signsOf(values: Float32Array, dimensions: number): Int32Array {
  const words = Math.ceil(dimensions / 32);
  const rows = dimensions === 0 ? 0 : values.length / dimensions;
  const signs = new Int32Array(rows * words);
  for (let row = 0; row < rows; row += 1)
    for (let at = 0; at < dimensions; at += 1)
      if ((values[row * dimensions + at] as number) < 0) {
        const word = row * words + (at >> 5);
        signs[word] = (signs[word] as number) | (1 << (at & 31));
      }
  return signs;
}

/** Returns the number of set bits (Hacker's Delight, figure 5-2). */
function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function countOf(place: StoredIndex): number {
  return place
    .sql('SELECT count(*) FROM context_chunk WHERE index_id = ?')
    .pluck()
    .get(place.id) as number;
}

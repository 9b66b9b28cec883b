/** Makes vectors of texts for test servers, and misbehaves as their options say. */
import type { ServerResponse } from 'node:http';
import { type RecordedRequest, sendJson } from './http.ts';

/** How a server answers one request for embeddings. */
export type EmbeddingBehaviour =
  | 'ok'
  /** Returns one vector too few. */
  | 'wrong-count'
  /** Returns vectors with `null` in place of a number. */
  | 'null'
  /** Writes NaN into the vector, which is not JSON. */
  | 'nan'
  /** Returns vectors of zeros. */
  | 'zeros'
  /** Returns a last vector that is shorter than the others. */
  | 'ragged'
  /** Answers with status 500. */
  | 'error'
  /** Never answers. */
  | 'stall';

/** How a server makes vectors. */
export interface EmbeddingOptions {
  /** The length of every vector. Default 64. A test may change the length while the server runs. */
  dimensions?: number;
  /**
   * The behaviours of the next requests, in order; the last behaviour is repeated. By default all requests
   * are answered well.
   */
  embeds?: EmbeddingBehaviour | EmbeddingBehaviour[];
  /**
   * For some words, another word of the same meaning, such as `{ car: 'automobile' }`. Both words of a pair
   * get the same direction, so that a search by vectors finds what a search for words does not.
   */
  readonly synonyms?: Readonly<Record<string, string>>;
}

/**
 * Answers a request for embeddings and returns true. If the server stalls, returns a promise that resolves to
 * true when the client is gone. `wrap` puts the vectors into the JSON object in which the server's API has
 * them.
 */
export function answerEmbeddings(
  options: EmbeddingOptions,
  request: RecordedRequest,
  response: ServerResponse,
  wrap: (vectors: readonly unknown[]) => unknown,
): true | Promise<boolean> {
  const texts = [request.body?.input ?? []].flat().map(String);
  const vectors: unknown[] = texts.map((text) => vectorOf(text, options));
  switch (nextOf(options)) {
    case 'stall':
      return new Promise((resolve) => response.once('close', () => resolve(true)));
    case 'error':
      return sendJson(response, 500, { error: 'the runner has crashed' });
    case 'wrong-count':
      return sendJson(response, 200, wrap(vectors.slice(1)));
    case 'null':
      return sendJson(response, 200, wrap(vectors.map(() => [null, 1, 2])));
    case 'zeros':
      return sendJson(response, 200, wrap(vectors.map(() => [0, 0, 0])));
    case 'ragged':
      return sendJson(response, 200, wrap([...vectors.slice(1), [1, 2]]));
    case 'nan':
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(wrap([['HERE']])).replace('"HERE"', 'NaN'));
      return true;
    default:
      return sendJson(response, 200, wrap(vectors));
  }
}

function nextOf(options: EmbeddingOptions): EmbeddingBehaviour {
  const all = [options.embeds ?? 'ok'].flat();
  const [now = 'ok', ...later] = all;
  if (later.length > 0) options.embeds = later;
  return now;
}

/**
 * Returns the sum of a random direction for each word of a text. Texts that share words, or have words of
 * the same meaning, get similar vectors.
 */
export function vectorOf(
  text: string,
  { dimensions = 64, synonyms = {} }: EmbeddingOptions,
): number[] {
  const vector: number[] = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const meant = Object.hasOwn(synonyms, word) ? String(synonyms[word]) : word;
    let state = 7;
    for (const letter of meant) state = (Math.imul(state, 31) + letter.charCodeAt(0)) >>> 0;
    for (let at = 0; at < dimensions; at++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      vector[at] = (vector[at] ?? 0) + state / 2 ** 31 - 1;
    }
  }
  // Give a text without words a vector as well, since a vector of zeros has no direction.
  return vector.some((value) => value !== 0) ? vector : vector.map(() => 1);
}

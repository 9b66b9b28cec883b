/**
 * Finds gaps of the index: clusters that a topic touches and that have no document, and words of questions
 * that occur in no document. A document that ranks below others is no gap.
 */

import { withoutUndefined } from '../text/without-undefined.ts';
import type { StoredIndex } from './place.ts';
import type { Hit, Searcher } from './search.ts';

/**
 * The number of best matches of a topic whose clusters count as touched. A cluster whose card
 * contains a word of the topic counts too.
 */
const FIRST = 3;

interface Touched {
  readonly cluster: string;
  readonly by: 'card' | 'document';
  /** The number of its sections and claims; 0 is a gap. */
  readonly chunks: number;
}

interface QuestionGap {
  readonly question: string;
  /** `nothing`: none of its words occurs in a document; `partly`: some words occur in none. */
  readonly found: 'nothing' | 'partly' | 'all';
  /** The words that occur in no document. */
  readonly missing: readonly string[];
  /** The best hits. */
  readonly best: readonly Hit[];
}

/** What the documents of an index lack for a topic and its questions. */
export interface Gaps {
  /**
   * The clusters that the topic touches: those of its three best matches, and those whose card
   * (description) contains a word of the topic.
   */
  readonly touched: readonly Touched[];
  /** For each question, whether its words occur in documents, and its best matches. */
  readonly questions: readonly QuestionGap[];
  /** A sentence for a person on why the search used words only; see `SearchResult`. */
  readonly note?: string;
}

/**
 * Finds the clusters (domains of the project's documents) that a topic touches, and the words of
 * the questions that occur in no document.
 */
export async function findGaps(
  place: StoredIndex,
  searcher: Searcher,
  topic: string,
  questions: readonly string[],
  signal?: AbortSignal,
): Promise<Gaps> {
  const whole = await searcher.search(topic, { limit: FIRST, signal });
  const cards = await searcher.search(topic, { kinds: ['card'], limit: 200, signal });
  const touched = new Map<string, Touched['by']>();
  for (const { chunk } of whole.hits)
    for (const cluster of chunk.clusters)
      touched.set(cluster, chunk.kind === 'card' ? 'card' : 'document');
  for (const { chunk, words } of cards.hits)
    for (const cluster of words === undefined ? [] : chunk.clusters)
      if (!touched.has(cluster)) touched.set(cluster, 'card');
  const sizes = clusterSizes(place);
  const asked: QuestionGap[] = [];
  for (const question of questions) {
    const kinds = ['section', 'claim'] as const;
    const { hits } = await searcher.search(question, { kinds, limit: FIRST, signal });
    const missing = searcher.missingWords(question);
    const words = hits.some((hit) => hit.words !== undefined);
    const found = !words ? 'nothing' : missing.length > 0 ? 'partly' : 'all';
    asked.push({ question, found, missing, best: hits });
  }
  return {
    touched: [...touched].map(([cluster, by]) => ({
      cluster,
      by,
      chunks: sizes.get(cluster)?.chunks ?? 0,
    })),
    questions: asked,
    ...withoutUndefined({ note: whole.note }),
  };
}

/**
 * Returns for each cluster the number of its chunks and their estimated tokens. A chunk is a claim or
 * a piece of a section; cards and withheld claims do not count. A cluster without chunks has no entry.
 */
export function clusterSizes(place: StoredIndex): Map<string, { chunks: number; tokens: number }> {
  const rows = place
    .sql(
      `SELECT cluster, count(*) AS chunks, sum(chunk.tokens) AS tokens
        FROM context_member JOIN context_chunk chunk ON chunk.id = chunk_id
        WHERE chunk.index_id = ? AND kind <> 'card' AND NOT withheld GROUP BY cluster`,
    )
    .all(place.id) as { cluster: string; chunks: number; tokens: number }[];
  return new Map(rows.map(({ cluster, ...size }) => [cluster, size]));
}

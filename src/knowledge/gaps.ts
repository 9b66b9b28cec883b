/**
 * What the index does not know: clusters that a topic touches and that have no document, and questions of
 * which no document has the words. A document out-ranked by others is no gap.
 */
import type { Place } from './place.ts';
import type { Hit, Searcher } from './search.ts';

/** A card among so many first hits is touched; so is one that has a word of the topic. */
const FIRST = 3;

interface Touched {
  readonly cluster: string;
  readonly by: 'card' | 'document';
  /** Sections and claims that it has; none: a gap. */
  readonly chunks: number;
}

interface QuestionGap {
  readonly question: string;
  /** `nothing`: no document has a word of it; `partly`: some words stand in none. */
  readonly found: 'nothing' | 'partly' | 'all';
  /** The words of it that stand in no document. */
  readonly missing: readonly string[];
  /** What fits best. */
  readonly best: readonly Hit[];
}

export interface Gaps {
  readonly touched: readonly Touched[];
  readonly questions: readonly QuestionGap[];
  readonly note?: string;
}

export async function findGaps(
  place: Place,
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
    ...(whole.note === undefined ? {} : { note: whole.note }),
  };
}

/** Of every cluster that has any: sections and claims, and their tokens. What is withheld does not count. */
export function clusterSizes(place: Place): Map<string, { chunks: number; tokens: number }> {
  const rows = place
    .sql(
      `SELECT cluster, count(*) AS chunks, sum(chunk.tokens) AS tokens
        FROM context_member JOIN context_chunk chunk ON chunk.id = chunk_id
        WHERE chunk.index_id = ? AND kind <> 'card' AND NOT withheld GROUP BY cluster`,
    )
    .all(place.id) as { cluster: string; chunks: number; tokens: number }[];
  return new Map(rows.map(({ cluster, ...size }) => [cluster, size]));
}

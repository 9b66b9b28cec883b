/** What an index asks of a model that turns texts into vectors; the rooms that talk to providers implement it. */
import type { ModelSpec } from './model.ts';

/** Many models are told which side of a search a text is on. */
export type EmbeddedAs = 'query' | 'document';

export interface Embedder {
  /** `ollama/nomic-embed-text`: vectors of different models cannot be compared. */
  readonly model: ModelSpec;
  /**
   * A vector for each text, in their order: all of one dimension, each of length one.
   * @throws DeliberateError in the provider's words, where it gives none after the usual retries.
   */
  embed(
    texts: readonly string[],
    as: EmbeddedAs,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

/** The interface of a model that turns texts into vectors. `src/models` implements it. */
import type { ModelSpec } from './model.ts';

/**
 * Whether a text is embedded as a search query or as a document to be searched. Many models embed
 * the two differently.
 */
export type EmbeddedAs = 'query' | 'document';

/** A model that turns texts into vectors. */
export interface Embedder {
  /**
   * The model's name, such as `ollama/nomic-embed-text`. Vectors of different models cannot be compared.
   */
  readonly model: ModelSpec;
  /**
   * Returns a vector for each text, in the order of the texts. All vectors have the same dimension
   * and length 1.
   * @throws DeliberateError with the provider's message if the provider still fails after the usual
   * retries
   */
  embed(
    texts: readonly string[],
    as: EmbeddedAs,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

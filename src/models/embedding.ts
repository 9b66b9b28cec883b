/**
 * Embeds texts with a provider's model, with the same retries as other calls and a check of the vectors.
 */
import type { EmbeddedAs, Embedder } from '../kernel/embedding.ts';
import { DeliberateError } from '../kernel/errors.ts';
import { NO_USAGE } from '../kernel/model.ts';
import { type Failure, ProviderFailure, STOPPED } from './failure.ts';
import type { Provider } from './provider.ts';
import { type RetryPolicy, withRetries } from './retry.ts';

interface EmbedderOptions {
  readonly provider: Provider;
  /** The model's name at the provider. */
  readonly model: string;
  readonly policy: RetryPolicy;
  readonly idleMs: number;
  /** Removes keys from a sentence. */
  readonly redact: (text: string) => string;
}

/** The prefixes that some models were trained with; texts for other models get none. */
const PREFIXES: readonly (readonly [RegExp, Readonly<Record<EmbeddedAs, string>>])[] = [
  [/\bnomic-embed-text/, { query: 'search_query: ', document: 'search_document: ' }],
  [/\be5-(?:small|base|large)|multilingual-e5/, { query: 'query: ', document: 'passage: ' }],
  [
    /\bmxbai-embed|snowflake-arctic-embed/,
    { query: 'Represent this sentence for searching relevant passages: ', document: '' },
  ],
];

/**
 * Makes the embedder (a function from texts to vectors) of one model. The vectors have length 1. The
 * embedder throws a DeliberateError with the provider's message if the model gives no valid vectors.
 */
export function createEmbedder(options: EmbedderOptions): Embedder {
  const { provider, model, policy, idleMs, redact } = options;
  const prefixes = PREFIXES.find(([name]) => name.test(model))?.[1];
  return {
    model: `${provider.name}/${model}`,
    embed: async (texts, as, signal) => {
      const sent = texts.map((text) => (prefixes?.[as] ?? '') + text);
      let vectors: readonly Float32Array[] = [];
      const embedOnce = async (): Promise<Failure | undefined> => {
        try {
          const given = await provider.embed?.(model, sent, { signal, idleMs });
          const read = readVectors(given, texts.length);
          if (typeof read === 'string')
            return { code: 'malformed', message: `${provider.name}: ${read}`, retry: true };
          vectors = read;
          return undefined;
        } catch (error) {
          if (signal.aborted) return STOPPED;
          if (error instanceof ProviderFailure) return error.failure;
          throw error;
        }
      };
      const { last } = await withRetries(
        async () => {
          const failure = await embedOnce();
          const common = { usage: NO_USAGE, notes: [] };
          return {
            attempt: failure ? { ok: false, failure, ...common } : { ok: true, ...common },
            spoke: false,
          };
        },
        { policy, signal, onEvent: () => undefined },
      );
      if (last.ok) return vectors;
      const { message, next } = last.failure;
      throw new DeliberateError(
        'embedding-failed',
        redact(message),
        next === undefined ? undefined : redact(next),
      );
    },
  };
}

/** Returns the vectors normalised to length 1, or a sentence on what is wrong with the answer. */
function readVectors(given: unknown, count: number): readonly Float32Array[] | string {
  if (!Array.isArray(given)) return 'it did not answer with vectors';
  if (given.length !== count) return `it gave ${given.length} vectors for ${count} texts`;
  const vectors: Float32Array[] = [];
  for (const vector of given as unknown[]) {
    const numbers = Array.isArray(vector) ? (vector as unknown[]) : [];
    if (numbers.length === 0 || !numbers.every((value) => Number.isFinite(value)))
      return 'a vector contains something that is not a number';
    if (numbers.length !== (vectors[0]?.length ?? numbers.length))
      return 'its vectors are of different dimensions';
    const values = numbers as number[];
    const length = Math.hypot(...values);
    if (length === 0 || !Number.isFinite(length)) return 'a vector is zero';
    vectors.push(Float32Array.from(values, (value) => value / length));
  }
  return vectors;
}

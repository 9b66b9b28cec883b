/** How much context Ollama is asked to load a model with. It loads a model anew for every other size. */
import type { ProviderRequest } from '../provider.ts';

/** What an answer may need if the request sets no limit: a long one, or thinking and a short one. In tokens. */
const ANSWER_TOKENS = 4_096;
/** Smaller contexts save nothing worth a reload. In tokens. */
export const LEAST_CONTEXT = 8_192;
/** By how much a context grows at most: 2 GB of memory for a model of 8 billion parameters. In tokens. */
const LARGEST_GROWTH = 16_384;
/** Tokens that may be left of a context that an answer has filled. */
const FULL_WITHIN = 8;

/** The contexts that were asked for, by model. They never shrink. */
export class OllamaContexts {
  /** The largest context asked for so far, in tokens. */
  readonly #sizes = new Map<string, number>();

  /**
   * Returns the context to ask for, in tokens; undefined if the model's window is not known.
   *
   * @param estimate of the prompt, in tokens
   */
  sizeFor(
    request: Pick<ProviderRequest, 'model' | 'maxTokens' | 'room'>,
    estimate: number,
    window: number | undefined,
  ): number | undefined {
    if (window === undefined) return undefined;
    // The estimate may be a quarter too low.
    const needed = estimate * 1.25 + (request.maxTokens ?? ANSWER_TOKENS);
    let size = Math.max(LEAST_CONTEXT, request.room ?? 0, this.#sizes.get(request.model) ?? 0);
    // A few sizes mean few reloads; but a large context takes gigabytes, so it grows by less than itself.
    while (size < needed) size += Math.min(size, LARGEST_GROWTH);
    this.#sizes.set(request.model, size);
    return Math.min(window, size);
  }

  /**
   * Makes later requests ask for a larger context, where an answer filled the one it had and the model can
   * read more.
   *
   * @param used tokens of the prompt and the answer
   * @param size the context that was asked for
   * @returns whether the next request gets a larger context
   */
  grow(model: string, used: number, size: number | undefined, window: number | undefined): boolean {
    if (size === undefined || window === undefined) return false;
    if (used < size - FULL_WITHIN || size >= window) return false;
    this.#sizes.set(model, size + Math.min(size, LARGEST_GROWTH));
    return true;
  }
}

/** Says that Ollama may have dropped the beginning of a prompt, as its versions before 0.12.4 do silently. */
export function cutNote(
  name: string,
  read: number,
  estimate: number,
  numCtx: number | undefined,
): string | undefined {
  const full = numCtx !== undefined && read >= numCtx - 1;
  const short = estimate > 1_000 && read > 0 && read < estimate * 0.6;
  return full || short
    ? `${name} read ${read} tokens of a prompt of about ${estimate}: it may have cut the beginning`
    : undefined;
}

/** Chooses the size of the context that Ollama loads a model with. A change of the size reloads the model. */
import type { ProviderRequest } from '../provider.ts';

/** Tokens kept free for an answer without a limit: enough for a long one, or for thinking and a short one. */
const ANSWER_TOKENS = 4_096;
/**
 * The smallest context that is asked for, in tokens. A smaller context would save little memory.
 */
export const LEAST_CONTEXT = 8_192;
/** The most tokens a context grows by: 2 GB of memory for a model of 8 billion parameters. */
const LARGEST_GROWTH = 16_384;
/** A context counts as full if at most this many tokens of it are left. */
const FULL_WITHIN = 8;

/** The context size to ask Ollama for, by model. A size never shrinks within a process. */
export class OllamaContexts {
  /** The largest context asked for so far, in tokens. */
  readonly #sizes = new Map<string, number>();

  /**
   * Returns the context to ask for, in tokens; undefined if the model's window is not known.
   *
   * @param estimate the estimated tokens of the prompt
   * @param window the model's window, in tokens
   */
  sizeFor(
    request: Pick<ProviderRequest, 'model' | 'maxTokens' | 'room'>,
    estimate: number,
    window: number | undefined,
  ): number | undefined {
    if (window === undefined) return undefined;
    // The real number of tokens may be a quarter higher than the estimate.
    const needed = estimate * 1.25 + (request.maxTokens ?? ANSWER_TOKENS);
    let size = Math.max(LEAST_CONTEXT, request.room ?? 0, this.#sizes.get(request.model) ?? 0);
    // Few sizes mean few reloads of the model, so double a small context. A large context takes gigabytes, so it
    // grows by a fixed amount.
    while (size < needed) size += Math.min(size, LARGEST_GROWTH);
    this.#sizes.set(request.model, size);
    return Math.min(window, size);
  }

  /**
   * Raises the context size for later requests if an answer filled its context and the model's
   * window is larger.
   *
   * @param used tokens of the prompt and the answer
   * @param size the context that was asked for, in tokens
   * @returns whether the next request gets a larger context
   */
  grow(model: string, used: number, size: number | undefined, window: number | undefined): boolean {
    if (size === undefined || window === undefined) return false;
    if (used < size - FULL_WITHIN || size >= window) return false;
    // Another call may meanwhile have raised the model's context size even further, so keep the larger size.
    const grown = size + Math.min(size, LARGEST_GROWTH);
    this.#sizes.set(model, Math.max(this.#sizes.get(model) ?? 0, grown));
    return true;
  }
}

/**
 * Returns a note if Ollama seems to have dropped the beginning of a prompt, as versions before
 * 0.12.4 do silently; otherwise undefined. All figures are in tokens.
 *
 * @param read the length of the prompt as the server counted it
 * @param estimate the length of the prompt as this program estimated it
 * @param numCtx the context that the request asked for; undefined if the server chose
 */
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

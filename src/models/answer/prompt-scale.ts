/**
 * Corrects estimates of prompt lengths by the counts that servers report. Tokenizers differ: a small model
 * may need a third more tokens for the same English text than a large one. A chat template adds tokens to
 * each prompt, which matter only in short ones. So an estimate is corrected by the last prompt of about the
 * same size.
 */

/**
 * The accepted range of count over estimate. A server outside it counts something else, such as only
 * uncached tokens or all slots.
 */
const [LEAST, MOST] = [0.6, 2.5];
/** Prompts with fewer tokens than this count as one size. */
const SHORTEST = 32;
/**
 * Counts of prompts below this many tokens depend more on the template than on the text, and are not used
 * for longer prompts.
 */
const MOSTLY_TEXT = 150;

/**
 * Learns, for one model, the factor between the program's estimates of tokens and the counts of the
 * server.
 */
export class PromptScale {
  /** Counted over estimated tokens of the last prompt of each size. */
  readonly #factors = new Map<number, number>();

  /**
   * Learns from the server's count of one prompt. An implausible count is ignored, such as 0, which
   * says that the server reported none.
   */
  learn(estimated: number, counted: number): void {
    const factor = counted / estimated;
    if (factor >= LEAST && factor <= MOST) this.#factors.set(sizeOf(estimated), factor);
  }

  /**
   * Returns the estimate multiplied by the factor that was learned from a prompt of about its size, in
   * tokens. Without such a prompt, the estimate is returned unchanged.
   */
  apply(estimated: number): number {
    const size = sizeOf(estimated);
    const [nearest] = [...this.#factors]
      .map(([known, factor]) => ({ known, factor, distance: Math.abs(known - size) }))
      .filter(({ known, distance }) => known >= sizeOf(MOSTLY_TEXT) || distance <= 1)
      .toSorted((left, right) => left.distance - right.distance || right.known - left.known);
    return Math.ceil(estimated * (nearest?.factor ?? 1));
  }
}

/** Returns the size class of a prompt; each class covers twice the length of the one before. */
function sizeOf(estimated: number): number {
  return Math.round(Math.log2(Math.max(estimated, SHORTEST)));
}

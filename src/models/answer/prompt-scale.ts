/**
 * Corrects our estimates of prompts by what servers count. Tokenizers differ: a small model's needs a third
 * more tokens for the same English than a large one's, and a chat template adds its own.
 */

/** Prompts that are too short tell more of the template than of the text. In tokens. */
const MIN_PROMPT = 150;
/** A server that counts beyond these factors counts something else: what is not cached, or all slots. */
const [LEAST, MOST] = [0.6, 2.5];

export class PromptScale {
  /** Counted over estimated, of the last prompt that was long enough. */
  #factor = 1;

  /** Takes the server's count of a prompt; 0 if it gave none. */
  learn(estimated: number, counted: number): void {
    const factor = counted / estimated;
    if (estimated >= MIN_PROMPT && factor >= LEAST && factor <= MOST) this.#factor = factor;
  }

  /** Returns an estimate as this model's server would count it, in tokens. */
  apply(estimated: number): number {
    return Math.ceil(estimated * this.#factor);
  }
}

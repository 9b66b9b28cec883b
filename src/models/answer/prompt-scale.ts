/**
 * Corrects our estimates of prompts by what servers count. Tokenizers differ: a small model's needs a third
 * more tokens for the same English than a large one's, and a chat template adds its own to each prompt, which
 * is much of a short one and nothing of a long one. So prompts are corrected by the last one of about their size.
 */

/** A server that counts beyond these factors counts something else: what is not cached, or all slots. */
const [LEAST, MOST] = [0.6, 2.5];
/** Prompts shorter than this are of one size, in tokens. */
const SHORTEST = 32;
/** Shorter prompts tell more of the template than of the text, and so nothing of much longer ones. */
const MOSTLY_TEXT = 150;

export class PromptScale {
  /** Counted over estimated, of the last prompt of each size. */
  readonly #factors = new Map<number, number>();

  /** Takes the server's count of a prompt; 0 if it gave none. */
  learn(estimated: number, counted: number): void {
    const factor = counted / estimated;
    if (factor >= LEAST && factor <= MOST) this.#factors.set(sizeOf(estimated), factor);
  }

  /** Returns an estimate as this model's server would count it, in tokens. */
  apply(estimated: number): number {
    const size = sizeOf(estimated);
    const [nearest] = [...this.#factors]
      .map(([known, factor]) => ({ known, factor, distance: Math.abs(known - size) }))
      .filter(({ known, distance }) => known >= sizeOf(MOSTLY_TEXT) || distance <= 1)
      .toSorted((left, right) => left.distance - right.distance || right.known - left.known);
    return Math.ceil(estimated * (nearest?.factor ?? 1));
  }
}

/** Returns the size of a prompt: each is twice as long as the one before. */
function sizeOf(estimated: number): number {
  return Math.round(Math.log2(Math.max(estimated, SHORTEST)));
}

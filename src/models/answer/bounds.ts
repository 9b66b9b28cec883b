/**
 * Watches an answer while it streams, and tells when there is no use in reading on: it is longer than its task
 * allows, it repeats itself, or it does not end at all.
 */
import { estimateTokens } from '../../kernel/tokens.ts';
import { endlessFailure, type Failure, repeatingFailure } from '../failure.ts';
import { overLimit } from '../providers/limits.ts';
import { endsInRepetition, WINDOW } from './repetition.ts';

/** Characters of answer and thinking, a million tokens: the longest answers there are have an eighth of it. */
const MAX_SAID = 4 * 1024 * 1024;
/** Characters after which a structured answer is counted again. */
const COUNTED_AT_ONCE = 256;
/** Characters a token, of English. */
const PER_TOKEN = 4;
/** Characters after which an answer is searched for repetition again. */
const COMPARED_AT_ONCE = 1_000;

type Part = 'text' | 'thinking';

export class AnswerBounds {
  readonly #provider: string;
  readonly #maxTokens: number | undefined;
  #counted = 0;
  #length = 0;
  /** The end of each part, as far as it was searched, and the pieces that came after it. */
  readonly #ends = {
    text: { searched: '', later: [] as string[], laterLength: 0 },
    thinking: { searched: '', later: [] as string[], laterLength: 0 },
  };

  /** @param maxTokens by our estimate, of the text alone; undefined for an answer in prose */
  constructor(provider: string, maxTokens: number | undefined) {
    this.#provider = provider;
    this.#maxTokens = maxTokens;
  }

  /**
   * Takes the next piece of the answer or of the thinking before it.
   *
   * @param said the whole text so far, this piece included
   * @returns why the answer is cut here; undefined while it may go on
   */
  take(part: Part, piece: string, said: string): Failure | undefined {
    this.#length += piece.length;
    if (this.#length > MAX_SAID) return endlessFailure(this.#provider);
    if (this.#maxTokens !== undefined && said.length >= this.#counted + COUNTED_AT_ONCE) {
      this.#counted = said.length;
      if (estimateTokens(said) > this.#maxTokens) return overLimit(this.#provider, this.#maxTokens);
    }
    return this.#repeats(part, piece)
      ? repeatingFailure(this.#provider, Math.round(this.#length / PER_TOKEN))
      : undefined;
  }

  /** The whole text is not searched: joining its pieces would copy all of it each time. */
  #repeats(part: Part, piece: string): boolean {
    const end = this.#ends[part];
    end.later.push(piece);
    end.laterLength += piece.length;
    if (end.laterLength < COMPARED_AT_ONCE) return false;
    end.searched = `${end.searched}${end.later.join('')}`.slice(-WINDOW);
    end.later = [];
    end.laterLength = 0;
    return endsInRepetition(end.searched, part === 'text' && this.#maxTokens !== undefined);
  }
}

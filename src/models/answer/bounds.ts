/**
 * Watches an answer while it streams, and ends it if the rest cannot be used: it is longer than its task
 * allows, repeats itself, or does not end.
 */
import { estimateTokens } from '../../kernel/tokens.ts';
import { type Failure, repeatingFailure } from '../failure.ts';
import { overLimitFailure } from '../providers/limits.ts';
import {
  endsInRepetition,
  repeatsParagraphs,
  repeatsSentences,
  saysNothingNew,
  WINDOW,
} from './repetition.ts';

/** The most estimated tokens of answer and thinking together: no model writes more in one answer. */
const MAX_SAID = 128_000;
/** New characters after which their tokens are estimated again. */
const COUNTED_AT_ONCE = 256;
/** Characters per token in English text. */
const PER_TOKEN = 4;
/** Characters after which an answer is searched for repetition again; forms have shorter texts. */
const COMPARED_AT_ONCE = { prose: 1_000, form: 400 };
/**
 * Characters of prose, about 6,000 tokens, before nearly equal paragraphs count as repetition. A shorter answer
 * may be a long list whose entries have most of their words in common.
 */
const MIN_STALE_LENGTH = 24_000;

type Part = 'text' | 'thinking';

/** Watches the length and the repetitions of one answer while it arrives, and says when it must be cut. */
export class AnswerBounds {
  readonly #provider: string;
  readonly #maxTokens: number;
  readonly #isForm: boolean;
  /** For each part: the tokens estimated so far, and the text that is not included in them yet. */
  readonly #counts = { text: { tokens: 0, later: '' }, thinking: { tokens: 0, later: '' } };
  #length = 0;
  /** For each part: the end of the text that was searched for repetition, and the pieces after it. */
  readonly #ends = {
    text: { searched: '', later: [] as string[], laterLength: 0, length: 0 },
    thinking: { searched: '', later: [] as string[], laterLength: 0, length: 0 },
  };

  /**
   * @param provider the provider's name, for messages
   * @param maxTokens the most estimated tokens of the answer without thinking
   * @param isForm whether the answer is to be JSON, not prose
   */
  constructor(provider: string, maxTokens: number, isForm: boolean) {
    this.#provider = provider;
    this.#maxTokens = maxTokens;
    this.#isForm = isForm;
  }

  /**
   * Adds the next piece of the answer or of the thinking.
   *
   * @returns the failure with which the answer is cut at this piece; undefined if the answer may
   * continue
   */
  take(part: Part, piece: string): Failure | undefined {
    this.#length += piece.length;
    const count = this.#counts[part];
    count.later += piece;
    if (count.later.length >= COUNTED_AT_ONCE) {
      count.tokens += estimateTokens(count.later);
      count.later = '';
      const { text, thinking } = this.#counts;
      if (text.tokens > this.#maxTokens) return overLimitFailure(this.#provider, this.#maxTokens);
      if (text.tokens + thinking.tokens > MAX_SAID)
        return overLimitFailure(this.#provider, MAX_SAID);
    }
    return this.#repeats(part, piece)
      ? repeatingFailure(this.#provider, Math.round(this.#length / PER_TOKEN))
      : undefined;
  }

  /** Searches only the end of the text: joining all pieces would copy the whole text each time. */
  #repeats(part: Part, piece: string): boolean {
    const end = this.#ends[part];
    end.later.push(piece);
    end.laterLength += piece.length;
    end.length += piece.length;
    const isForm = part === 'text' && this.#isForm;
    if (end.laterLength < COMPARED_AT_ONCE[isForm ? 'form' : 'prose']) return false;
    end.searched = `${end.searched}${end.later.join('')}`.slice(-WINDOW);
    end.later = [];
    end.laterLength = 0;
    if (endsInRepetition(end.searched, isForm)) return true;
    if (repeatsSentences(end.searched, isForm)) return true;
    if (isForm && saysNothingNew(end.searched)) return true;
    // Do not search for repeated paragraphs in thinking, which may repeat itself, in JSON answers, whose
    // fields are often similar, or in short answers, which may be lists of similar entries.
    if (part === 'thinking' || this.#isForm || end.length < MIN_STALE_LENGTH) return false;
    return repeatsParagraphs(end.searched);
  }
}

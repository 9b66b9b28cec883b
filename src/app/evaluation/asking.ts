/** An arm's answer to an item: a cell, and where its end cannot be read one call that writes it down. */
import { isRight, questionOf, readAnswer, repairQuestion } from '../../evaluation/answers.ts';
import type { Outcome } from '../../evaluation/outcome.ts';
import type { Item } from '../../evaluation/sets/item.ts';
import { digest } from '../../kernel/digest.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { line } from '../../text/line.ts';
import type { Cells, SeatedMaker } from './cells.ts';

/** What is known of an answer, whatever arm it counts for. */
export type Reply = Pick<
  Outcome,
  'state' | 'answer' | 'isRight' | 'isRepaired' | 'costUsd' | 'tokens' | 'models'
> & {
  readonly confidence?: number;
  readonly votes?: NonNullable<Outcome['votes']>;
  readonly run: string;
  readonly resent: number;
  /** See `CellResult`. */
  readonly billedUsd: number;
};

/** So many runs without an answer, one after the other: it is not they, it is the server. */
const MOST_FAILURES = 12;

export class Asking {
  readonly #cells: Cells;
  /** The model alone, which writes down what it meant. */
  readonly #alone: SeatedMaker;
  readonly #seed: number;
  #failures = 0;

  constructor(cells: Cells, alone: SeatedMaker, seed: number) {
    this.#cells = cells;
    this.#alone = alone;
    this.#seed = seed;
  }

  /**
   * `sample`: which of several answers to the same item in the same repetition, from 0 on.
   * @throws DeliberateError where nothing answers any more
   */
  async ask(arm: SeatedMaker, item: Item, repetition: number, sample = 0): Promise<Reply> {
    const question = questionOf(item);
    const seed = seedOf(this.#seed, question, repetition, sample);
    const cell = await this.#cells.ask(arm, question, seed);
    this.#count(cell);
    const { run, final, costUsd, billedUsd, tokens, models, resent, firsts } = cell;
    const account = { costUsd, billedUsd, tokens, models, run, resent };
    if (final === undefined)
      return { state: 'missing', answer: null, isRight: false, isRepaired: false, ...account };
    const votes = firsts.map(({ seat, text }) => {
      const { answer } = readAnswer(text, item);
      return { seat, answer, isRight: isRight(answer, item) };
    });
    const own = votes.length === 0 ? {} : { votes };
    const read = readAnswer(final.text, item);
    if (read.answer !== null)
      return {
        ...{ state: 'answered', isRight: isRight(read.answer, item), isRepaired: false },
        ...read,
        ...account,
        ...own,
      };
    const repair = await this.#cells.ask(this.#alone, repairQuestion(final.text, item), seed);
    this.#count(repair);
    const { answer } = readAnswer(repair.final?.text ?? '', item);
    return {
      state: answer === null ? 'unreadable' : 'answered',
      answer,
      isRight: isRight(answer, item),
      isRepaired: answer !== null,
      ...account,
      costUsd: sumOrNull([costUsd, repair.costUsd]),
      billedUsd: billedUsd + repair.billedUsd,
      tokens: tokens + repair.tokens,
      resent: resent + repair.resent,
      ...own,
    };
  }

  #count({ isDone, reason }: { isDone: boolean; reason?: string | undefined }): void {
    this.#failures = isDone ? 0 : this.#failures + 1;
    if (this.#failures < MOST_FAILURES) return;
    this.#cells.stop();
    throw new DeliberateError(
      'no-answers',
      `${MOST_FAILURES} runs in a row failed${reason === undefined ? '' : `, the last: ${line(reason)}`}`,
      'Answers so far are kept. Run the same command again once the server responds.',
    );
  }
}

/** Null where one of them is not known. */
export function sumOrNull(costs: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const one of costs) {
    if (one === null) return null;
    sum += one;
  }
  return sum;
}

/** The seed of a run: below 2^31, as providers take it. */
export function seedOf(seed: number, question: string, repetition: number, sample: number): number {
  return Number.parseInt(digest({ seed, question, repetition, sample }).slice(0, 8), 16) >>> 1;
}

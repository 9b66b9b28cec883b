/**
 * Gets an arm's answer to an item: one cell and, if no answer can be read from its end, one more call that
 * states it.
 */
import { isRight, questionOf, readAnswer, repairQuestion } from '../../evaluation/answers.ts';
import type { Outcome } from '../../evaluation/outcome.ts';
import type { Item } from '../../evaluation/sets/item.ts';
import { computeDigest } from '../../kernel/digest.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import { toLine } from '../../text/line.ts';
import type { CellRunner, SeatedMaker } from './cells.ts';

/** The answer of one arm (compared way to answer) to a question, and what it cost. */
export type Reply = Pick<
  Outcome,
  'state' | 'answer' | 'isRight' | 'isRepaired' | 'costUsd' | 'tokens' | 'models'
> & {
  readonly confidence?: number;
  readonly votes?: NonNullable<Outcome['votes']>;
  readonly run: string;
  /** How many calls were sent again because a process died while they were under way. */
  readonly resent: number;
  /** The cost in dollars that was recorded with the calls, after discounts for batches and caching. */
  readonly billedUsd: number;
};

/** After so many failed runs in a row the server is assumed to be at fault, and the evaluation stops. */
const MOST_FAILURES = 12;

/**
 * Asks the arms (compared ways to answer) of an evaluation the questions of its set, and reads their
 * answers.
 */
export class ArmAsker {
  readonly #cells: CellRunner;
  /** The single model, which is also asked to state an answer that could not be read. */
  readonly #alone: SeatedMaker;
  readonly #seed: number;
  #failures = 0;

  constructor(cells: CellRunner, alone: SeatedMaker, seed: number) {
    this.#cells = cells;
    this.#alone = alone;
    this.#seed = seed;
  }

  /**
   * Asks one arm about one item, or returns the recorded answer. If code cannot read the answer from the text
   * that the arm wrote, the model of the arm `single` is asked once what answer the text gives.
   *
   * @param repetition the number of the repetition, from 1
   * @param sample the number of the answer if the same item is asked several times in a repetition,
   *   from 0
   * @throws DeliberateError if too many runs in a row have failed
   */
  async ask(arm: SeatedMaker, item: Item, repetition: number, sample = 0): Promise<Reply> {
    const question = questionOf(item);
    const seed = computeSeed(this.#seed, question, repetition, sample);
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
        state: 'answered',
        isRight: isRight(read.answer, item),
        isRepaired: false,
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
      `${MOST_FAILURES} runs in a row failed${reason === undefined ? '' : `, the last: ${toLine(reason)}`}`,
      'Answers so far are kept. Run the same command again once the server responds.',
    );
  }
}

/** Returns the sum of costs, or null if a cost is unknown. */
export function sumOrNull(costs: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const cost of costs) {
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}

/**
 * Computes the seed of a run from the evaluation's seed, the question, and the numbers of the
 * repetition and the sample. The result is below 2^31, because some providers accept no larger seed.
 */
export function computeSeed(
  seed: number,
  question: string,
  repetition: number,
  sample: number,
): number {
  return (
    Number.parseInt(computeDigest({ seed, question, repetition, sample }).slice(0, 8), 16) >>> 1
  );
}
